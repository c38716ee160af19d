"""A port for the metrics of one process: it shows them and its health, and nothing else."""

import copy
import socket

import pytest
from click.testing import CliRunner
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from deadwood.cli import main
from deadwood.server.serving import metrics_sockets
from deadwood.server.settings import Settings, SettingsWrong

from ..people import serving, together
from ..ports import free_ports


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """A server with such a port."""
    (port,) = free_ports(1)
    with serving(f"sqlite:///{tmp_path_factory.mktemp('measured')}/games.sqlite3", metrics_port=port) as server:
        yield server


@pytest.fixture
def operators(measured):
    """The same server as an operator reaches it."""
    there = copy.copy(measured)
    there.url = f"http://127.0.0.1:{measured.settings.metrics_port}"
    return there


def test_it_shows_metrics_and_health(measured, operators):
    assert operators.get("/livez") == operators.get("/readyz") == "ok\n"
    assert "# TYPE deadwood_commands_total counter" in operators.get("/metrics")
    assert measured.get("/livez") == "ok\n"


def test_other_machines_need_the_token_there_too(operators):
    assert operators.at("192.0.2.1").request("GET", "/metrics")[0] == 403


@pytest.mark.parametrize("path", ["/", "/api/about", "/api/tables", "/api/openapi.json", "/metrics/", "/t/K7RM4TXC"])
def test_the_metrics_port_serves_nothing_else(measured, operators, path):
    status, headers, problem = operators.request("GET", path)
    assert (status, problem["code"]) == (404, "page_unknown")
    assert "x-request-id" in headers


@together
async def test_the_metrics_port_accepts_no_players(measured, operators):
    code, _ = measured.make()
    async with connect(measured.socket_url(code)):
        pass
    with pytest.raises(InvalidStatus):
        await connect(operators.socket_url(code))


# --- ports that cannot be used


def served(*options):
    return CliRunner().invoke(main, ["serve", *options])


def test_a_port_that_is_taken_is_named_before_anything_starts(sqlite_url, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        done = served("--port", "0", "--metrics-port", str(taken), "--database", sqlite_url)
    assert done.exit_code == 1
    assert f"The server cannot listen at 127.0.0.1, port {taken}: Address already in use." in done.output
    assert not (tmp_path / "games.sqlite3").exists()


@pytest.mark.parametrize(
    ("port", "first", "processes", "sentence"),
    [
        (8000, 65_535, 2, "The metrics of 2 processes need the ports 65535 to 65536, and the last is 65535."),
        (8000, 7_998, 3, "Port 8000 is for people; the metrics need the ports 7998 to 8000 for themselves."),
        (8000, 8_000, 1, "Port 8000 is for people; the metrics need port 8000 for themselves."),
    ],
)
def test_impossible_ports_get_a_sentence(port, first, processes, sentence):
    settings = Settings(database="", port=port, metrics_port=first)
    with pytest.raises(SettingsWrong) as refused, metrics_sockets(settings, processes):
        pytest.fail("it listens")
    assert str(refused.value) == sentence


def test_all_ports_are_given_back_if_one_is_taken():
    first, second = free_ports(2)
    settings = Settings(database="", metrics_port=first)
    with socket.create_server(("127.0.0.1", second)), pytest.raises(SettingsWrong), metrics_sockets(settings, 2):
        pytest.fail("it listens")
    with metrics_sockets(settings, 2) as sockets:
        assert [one.getsockname()[1] for one in sockets] == [first, second]
