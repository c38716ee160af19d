"""`deadwood bot`: separate programs at tables on a real server.

Holds `cli.bot` and `terminal.deciding`.
"""

import asyncio
import doctest
import re
import secrets
import signal
import stat
import sys
import threading
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from deadwood.client import ServedTable, TableAddress
from deadwood.engine.verify import verify
from deadwood.server.protocol.messages import Welcome
from deadwood.server.tables.log import StoodIn
from deadwood.server.tables.views import View
from deadwood.terminal import remote_bot
from deadwood.terminal.remote_bot import Manners, RemoteBot
from deadwood.terminal.seat_tokens import SeatTokens, kept_tables
from deadwood.terminal.visit import Visit

from ..python_client.test_connection import Net
from ..server.people import PATIENCE, person, play_some, play_to_the_end, quietly_serving, together, token
from ..server.tables.growing_log import ADA, BO, Table

BOTS = Path(__file__).parents[2] / "docs" / "bots.md"
BROKEN = """
import threading, sys
class Raises:
    def __init__(self, seed=None): ...
    def decide(self, state, actions):
        return self.pick(actions)
    def pick(self, actions):
        return actions[len(actions)]
class Cheats(Raises):
    def pick(self, actions):
        return "win"
class Quits(Raises):
    def pick(self, actions):
        sys.exit(0)
class Sleeps(Raises):
    def pick(self, actions):
        threading.Event().wait()
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with quietly_serving(tmp_path_factory.mktemp("server"), rematch_pause=0.0) as running:
        yield running


@pytest.fixture(autouse=True)
def walker(home):
    """The bot of ten lines, as people copy it from the documents."""
    examples = doctest.DocTestParser().get_examples(BOTS.read_text(encoding="utf-8"))
    (source,) = (one.source for one in examples if one.source.startswith("class Walker"))
    (home / "walker.py").write_text(f"import random\n{source}", encoding="utf-8")


class Program:
    """A running `deadwood bot`."""

    def __init__(self, process):
        self.process = process
        self.said = ""

    async def until(self, wanted):
        """Read until a line matches."""
        while True:
            async with asyncio.timeout(PATIENCE):
                line = (await self.process.stdout.readline()).decode()
            assert line, f"{wanted!r} never came:\n{self.said}"
            self.said += line
            if found := re.search(wanted, line):
                return found

    async def end(self):
        """Read everything, and return the exit code."""
        async with asyncio.timeout(PATIENCE):
            self.said += (await self.process.stdout.read()).decode()
            code = await self.process.wait()
        assert "Traceback" not in self.said, self.said
        return code


@asynccontextmanager
async def running(*words):
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "deadwood",
        "bot",
        *words,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        yield Program(process)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def started(ada):
    """Make Ada ready, and start once everybody else is."""
    await ada.be_ready()
    while not all(chair["ready"] for chair in ada.table["chairs"]) or len(ada.table["chairs"]) < 2:
        await ada.hear()
    await ada.do("start")


@together
async def test_the_bot_of_ten_lines_plays_at_two_tables_and_survives_a_kill(server, home):
    tables = [server.make(options={"days": 1}, house={"grace": None}) for _ in range(2)]
    words = ["walker:Walker", "--server", server.url, "--pause", "0"]
    words += [word for code, _ in tables for word in ("--table", code)]
    (one, hers), (two, hers_too) = tables
    async with person(server, one, hers) as ada, person(server, two, hers_too) as bea:
        async with running(*words) as bot:
            await asyncio.gather(started(ada), started(bea))
            await asyncio.gather(play_some(ada, 3), play_some(bea, 3))
            bot.process.kill()
            await bot.process.wait()
        async with running(*words) as bot:
            await bot.until("Walker is back")
            await asyncio.gather(play_to_the_end(ada), play_to_the_end(bea))
            assert await bot.end() == 0
    assert bot.said.count("The game is over.") == 2
    assert bot.said.endswith("Done.\n")
    for code, _ in tables:
        record = server.get(f"/api/tables/{code}/games/1/record")
        assert "seats: red person; blue bot walker\n" in record
        assert "(by " not in record
        assert {check.verdict for check in verify(record)} == {"passed"}
    kept_apart_from_people(server, one, home)


def kept_apart_from_people(server, code, home):
    address = TableAddress(server.url, code)
    assert [seat.name for seat in SeatTokens(address, bots=True).seats()] == ["Walker"]
    assert SeatTokens(address).seats() == ()
    assert list(kept_tables()) == []
    for file in (home / "deadwood" / "seats").glob("*.json"):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


@together
async def test_a_bot_hosts_a_table_plays_again_and_stops(server):
    words = ("--server", server.url, "--host", "--again", "--pause", "0", "--name", "Wanda")
    async with running("walker:Walker", *words) as bot:
        code = (await bot.until(r"Others join at \S+/t/(\w{8})")).group(1)
        await bot.until("Wanda sits down")
        async with person(server, code) as bo:
            await bo.do("sit", name="Bo", token=token())
            await bo.be_ready()
            while bo.status == "waiting":
                await bo.hear()
            await bo.do("vote", to="end", agrees=True)
            while bo.status == "running":
                await bo.hear()
            await bo.do("agree", chair=bo.held[0], salt=secrets.token_hex(32))
            while bo.table["game"] == 1:
                await bo.hear()
            assert [chair["name"] for chair in bo.table["chairs"]] == ["Wanda", "Bo"]
            await bot.until("called off")
        bot.process.send_signal(signal.SIGINT)
        assert await bot.end() == 130
    assert "The seats stay the bot's" in bot.said


@pytest.mark.parametrize(
    ("bot", "said"),
    [
        ("Raises", r"raised IndexError\(.*\)\. \(It was in broken\.py, line 8\.\) It has stopped playing here"),
        ("Cheats", r"chose 'win', which is not one of its \d+ legal actions"),
        ("Quits", r"raised SystemExit\(0\)"),
        ("Sleeps", r"thought for more than 0\.2 seconds"),
    ],
)
@together
async def test_a_bot_that_fails_says_so_and_its_seat_is_for_the_stand_in(server, home, bot, said):
    (home / "broken.py").write_text(BROKEN, encoding="utf-8")
    code, hers = server.make()
    patience = "0.2" if bot == "Sleeps" else "3600"
    words = (f"broken:{bot}", "--server", server.url, "--table", code, "--patience", patience, "--pause", "0")
    async with running(*words) as program, person(server, code, hers) as ada:
        await ada.hear_until(lambda message: message.get("kind") == "sat")
        await ada.do("choose", options={"first": bot})
        await started(ada)
        await program.until(f"{code}: The bot 'broken:{bot}' {said}")
        assert await program.end() == 1
        assert program.said.endswith("Done, but not everything went well.\n")
        while 2 in ada.present:
            await ada.hear()
        await ada.do("stand_in", chair=2)
        while not ada.up:
            await ada.hear()
        assert ada.table["chairs"][1]["stand_in"] == "regular"


@together
async def test_a_bot_learns_that_its_time_is_up(monkeypatch):
    """The server's message comes while the bot thinks; the clock of a real table is never that short."""
    table, net, said = Table((BO, ADA), remote=[BO], options={"first": "Bo"}), Net(), []
    loop, is_late = asyncio.get_running_loop(), threading.Event()

    class Slow:
        def decide(self, state, actions):
            loop.call_soon_threadsafe(run_out_of_time)
            is_late.wait(PATIENCE)
            return actions[0]

    def run_out_of_time():
        happened = table.take(0, StoodIn(BO, "regular", "time"))
        socket.tell(View(table.sitting, "", table.now).update(happened, "en", False))

    def say(sentence):
        said.append(sentence)
        if "too slow" in sentence:
            playing.cancel()

    class Noting(ServedTable):
        def updated(self, update):
            super().updated(update)
            is_late.set()

    @asynccontextmanager
    async def visiting(visit, listener):
        async with Noting(visit.address.code, net.open, None, listener=listener) as connected:
            yield connected

    monkeypatch.setattr(remote_bot, "visiting", visiting)
    visit = Visit(TableAddress("http://127.0.0.1:1", "CCCCFFFF"), "Bo", "slow")
    playing = asyncio.create_task(RemoteBot(visit, Slow(), "slow", Manners(), say).run())
    socket = await net.next()
    await socket.hear("hello")
    socket.tell(Welcome(table=View(table.sitting, "", table.now).table("en", False), held=(BO,), missed=()))
    with pytest.raises(asyncio.CancelledError):
        await playing
    assert said[-1].startswith("CCCCFFFF: The bot was too slow")
    assert socket.said.empty()


@together
async def test_a_bot_that_cannot_play_at_a_table_says_why(server):
    code, hers = server.make(bots=[{"bot": "random"}])
    real, _ = server.make(options={"dice": "table"})
    async with person(server, code, hers) as ada:
        await ada.be_ready()
        await ada.do("start")
    async with running("random", "--server", server.url, "--table", code, "--table", real) as bot:
        assert await bot.end() == 1
    assert f"{code}: The game has started, and the bot has no seat in it." in bot.said
    assert f"{real}: This table plays with real dice and cards" in bot.said


@together
async def test_a_bot_that_is_removed_ends(server):
    code, hers = server.make()
    async with running("random", "--server", server.url, "--table", code) as bot, person(server, code, hers) as ada:
        while len(ada.table["chairs"]) < 2:
            await ada.hear()
        await ada.do("remove", chair=2)
        await bot.until("The bot was removed from the table")
        assert await bot.end() == 1


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["random"], 2, "Give --table CODE, or --host"),
        (["nobody", "--host"], 2, "There is no bot called 'nobody'"),
        (["walker:Nobody", "--host"], 2, "There is no bot 'walker:Nobody'"),
        (["random", "--table", "hello"], 1, "'hello' is neither the link of a table"),
        (["random", "--host", "--server", "http://127.0.0.1:1"], 1, "No server answers"),
        (["random", "--table", "K7RM4TXC", "--server", "http://127.0.0.1:1"], 1, "K7RM4TXC: No server answers"),
        (["random", *["--table", "K7RM4TXC"] * 65], 2, "at 64 tables at most"),
    ],
)
@together
async def test_mistakes_get_a_sentence(words, code, said):
    async with running(*words) as bot:
        assert await bot.end() == code
    assert said in bot.said
