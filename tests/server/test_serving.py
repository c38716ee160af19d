"""A server in a thread of a program that does something else."""

import asyncio
import threading

import pytest

from deadwood.server import serving
from deadwood.server.settings import Settings
from deadwood.server.store.database import DatabaseStore

PATIENCE = 60  # seconds


@pytest.fixture
def servers(monkeypatch):
    """All servers that the test makes; they end with it."""
    made = []

    class Watched(serving.Server):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            made.append(self)

    monkeypatch.setattr(serving, "Server", Watched)
    yield made
    for server in made:
        server.should_exit = True


@pytest.fixture
def held(monkeypatch):
    """Lets no server open its database before this is set."""
    held, opened = threading.Event(), DatabaseStore.open

    async def open_later(url, patience):
        await asyncio.to_thread(held.wait)
        return await opened(url, patience)

    monkeypatch.setattr(DatabaseStore, "open", open_later)
    yield held
    held.set()


def test_a_server_ends_that_is_interrupted_before_it_has_started(tmp_path, monkeypatch, servers, held):
    monkeypatch.setattr(serving, "_START", 0)  # stands for a signal: an exception while the server starts
    monkeypatch.setattr(serving, "_END", 0)
    with (
        pytest.raises(TimeoutError),
        serving.served(Settings(database=f"sqlite:///{tmp_path}/server.sqlite3", port=0)),
    ):
        pytest.fail("it has not started")
    (thread,) = (one for one in threading.enumerate() if one.name == "server")
    held.set()
    thread.join(PATIENCE)
    assert not thread.is_alive()
    assert [server.started for server in servers] == [True]
