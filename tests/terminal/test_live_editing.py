"""Line editing at served tables: real pseudo-terminals at a real server, while others speak.

Holds `terminal.live_console`.
"""

import re
import signal
from contextlib import asynccontextmanager

import pytest

from ..server.people import person, quietly_serving, together
from .terminals import COOKED, rows

UP, DOWN, LEFT, TAB, ENTER = "\x1b[A", "\x1b[B", "\x1b[D", "\t", "\r"
PASTE = "\x1b[200~{}\x1b[201~"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with quietly_serving(tmp_path_factory.mktemp("server")) as running:
        yield running


@asynccontextmanager
async def at_a_table(terminals, server, *words, term="xterm"):
    """Ada at a socket, and Bo at a terminal."""
    code, hers = server.make(house={"grace": None})
    bo = terminals("join", code, "--server", server.url, "--name", "Bo", "--plain", *words, term=term)
    async with person(server, code, hers) as ada:
        bo.until("Type 'ready'")
        yield ada, bo
        bo.press("\x04")
        bo.until("To come back: ")
        bo.until("Goodbye")
        assert bo.close() == 0


async def start(ada, bo):
    """Start the game; Bo goes first."""
    await ada.do("choose", options={"first": "Bo"})
    bo.until("must be ready again")
    bo.press("ready", ENTER)
    bo.until("Bo is ready")
    await ada.be_ready()
    await ada.do("start")
    bo.until("  end\n")
    bo.until_row("Bo>")


async def says(ada, bo, text):
    """Ada says something, and Bo sees it."""
    await ada.ask("say", text=text)
    bo.until(f"Ada: {text}")


async def heard(ada, text):
    """Wait until Ada hears this from Bo."""
    return await ada.hear_until(lambda message: message["type"] == "said" and message["line"]["text"] == text)


async def played(ada, action):
    """Wait until Ada sees Bo's action, with any outcome."""
    await ada.hear_until(lambda message: (message.get("action") or "").partition(" =")[0] == action)


@together
async def test_a_half_typed_line_stays_whole_below_what_others_say(terminals, server):
    async with at_a_table(terminals, server) as (ada, bo):
        await start(ada, bo)
        bo.press("move s")
        bo.until_row("Bo> move s")
        await says(ada, bo, "Howdy!")
        bo.until_row("Bo> move s")
        assert rows(bo.screen)[-2:] == ["Ada: Howdy!", "Bo> move s"]
        bo.press("aloon", ENTER)
        await played(ada, "move saloon")


@together
async def test_no_key_is_lost_while_others_speak_all_the_time(terminals, server):
    async with at_a_table(terminals, server) as (ada, bo):
        for number, key in enumerate("say Good morning, all!"):
            bo.press(key)
            await says(ada, bo, f"Line {number}.")
        bo.press(ENTER)
        await heard(ada, "Good morning, all!")
        bo.until("Bo: Good morning, all!")
        spoken = [row for row in rows(bo.screen) if "Line " in row]
        assert spoken == [f"Ada: Line {number}." for number in range(22)]


@together
async def test_a_line_that_is_finished_as_somebody_speaks_counts(terminals, server):
    async with at_a_table(terminals, server) as (ada, bo):
        for number in range(10):
            bo.press("say Ans")
            await says(ada, bo, f"Line {number}.")
            bo.press(f"wer {number}.", ENTER)
            await heard(ada, f"Answer {number}.")


@together
async def test_lines_are_edited_repeated_and_pasted(terminals, server):
    async with at_a_table(terminals, server) as (ada, bo):
        bo.press("say Hoy", LEFT, "wd", ENTER)
        await heard(ada, "Howdy")
        bo.press("say Bye", ENTER)
        await heard(ada, "Bye")
        bo.press(UP, UP, "!", ENTER)
        await heard(ada, "Howdy!")
        bo.press(UP, UP, DOWN, "?", ENTER)
        await heard(ada, "Howdy!?")
        bo.press(PASTE.format("say One\rsay Two"), ENTER)
        await heard(ada, "One")
        await heard(ada, "Two")


@together
async def test_tab_completes_what_is_offered_now_or_lists_it(terminals, server):
    async with at_a_table(terminals, server) as (ada, bo):
        bo.press("re", TAB)
        bo.until("ready, [^\n]*react\n")
        bo.until_row("re")
        bo.press("ad", TAB, ENTER)
        bo.until("Bo is ready")
        await start(ada, bo)
        bo.press("mo", TAB, TAB)
        assert "move saloon, " in bo.until("move [^\n]*, move [^\n]*\n")
        bo.until_row("Bo> move")
        bo.press("sa", TAB, ENTER)
        await played(ada, "move saloon")
        bo.until("  end\n")
        bo.until_row("Bo>")
        bo.press(TAB)
        assert not re.search(r"\bmove ", bo.until("end, who, [^\n]*\n"))  # nobody moves twice
        bo.until_row("Bo>")
        bo.press("leave", ENTER)
        bo.until(r"Leave for good\?")
        bo.press("ye", TAB, ENTER)
        await ada.hear_until(lambda message: message.get("kind") in ("left", "went_home"))


@together
async def test_lines_follow_each_other_as_in_a_pipe_while_nothing_is_typed(terminals, server):
    async with at_a_table(terminals, server) as (ada, bo):
        await says(ada, bo, "One.")
        await ada.ask("say", text="Two.")
        assert bo.until(r"Two\.") == "\nAda: Two."
        await start(ada, bo)
        await ada.ask("say", text="Three.")
        assert not re.search(r"\x1b\[[0-9]*[ABDHJK]", bo.until(r"Three\."))
        bo.until_row("Bo>")
        assert rows(bo.screen)[-3:] == ["Bo>", "Ada: Three.", "Bo>"]


@together
@pytest.mark.parametrize("words", [[], ["--no-editing"]])
async def test_a_simple_terminal_gets_no_control_characters(terminals, server, words):
    async with at_a_table(terminals, server, *words, term="xterm" if words else "dumb") as (ada, bo):
        bo.type("say Howdy!")
        await heard(ada, "Howdy!")
    assert "\x1b" not in bo.screen


@pytest.mark.parametrize("typed", ["", "say Ho"])
@pytest.mark.parametrize("ending", ["\x03", "\x15\x04", signal.SIGTERM])  # Ctrl+D only ends an empty line
def test_whatever_stops_it_gives_the_terminal_back(terminals, server, typed, ending):
    code, _ = server.make()
    bo = terminals("join", code, "--server", server.url, "--name", "Bo", "--plain", term="xterm")
    bo.until("Type 'ready'")
    bo.press(typed)
    bo.until_row(typed)
    bo.stop(ending)
    bo.until("To come back: ")
    bo.until("Goodbye")
    assert bo.modes & COOKED == COOKED
    assert bo.close() == 0
