"""Memory, the beginning and the end: tables sleep and wake, servers start, stop and say why they cannot."""

import asyncio
import re
import signal
import subprocess
import sys
import time

import pytest
from websockets.exceptions import ConnectionClosed

from deadwood.server.app import make_app
from deadwood.server.settings import Settings
from deadwood.server.store.database import DatabaseStore

from .people import PATIENCE, knock, person, play_to_the_end, serving, started, together, token, until

# --- memory


@together
async def test_tables_that_nobody_looks_at_leave_memory_and_come_back(sqlite_url):
    with serving(sqlite_url, asleep=0.0) as server:
        async with started(server, options={"days": 1}) as host:
            for _ in range(3):
                await host.move("end")
            state = host.table["position"]["state"]
            assert server.metric("tables") == 1
        await until(lambda: server.metric("tables") == 0)
        assert server.get(f"/api/tables/{host.code}")["state"] == state
        async with person(server, host.code, *host.tokens) as again:
            await play_to_the_end(again)
        await until(lambda: server.metric("tables") == 0)
        assert server.get(f"/api/tables/{host.code}")["status"] == "finished"
        assert server.metric("tasks") == 0


@together
async def test_bots_alone_pause_while_nobody_looks(sqlite_url):
    with serving(sqlite_url, unwatched=0.0, asleep=0.0, bot_pause=0.01) as server:
        made = server.post("/api/tables", {"bots": [{"bot": "random"}] * 2, "options": {"days": 1}}, status=201)
        await until(lambda: server.metric("tables") == 0)
        assert server.metric("games_finished_total") == 0
        async with person(server, made["table"]["code"]) as watcher:
            while watcher.status != "finished":
                await watcher.hear()


# --- the beginning and the end


@together
async def test_the_end_is_told_and_when_to_come_back(sqlite_url):
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


def test_a_slow_upload_does_not_disturb_the_end(sqlite_url):
    with serving(sqlite_url) as server:
        with knock(server, b"POST /api/replays HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\ndeadwood") as line:
            time.sleep(0.3)
            server.process.terminate()
            assert line.recv(12) == b"HTTP/1.1 400"
        server.process.wait(PATIENCE)
        assert server.log() == ""


def test_an_upload_that_begins_at_the_end_is_not_waited_for(sqlite_url):
    async def run():
        store = await DatabaseStore.open(sqlite_url)
        app = make_app(Settings(database=sqlite_url), store)
        async with app.router.lifespan_context(app):
            app.state.hall.closing = True
            sent = []

            async def receive():
                await asyncio.Event().wait()

            async def send(message):
                sent.append(message)

            scope = {"type": "http", "method": "POST", "path": "/api/replays", "query_string": b"", "headers": []}
            await asyncio.wait_for(app({**scope, "client": ("127.0.0.1", 1)}, receive, send), 5)
            assert sent[0]["status"] == 400

    asyncio.run(run())


def test_livez_readyz_and_metrics(server):
    assert server.get("/livez") == "ok\n"
    assert server.get("/readyz") == "ok\n"
    assert "# TYPE deadwood_commands_total counter" in server.get("/metrics")


def test_a_second_server_on_one_sqlite_file_is_refused(sqlite_url):
    with serving(sqlite_url), pytest.raises(AssertionError, match="Another server uses"), serving(sqlite_url):
        pass


def test_a_link_to_the_file_is_the_same_file(tmp_path):
    (tmp_path / "link.db").symlink_to(tmp_path / "games.db")
    urls = [f"sqlite:///{tmp_path}/{name}.db" for name in ("games", "link")]
    with serving(urls[0]), pytest.raises(AssertionError, match="Another server uses"), serving(urls[1]):
        pass


def test_postgresql_is_shared(postgres_url):
    """Two processes at one log: what one wrote, the other finds before it writes."""
    with serving(postgres_url) as one, serving(postgres_url) as other:
        code, mine = one.make(bots=[{"bot": "random"}], options={"first": "Ada"})
        path = f"/api/tables/{code}/commands"
        assert other.get(f"/api/tables/{code}")["seq"] == 1
        one.post(path, {"type": "ready", "id": "a", "chair": 1, "salt": token()}, mine)
        status, _, told = other.request("POST", path, {"type": "start", "id": "b"}, token=mine)
        assert (status, told["code"]) == (409, "not_ready")  # it has not heard of it yet
        again = {"type": "ready", "id": "c", "chair": 1, "salt": token()}
        assert other.post(path, again, mine)["seq"] == 3  # now it has: 2 was taken
        assert other.post(path, {"type": "start", "id": "d"}, mine)["seq"] == 4


def test_the_command_serves(home):
    command = [sys.executable, "-m", "deadwood", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        line = process.stdout.readline()
        assert re.fullmatch(r"Deadwood is served at http://127\.0\.0\.1:\d+ \(Ctrl-C ends it\)\.\n", line)
        process.terminate()
    assert (home / "deadwood" / "server.sqlite3").exists()


def test_ctrl_c_ends_it_quietly(home):
    command = [sys.executable, "-m", "deadwood", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=PATIENCE) == ("", "")
    assert process.returncode == 0


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        (["--database", "mysql://x/y"], "There is no support for mysql; use sqlite or postgresql."),
        (["--url", "play.example.org"], "'play.example.org' is not the address of a server"),
        (["--host", "203.0.113.1"], "The server cannot listen at 203.0.113.1"),
        (["--database", "postgresql://127.0.0.1:1/x"], "The database cannot be used"),
        (["--database", "sqlite:////dev/null/x.db"], "The database /dev/null/x.db cannot be written: "),
        (["--database", "postgresql//me:secret@x"], "'postgresql//…@x' is not the URL of a database"),
    ],
)
def test_a_server_that_cannot_start_says_why(home, flags, sentence):
    command = [sys.executable, "-m", "deadwood", "serve", "--port", "0", *flags]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith(f"Error: {sentence}")
    assert "Traceback" not in done.stderr
