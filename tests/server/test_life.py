"""Tables sleep and wake; servers start and stop, and say why they cannot start.

Holds `cli.serve`, `server.app`, `server.command`, `server.store.files` and `server.tables.local_peers`.
"""

import asyncio
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request

import pytest
from websockets.exceptions import ConnectionClosed

from deadwood import DeadwoodError
from deadwood.server.app import close_politely, make_app
from deadwood.server.serving import serve
from deadwood.server.settings import Settings, SettingsWrong
from deadwood.server.store.database import DatabaseStore
from deadwood.server.tables.local_peers import LocalPeers

from ..terminal.hanging_up import hanging_up
from .people import (
    PATIENCE,
    bots_alone,
    knock,
    person,
    play_to_the_end,
    serving,
    settings_for,
    started,
    together,
    token,
    until,
)

# --- memory


@pytest.fixture(scope="module")
def forgetful(tmp_path_factory):
    """A server that puts tables to sleep at once."""
    folder = tmp_path_factory.mktemp("forgetful")
    with serving(f"sqlite:///{folder}/games.sqlite3", asleep=0.0, unwatched=0.0) as server:
        yield server


@together
async def test_unwatched_tables_leave_memory_and_come_back(forgetful):
    await until(lambda: forgetful.metric("tables") == 0)
    async with started(forgetful, options={"days": 1}) as host:
        for _ in range(3):
            await host.act("end")
        state = host.state
        assert forgetful.metric("tables") == 1
    await until(lambda: forgetful.metric("tables") == 0)
    assert forgetful.get(f"/api/tables/{host.code}")["position"]["state"] == state
    async with person(forgetful, host.code, *host.tokens) as again:
        await play_to_the_end(again)
    await until(lambda: forgetful.metric("tables") == 0)
    assert forgetful.get(f"/api/tables/{host.code}")["status"] == "finished"
    await until(lambda: forgetful.metric("tasks") == 0)


@together
async def test_bots_alone_pause_while_nobody_watches(forgetful):
    made = forgetful.post("/api/tables", bots_alone(2), status=201)
    await until(lambda: forgetful.metric("tables") == 0)
    code = made["table"]["code"]
    assert forgetful.get(f"/api/tables/{code}")["status"] == "running"
    async with person(forgetful, code) as watcher:
        await watcher.hear_update(watcher.seq + 5)


# --- starting and stopping


@together
async def test_a_server_that_stops_says_when_to_come_back(sqlite_url):
    with serving(sqlite_url) as server:
        async with started(server) as host:
            server.process.terminate()
            goodbye = await host.hear_until(lambda message: message["type"] == "goodbye")
            assert 1 <= goodbye["retry_after"] <= 5
            with pytest.raises(ConnectionClosed) as closed:
                await host.hear()
            assert closed.value.rcvd.code == 1012
        assert server.process.wait(PATIENCE) in (0, -15)
        assert server.log() == ""


@together
async def test_a_terminal_that_closes_stops_the_server_in_the_same_way(sqlite_url):
    """It sends SIGHUP, which by default kills."""
    with hanging_up(), serving(sqlite_url, environment={"PYTHONUNBUFFERED": "1"}) as server:
        async with started(server) as host:
            server.process.send_signal(signal.SIGHUP)
            await host.hear_until(lambda message: message["type"] == "goodbye")
            with pytest.raises(ConnectionClosed) as closed:
                await host.hear()
            assert closed.value.rcvd.code == 1012
        assert server.process.wait(PATIENCE) in (0, -15)
        assert server.log() == ""


def test_a_slow_upload_does_not_delay_the_stop(sqlite_url):
    head = b"POST /api/replays HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n"
    with serving(sqlite_url) as server:
        with knock(server, head) as line:
            assert line.recv(1000).startswith(b"HTTP/1.1 100")
            line.sendall(b"deadwood")
            server.process.terminate()
            assert line.recv(12) == b"HTTP/1.1 400"
        server.process.wait(PATIENCE)
        assert server.log() == ""


@together
async def test_an_upload_that_begins_while_stopping_is_refused(sqlite_url):
    app = make_app(Settings(database=sqlite_url), await DatabaseStore.open(sqlite_url))
    sent = []

    async def receive():
        await asyncio.Event().wait()

    async def send(message):
        sent.append(message)

    async with app.router.lifespan_context(app):
        close_politely(app)
        scope = {"type": "http", "method": "POST", "path": "/api/replays", "query_string": b"", "headers": []}
        await app({**scope, "client": ("127.0.0.1", 1)}, receive, send)
    assert sent[0]["status"] == 400


@together
async def test_a_process_that_is_cut_off_from_the_others_is_not_ready(sqlite_url, monkeypatch):
    monkeypatch.setattr(LocalPeers, "cut_off", True)
    app = make_app(Settings(database=sqlite_url), await DatabaseStore.open(sqlite_url))
    async with app.router.lifespan_context(app):
        assert await status_of(app, "/livez") == 200
        assert await status_of(app, "/readyz") == 503


async def status_of(app, path):
    sent = []

    async def receive():
        return {"type": "http.request", "body": b""}

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": path, "query_string": b"", "headers": []}
    await app({**scope, "client": ("127.0.0.1", 1)}, receive, send)
    return sent[0]["status"]


def test_livez_readyz_and_metrics(server):
    assert server.get("/livez") == "ok\n"
    assert server.get("/readyz") == "ok\n"
    assert "# TYPE deadwood_commands_total counter" in server.get("/metrics")


def test_a_second_server_on_one_sqlite_file_is_refused(server, tmp_path):
    used = server.settings.database
    (tmp_path / "link.db").symlink_to(used.removeprefix("sqlite:///"))
    for url in (used, f"sqlite:///{tmp_path}/link.db"):
        with pytest.raises(SettingsWrong, match="Another server uses"):
            serve(settings_for(url), print)


def test_postgresql_is_shared(postgres_url):
    """Two processes share one log: each shows what the other has stored."""
    with serving(postgres_url) as one, serving(postgres_url) as other:
        code, mine = one.make(bots=[{"bot": "random"}], options={"first": "Ada"})
        path = f"/api/tables/{code}/commands"
        assert other.get(f"/api/tables/{code}")["seq"] == 1
        one.post(path, {"type": "ready", "id": "a", "chair": 1, "salt": token()}, mine)
        assert other.post(path, {"type": "start", "id": "b"}, mine)["seq"] == 3
        assert one.get(f"/api/tables/{code}")["status"] == "running"


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_the_command_serves_until_it_is_stopped_and_ends_quietly(home, sent):
    command = [sys.executable, "-m", "deadwood", "serve", "--port", "0"]
    with hanging_up(), subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        line = process.stdout.readline()
        url = re.fullmatch(r"Deadwood is served at (http://127\.0\.0\.1:\d+) \(Ctrl-C ends it\)\.\n", line)[1]
        assert "Only this computer can reach it." in process.stdout.readline()
        asked = urllib.request.Request(
            f"{url}/api/decks/check", b"x = 1", {"content-type": "application/toml", "origin": url}
        )
        with pytest.raises(urllib.error.HTTPError, match="422"):  # by a worker
            urllib.request.urlopen(asked, timeout=PATIENCE)
        process.send_signal(sent)
        assert process.communicate(timeout=PATIENCE) == ("", "")
    assert process.returncode == 0
    assert (home / "deadwood" / "server.sqlite3").exists()


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"database": "mysql://x/y"}, "mysql is not supported; use sqlite or postgresql."),
        ({"host": "203.0.113.1"}, "The server cannot listen at 203.0.113.1"),
        ({"database": "postgresql://127.0.0.1:1/x"}, "The database cannot be used"),
        ({"database": "sqlite:////dev/null/x.db"}, "The database /dev/null/x.db cannot be written: "),
        ({"database": "postgresql//me:secret@x"}, "'postgresql//…@x' is not the URL of a database"),
    ],
)
def test_a_server_that_cannot_start_says_why(sqlite_url, settings, sentence):
    with pytest.raises(DeadwoodError, match=f"^{re.escape(sentence)}"):
        serve(Settings(**{"database": sqlite_url, "port": 0, **settings}), print)


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        (["--url", "play.example.org"], "'play.example.org' is not the address of a server"),
        (["--database", "postgresql://127.0.0.1:1/x"], "The database cannot be used"),
    ],
)
def test_the_command_says_why_without_a_traceback(home, flags, sentence):
    command = [sys.executable, "-m", "deadwood", "serve", "--port", "0", *flags]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith(f"Error: {sentence}")
    assert "Traceback" not in done.stderr
