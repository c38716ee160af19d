"""The app when somebody is away, for hosts, and for those who watch: at a real server.

Holds `terminal.screens.after_game`, `terminal.screens.asking`, `terminal.screens.lobby`, `terminal.screens.sending`,
`terminal.screens.table_menu` and `terminal.screens.table_options`.
"""

import pytest
from textual.widgets import Input, OptionList

from deadwood.client import TableAddress
from deadwood.engine.deck import built_in_deck, format_deck
from deadwood.terminal.key_line import KeyLine
from deadwood.terminal.screens.asking import LineDialog, LinkPopup, ListDialog
from deadwood.terminal.screens.dialogs import ChoiceDialog
from deadwood.terminal.screens.lobby import LobbyScreen
from deadwood.terminal.seat_tokens import SeatTokens
from deadwood.terminal.visit import Visit
from deadwood.terminal.wording import in_language

from ..server.people import person, quietly_serving, token
from .journeys import SMALL, notices, reached, text_of
from .test_app_served import begun, drive, log_of, showing, showing_table, visit


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with quietly_serving(tmp_path_factory.mktemp("server")) as running:
        yield running


def hosted(server, **table):
    """A table hosted by this user, and a visit to it."""
    code, hers = server.make(**table)
    address = TableAddress(server.url, code)
    SeatTokens(address).keep(hers, "Ada")
    return code, Visit(address, "Ada")


def things(dialog):
    """The choices in a list."""
    return [str(option.prompt) for option in dialog.query_one(OptionList).options]


def footer_width(table):
    """How many columns the keys in the footer take."""
    return table.query_one(KeyLine).content.cell_length


async def choose(pilot, wanted):
    """Choose something in the list on top."""
    dialog = await showing(pilot, ListDialog)
    assert wanted in "\n".join(things(dialog)), things(dialog)
    dialog.query_one(OptionList).highlighted = next(n for n, one in enumerate(things(dialog)) if wanted in one)
    await pilot.press("enter")
    await reached(pilot, lambda: pilot.app.screen is not dialog)


async def closed(pilot, kind):
    """Close a screen with Escape."""
    screen = await showing(pilot, kind)
    await pilot.press("escape")
    await reached(pilot, lambda: pilot.app.screen is not screen)


def test_votes_pause_and_go_on(server, home):
    code, hers = server.make(house={"clock": 300})

    async def script(pilot):
        async with person(server, code, hers) as ada:
            await begun(pilot, ada)
            table = await showing_table(pilot)
            assert "left" in table.note()
            assert footer_width(table) <= SMALL[0]
            await ada.do("vote", to="pause")
            await showing_table(pilot, lambda table: "A PAUSE?" in table.note())
            await pilot.press("v")
            dialog = await showing(pilot, ListDialog)
            assert "Pause the game? Proposed by Ada." in text_of(dialog)
            await choose(pilot, "Agree to pause")
            await showing_table(pilot, lambda table: "PAUSED" in table.note())
            await pilot.press("v")
            await choose(pilot, "Resume the game")
            await showing_table(pilot)
            await pilot.press("v")
            await choose(pilot, "Propose ending the game here")
            await ada.hear_until(lambda message: message.get("kind") == "voted")
            await pilot.press("v")
            await choose(pilot, "Play on to the end")
            await ada.hear_until(lambda message: message.get("kind") == "voted")
            await reached(pilot, lambda: "Bo wants to play on." in log_of(table))

    drive(script, visit(server, code))


def test_the_host_lets_a_stand_in_play_and_gives_the_seat_away(server, home):
    code, ours = hosted(server)

    async def script(pilot):
        lobby = await showing(pilot, LobbyScreen)
        async with person(server, code) as bo:
            await bo.do("sit", name="Bo", token=token())
            await bo.be_ready()
            await reached(pilot, lambda: len(lobby._table.view.chairs) == 2 and lobby._table.view.chairs[1].ready)
            await lobby._table.choose(first="Bo")
            await bo.hear_until(lambda _: not bo.table["chairs"][1]["ready"])
            await bo.be_ready()
            await pilot.press("r")
            await reached(pilot, lambda: all(chair.ready for chair in lobby._table.view.chairs))
            await pilot.press("s")
            await showing_table(pilot, lambda table: table.shown is not None)
        table = await showing_table(pilot, lambda table: "Bo is away, stand-in in" in table.note())
        await pilot.press("v")
        await choose(pilot, "Give Bo's seat to somebody else")
        popup = await showing(pilot, LinkPopup)
        assert f"deadwood join {server.url}/t/{code}#seat=" in text_of(popup)
        assert pilot.app.clipboard.startswith(f"{server.url}/t/{code}#seat=")
        await closed(pilot, LinkPopup)
        await pilot.press("v")
        await choose(pilot, "Let a stand-in play for Bo now")
        await reached(pilot, lambda: "The host lets the bot" in log_of(table))

    drive(script, ours)


def test_a_seat_is_handed_over_and_taken(server, home):
    code, hers = server.make(house={"grace": None})
    link = []

    async def hand_over(pilot):
        async with person(server, code, hers) as ada:
            await begun(pilot, ada)
            await showing_table(pilot)
            await pilot.press("v")
            await choose(pilot, "Move my seat to another device")
            await showing(pilot, LinkPopup)
            link.append(pilot.app.clipboard)

    async def take(pilot):
        dialog = await showing(pilot, ChoiceDialog)
        assert "With this link you take over for Bo" in text_of(dialog)
        await pilot.press("enter")
        table = await showing_table(pilot)
        assert [chair.name for chair in table._table.own_chairs] == ["Bo"]

    async def too_late(pilot):
        await reached(pilot, lambda: any("This link has been used" in notice for notice in notices(pilot)))
        await showing_table(pilot, lambda table: table.shown is not None and not table._table.held)
        await showing_table(pilot, lambda table: "Bo is away" in table.note() and "stand-in" not in table.note())

    drive(hand_over, visit(server, code))
    address = TableAddress(server.url, code, seat=link[0].partition("#seat=")[2])
    drive(take, Visit(address, "Zoe"))
    drive(too_late, Visit(address, "Late"))


def test_the_host_chooses_invites_and_removes(server, home):
    _, ours = hosted(server, bots=[{"bot": "random", "name": "Ray"}])
    mine = home / "mine.toml"
    mine.write_text(format_deck(built_in_deck("studio")).replace('name = "studio"', 'name = "mine"'), "utf-8")

    async def script(pilot):
        lobby = await showing(pilot, LobbyScreen)
        view = lambda: lobby._table.view  # noqa: E731
        await pilot.press("o")
        await choose(pilot, "Time for a turn: As long as you like")
        dialog = await showing(pilot, ListDialog)
        assert "A pause stops the clock." in text_of(dialog)
        await choose(pilot, "1 minute")
        await choose(pilot, "First player: ")
        await choose(pilot, "Ray")
        await choose(pilot, "Layout: ")
        await choose(pilot, "Spell it out")
        await showing(pilot, LineDialog)
        await pilot.press(*"CH/GM", "enter")
        await reached(pilot, lambda: view().options.layout == "CH/GM")
        await choose(pilot, "A deck from a file")
        (await showing(pilot, LineDialog)).query_one(Input).value = str(mine)
        await pilot.press("enter")
        await choose(pilot, "Back to the built-in deck")
        await closed(pilot, ListDialog)
        assert (view().house.clock, view().options.first, view().deck.key) == (60, "Ray", None)
        await pilot.press("v")
        await choose(pilot, "Keep a seat for somebody")
        await showing(pilot, LinkPopup)
        assert "#invitation=" in pilot.app.clipboard
        await closed(pilot, LinkPopup)
        await pilot.press("v")
        await choose(pilot, "Stop keeping the seat (1 now)")
        await reached(pilot, lambda: view().kept == 0)
        await pilot.press("v")
        await choose(pilot, "Remove Ray")
        await reached(pilot, lambda: len(view().chairs) == 1)
        await pilot.press("v")
        await choose(pilot, "Sit down here")
        await showing(pilot, LineDialog)
        await pilot.press("enter")
        await reached(pilot, lambda: len(lobby._table.held) == 2)

    drive(script, ours)


def test_a_spectator_reads_the_options_and_talks(server, home):
    code, hers = server.make(house={"locked": True})

    async def script(pilot):
        async with person(server, code, hers) as ada:
            await closed(pilot, LineDialog)
            lobby = await showing(pilot, LobbyScreen)
            assert "You are watching." in text_of(lobby)
            await pilot.press("o")
            await choose(pilot, "Who may sit down: Only invited people")
            dialog = await showing(pilot, ListDialog)
            assert "The host chooses." in text_of(dialog)
            await closed(pilot, ListDialog)
            await closed(pilot, ListDialog)
            await pilot.press("t")
            assert "to talk under" in str((await showing(pilot, LineDialog)).query_one("Label").content)
            await pilot.press(*"Zoe", "enter")
            await showing(pilot, LineDialog)
            await reached(pilot, lambda: pilot.app.screen.query_one(Input).value == "")
            await pilot.press(*"Howdy", "enter")
            said = await ada.hear_until(lambda message: message["type"] == "said")
            assert (said["line"]["name"], said["line"]["text"]) == ("Zoe", "Howdy")
            await showing(pilot, LobbyScreen)
            await pilot.press("v")
            await choose(pilot, "A reaction")
            await choose(pilot, "Hats off!")
            said = await ada.hear_until(lambda message: message["type"] == "said")
            assert said["line"]["reaction"] == "hat"

    drive(script, Visit(TableAddress(server.url, code)))


def test_after_a_game_back_to_the_lobby_in_german(server, home):
    code, hers = server.make()

    async def script(pilot):
        async with person(server, code, hers) as ada:
            await begun(pilot, ada)
            assert footer_width(await showing_table(pilot)) <= SMALL[0]
            await ada.do("vote", to="end")
            await showing_table(pilot, lambda table: "ABBRECHEN?" in table.note())
            await pilot.press("v")
            await choose(pilot, "Mit dem Abbruch einverstanden")
            await showing(pilot, ChoiceDialog)
            await pilot.click("#answer-3")
            await showing(pilot, LobbyScreen)
            assert server.get(f"/api/tables/{code}")["game"] == 2

    with in_language("de"):
        drive(script, visit(server, code))
