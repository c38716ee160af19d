"""Reading a log never holds up the event loop."""

import threading

from deadwood.server.store import entries
from deadwood.server.store.database import DatabaseStore
from deadwood.server.tables.log import decode_body
from deadwood.server.tables.ports import Append

from ..people import together
from .changes import CODE, change, entry, opened


@together
async def test_a_long_log_is_decoded_beside_the_event_loop(sqlite_url, monkeypatch):
    """Anybody at a table can make its log long by voting for and against something all day."""
    threads = set()

    def noting(body):
        threads.add(threading.current_thread())
        return decode_body(body)

    monkeypatch.setattr(entries, "decode_body", noting)
    async with opened(DatabaseStore.open(sqlite_url)) as store:
        lines = [entry(seq) for seq in range(1, entries.MOST_AT_ONCE + 2)]
        await store.commit([Append(line) for line in lines])
        assert await store.entries(CODE, 1) == lines
        assert threading.main_thread() not in threads
        assert await store.entries(CODE, 2) == lines[1:]
        assert threading.main_thread() in threads


@together
async def test_a_log_with_much_in_it_is_decoded_beside_the_event_loop(sqlite_url, monkeypatch):
    """An entry may hold a deck."""
    monkeypatch.setattr(entries, "MOST_CHARACTERS", 10)
    main = []
    monkeypatch.setattr(
        entries, "decode_body", lambda body: main.append(threading.current_thread()) or decode_body(body)
    )
    async with opened(DatabaseStore.open(sqlite_url)) as store:
        await store.commit([change(1)])
        await store.entries(CODE, 1)
    assert threading.main_thread() not in main
