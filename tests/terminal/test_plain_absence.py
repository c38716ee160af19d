"""The plain mode when somebody is away: waits, stand-ins, votes, pauses, and handovers.

Holds `terminal.absence`.
"""

import asyncio
import re
import subprocess
import sys

import pytest

from deadwood.client import TableAddress
from deadwood.terminal.absence import clock_text
from deadwood.terminal.seat_tokens import SeatTokens
from deadwood.terminal.wording import in_language

from ..server.people import person, quietly_serving, started, together, token
from .typists import typing


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with quietly_serving(tmp_path_factory.mktemp("server")) as running:
        yield running


async def begin(ada, bo, first):
    """Ada, at another connection, starts a game with Bo, who types."""
    await bo.until("Type 'ready'")
    while len(ada.table["chairs"]) < 2:
        await ada.hear()
    await ada.do("choose", options={"first": first})
    await bo.until("must be ready again")
    await bo.does("ready", "Bo is ready")
    await ada.be_ready()
    await ada.do("start")
    await bo.until(f"{first} goes first")


@together
async def test_it_says_who_is_away_and_when_the_stand_in_plays(server):
    code, hers = server.make()
    async with typing(server, code, "Bo") as bo:
        async with person(server, code, hers) as ada:
            await begin(ada, bo, "Ada")
            await bo.does("away", "Everybody is here")
        await bo.until(r"Ada is away\. A stand-in plays in (2:00|1:5\d)\.")
        await bo.does("who", r"Ada is away\. A stand-in plays in [12]:\d\d\.")
        async with person(server, code, hers) as ada:
            await bo.until(r"Ada is back\.")
        await bo.until("A stand-in plays in")


@together
async def test_without_a_grace_period_the_server_says_who_may_do_something(server):
    code, hers = server.make(house={"grace": None})
    async with typing(server, code, "Bo") as bo:
        async with person(server, code, hers) as ada:
            await begin(ada, bo, "Ada")
        await bo.until("a stand-in plays only when the host lets one")
        await bo.does("stand-in Zoe", r"Who\? Choose Ada or Bo\.")
        await bo.does("stand-in Ada", "Only the host")
        await bo.does("handover Ada", "Only the host")


@together
async def test_the_host_lets_a_stand_in_play_and_gives_the_seat_away(server):
    code, hers = server.make(house={"grace": None})
    SeatTokens(TableAddress(server.url, code)).keep(hers, "Ada")
    async with typing(server, code, "Ada") as ada:
        await ada.until("You are Ada")
        async with person(server, code) as bo:
            await bo.do("sit", name="Bo", token=token())
            await ada.until("Bo sits down")  # before that, nobody can choose Bo
            await ada.does("set first Bo", "must be ready again")
            await ada.does("ready", "Ada is ready")
            await bo.be_ready()
            await ada.until("Bo is ready")
            await ada.does("start", "Bo goes first")
        await ada.until("Bo is away, and everybody is waiting")
        shown = await ada.does("handover Bo", r"deadwood join \S+#seat=[0-9a-f]{64}")
        assert "who then plays on for Bo" in shown
        link = re.search(r"http\S+", shown).group()
        await ada.does("stand-in Bo", "The host lets the bot 'Regular' play until Bo is back|Bo is done")
        async with typing(server, link, "Zoe") as zoe:
            await zoe.until(r"take over for Bo.*Take over\? \[no\] ")
            await zoe.does("yes", "You are Bo")
        async with typing(server, link, "Nobody") as late:
            await late.until("This link has been used")
            await late.until("so you are watching")


@together
async def test_a_seat_moves_to_another_device(server):
    code, hers = server.make(house={"grace": None})
    async with person(server, code, hers) as ada, typing(server, code, "Bo") as bo:
        await begin(ada, bo, "Bo")
        await bo.until("Bo> ")
        shown = await bo.does("handover", r"deadwood join \S+#seat=[0-9a-f]{64}")
        assert re.search(r"It works once, within (10:00|9:\d\d)", shown)
        link = re.search(r"http\S+", shown).group()
        async with typing(server, link) as same:
            await same.until("Bo: already here")
        async with typing(server, link, "Zoe") as other:
            await other.until(r"Take over\? \[no\] ")
            await other.does("yes", "You are Bo")
            await bo.until("You are watching")
            await other.does("end", "it is Ada's turn")


@together
async def test_the_command_itself_takes_a_seat_over(server):
    async with started(server) as ada:
        secret = token()
        await ada.do("hand_over", chair=ada.held[1], secret=secret)
        link = f"{server.url}/t/{ada.code}#seat={secret}"
        command = [sys.executable, "-m", "deadwood", "join", link, "--plain", "--name", "Zoe", "--language", "de"]
        zoe = await asyncio.create_subprocess_exec(*command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        shown, _ = await zoe.communicate(b"ja\nabwesend\nabstimmen pause\nhilfe\n")
    assert zoe.returncode == 0
    assert "Mit diesem Link übernimmst du Bo" in shown.decode()
    assert "Du spielst Bo." in shown.decode()
    assert "Alle sind da" in shown.decode()
    assert "Bo möchte" in shown.decode()
    assert "vertretung NAME" in shown.decode()


@together
async def test_votes_pause_the_game_and_end_it(server):
    code, hers = server.make()
    async with person(server, code, hers) as ada, typing(server, code, "Bo") as bo:
        await begin(ada, bo, "Bo")
        await bo.does("vote", "Write 'vote pause' or 'vote end'")
        await ada.do("vote", to="pause")
        await bo.until(r"Ada wants to pause\.")
        await bo.until("'vote pause' agrees, 'vote no' plays on")
        await bo.does("away", r"Pause the game\? Proposed by Ada\.")
        await bo.does("vote no", "Bo wants to play on without a pause")
        await ada.hear_until(lambda message: message.get("kind") == "voted")
        await ada.do("vote", to="pause")
        await bo.until("Ada wants to pause")
        await bo.does("vote pause", "The game is paused")
        await bo.until("'resume' ends the pause")
        await bo.does("act", "The game is paused")
        await bo.does("resume", "Bo ends the pause")
        await bo.does("vote end", "Bo wants to end the game here")
        await ada.do("vote", to="end")
        await bo.until("called off")
        await bo.does("again", "Bo wants")
        await bo.does("not again", "Bo")
        await bo.does("lobby", "Game 2 at this table")


@together
async def test_the_clock_is_announced(server):
    code, hers = server.make(house={"clock": 300})
    async with person(server, code, hers) as ada, typing(server, code, "Bo") as bo:
        await begin(ada, bo, "Bo")
        await bo.does("away", r"Bo has (5:00|4:\d\d) left for this turn\.")


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.0, "0:00"), (79.2, "1:20"), (3600, "1 h 0 min"), (7500, "2 h 5 min"), (97_200, "1 d 3 h")]
)
def test_times_as_people_say_them(seconds, text):
    assert clock_text(seconds) == text


def test_times_in_german():
    with in_language("de"):
        assert clock_text(7500) == "2 Std. 5 Min."
