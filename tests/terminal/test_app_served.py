"""The app at tables on a real server: sitting down, playing, talking, leaving, and a network that breaks.

Holds `terminal.screens.served`, `terminal.screens.visiting`, `terminal.served_game` and `terminal.served_views`.
"""

import asyncio

import pytest
from textual.widgets import Input, RichLog, Select

from deadwood.client import TableAddress
from deadwood.engine.actions import END_TURN
from deadwood.narration import bot_text
from deadwood.server.protocol.commands import Vote
from deadwood.terminal.app import DeadwoodApp
from deadwood.terminal.key_line import KeyLine
from deadwood.terminal.screens.asking import LineDialog
from deadwood.terminal.screens.dialogs import ChoiceDialog, DiePopup, HintPopup
from deadwood.terminal.screens.lobby import LobbyScreen
from deadwood.terminal.screens.menu import MenuScreen
from deadwood.terminal.screens.served import ServedScreen
from deadwood.terminal.screens.visiting import HostForm, JoinForm
from deadwood.terminal.seat_tokens import SeatTokens
from deadwood.terminal.visit import Visit
from deadwood.terminal.widgets import PlayersPanel, ScenePanel

from ..client.network import Network
from ..server.people import PATIENCE, person, quietly_serving
from .journeys import SMALL, actions_in, notices, patient_pilot, reached, text_of


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with quietly_serving(tmp_path_factory.mktemp("server")) as running:
        yield running


def drive(script, visit=None):
    """Run a script against a real app at a served table, or at the menu."""

    async def run():
        async with asyncio.timeout(3 * PATIENCE):
            app = DeadwoodApp(pace=0, visit=visit)
            async with app.run_test(size=SMALL) as pilot:
                await script(pilot)

    with patient_pilot():
        asyncio.run(run())


async def showing(pilot, kind):
    """Wait for a kind of screen on top."""
    await reached(pilot, lambda: isinstance(pilot.app.screen, kind) and pilot.app.screen.is_mounted)
    await pilot.pause()
    return pilot.app.screen


async def showing_table(pilot, condition=lambda table: table.decides_here):
    """Wait until the table is on top and a condition holds."""
    await reached(pilot, lambda: isinstance(pilot.app.screen, ServedScreen) and condition(pilot.app.screen))
    await pilot.pause()
    return pilot.app.screen


def log_of(table):
    """The whole log in one line, because it may wrap anywhere."""
    return " ".join(" ".join(line.text for line in table.query_one("#log", RichLog).lines).split())


def visit(server, code, name="Bo"):
    return Visit(TableAddress(server.url, code), name)


async def begun(pilot, ada, first="Bo"):
    """Ada, at another connection, decides who goes first, and starts when both are ready."""
    lobby = await showing(pilot, LobbyScreen)
    while len(ada.table["chairs"]) < 2:
        await ada.hear()
    await ada.do("choose", options={"first": first, "days": 1})
    await reached(pilot, lambda: lobby._table.view.seq == ada.seq)
    await pilot.press("r")
    await ada.hear_until(lambda _: ada.table["chairs"][1]["ready"])
    await ada.be_ready()
    await ada.do("start")


def test_news_that_comes_while_the_screen_closes_does_no_harm(server, home):
    code, hers = server.make(house={"grace": None})

    async def script(pilot):
        async with person(server, code, hers) as ada:
            await begun(pilot, ada, first="Ada")
            table = await showing_table(pilot, lambda table: table.shown is not None)
            await table.query_one("#log").remove()  # as Textual does first, from the innermost widget outwards
            await ada.act("end")
            await reached(pilot, lambda: table._game.seq == ada.seq)
            await pilot.pause()

    drive(script, visit(server, code))


def test_sitting_playing_undo_hint_talk_and_leaving(server, home):
    code, hers = server.make(house={"grace": None})

    async def script(pilot):
        async with person(server, code, hers) as ada:
            await begun(pilot, ada)
            table = await showing_table(pilot)
            assert END_TURN in actions_in(pilot)
            await pilot.press("h")
            await showing(pilot, HintPopup)
            await pilot.press("enter")
            await pilot.press("e")
            await ada.hear_until(lambda message: message.get("action") == "end")
            await showing_table(pilot, lambda table: not table._busy and not table.decides_here)
            await pilot.press("e")
            assert "It is Ada's turn." in notices(pilot)
            await pilot.press("u")
            await ada.hear_until(lambda message: message.get("kind") == "undone")
            await showing_table(pilot)
            await pilot.press("t")
            await showing(pilot, LineDialog)
            await pilot.press(*"Howdy", "enter")
            said = await ada.hear_until(lambda message: message["type"] == "said")
            assert (said["line"]["name"], said["line"]["text"]) == ("Bo", "Howdy")
            await ada.ask("say", text="[bold]Hi[/bold] \u202eBo")
            await reached(pilot, lambda: "Ada: [bold]Hi[/bold]" in log_of(table))
            await pilot.press("escape")
            dialog = await showing(pilot, ChoiceDialog)
            assert f"deadwood join {server.url}/t/{code}" in text_of(dialog)
            await pilot.click("#answer-2")
            await ada.hear_until(lambda message: message["type"] == "update" and ada.table["chairs"][1]["left"])
            await showing(pilot, MenuScreen)

    drive(script, visit(server, code))


def test_the_log_and_the_map_are_never_ahead_of_the_dice(server, home):
    code, hers = server.make(options={"dice": "table"}, house={"grace": None})

    async def script(pilot):
        async with person(server, code, hers) as ada:
            await begun(pilot, ada)
            table = await showing_table(pilot)
            await table._table.play("move main-street", "card 2")
            await table._table.play("take star 1")
            await ada.hear_until(lambda message: message.get("action") == "take star 1")
            await ada.act("end")
            await showing_table(pilot)
            table.pace = 0.15
            await table._table.play("act", "5")
            await showing(pilot, DiePopup)
            await pilot.pause()
            assert "rolls 5" not in log_of(table)
            assert "▮▮▮" in str(table.query_one(ScenePanel).content)
            await pilot.press("enter")
            await showing_table(pilot, lambda table: "rolls 5" in log_of(table))

    drive(script, visit(server, code))


def test_people_who_come_too_late_learn_why_and_watch(server, home):
    code, hers = server.make(bots=[{"bot": "random"}], house={"grace": None})

    async def script(pilot):
        table = await showing_table(pilot, lambda table: table.shown is not None)
        await reached(pilot, lambda: "The game has started without you, so you are watching." in log_of(table))
        keys = table.query_one(KeyLine).content
        assert keys.cell_length <= SMALL[0]
        assert " t " in keys.plain
        assert "°" in str(table.query_one(PlayersPanel).content)

    async def start():
        async with person(server, code, hers) as ada:
            await ada.be_ready()
            await ada.do("start")

    asyncio.run(start())
    drive(script, visit(server, code))


def test_a_full_table_does_not_ask_for_another_name(server, home):
    code, _ = server.make(bots=[{"bot": "random"}] * 7)

    async def script(pilot):
        await showing(pilot, LobbyScreen)

    drive(script, visit(server, code))


def test_coming_back_to_the_seat_from_the_menu(server, home):
    code, hers = server.make(house={"grace": None})

    async def script(pilot):
        async with person(server, code, hers) as ada:
            await begun(pilot, ada)
            await showing_table(pilot)
            await pilot.press("escape")
            await showing(pilot, ChoiceDialog)
            await pilot.press("enter")
            await showing(pilot, MenuScreen)
            await pilot.press("j")
            form = await showing(pilot, JoinForm)
            assert form.query_one(".heading").region.y > 0, "all of it fits into 24 lines"
            assert form.query_one(".hint").region.bottom < SMALL[1]
            assert form.query_one("#table", Input).value == f"{server.url}/t/{code}"
            await pilot.press("enter")
            table = await showing_table(pilot)
            assert [chair.name for chair in table._table.own_chairs] == ["Bo"]

    drive(script, visit(server, code))
    assert len(SeatTokens(TableAddress(server.url, code)).seats()) == 1


def test_hosting_from_the_menu_with_a_bot(server, home):
    async def script(pilot):
        await pilot.press("h")
        form = await showing(pilot, HostForm)
        form.query_one("#server", Input).value = "nowhere at all"
        form.query_one("#name", Input).focus()
        await pilot.press("enter")
        await reached(pilot, lambda: "is not the address of a server" in text_of(form))
        form.query_one("#server", Input).value = server.url
        await pilot.press("enter")
        lobby = await showing(pilot, LobbyScreen)
        assert "Ada: you, host, not ready" in text_of(lobby)
        assert "Only this computer can open that link" in text_of(lobby)
        await pilot.press("s")
        await reached(pilot, lambda: "Not everybody is ready yet; waiting for Ada." in text_of(lobby))
        assert not notices(pilot)
        lobby.query_one("#kind", Select).value = "random"
        await reached(pilot, lambda: bot_text("random").style in " ".join(text_of(lobby).split()))
        await pilot.press("b")
        await reached(pilot, lambda: len(lobby._table.view.chairs) == 2)
        await pilot.press("r")
        await reached(pilot, lambda: lobby._table.own_chairs[0].ready)
        await pilot.press("s")
        table = await showing_table(pilot, lambda table: table.shown is not None)
        assert table._table.view.status == "running"

    drive(script)


def test_a_broken_connection_is_shown_and_nothing_is_done_twice(server, home):
    code, hers = server.make(house={"grace": None})

    async def script(pilot):
        async with person(server, code, hers) as ada:
            await begun(pilot, ada)
            table = await showing_table(pilot)
            network.swallow({"answers"})
            await pilot.press("e")
            await ada.hear_until(lambda message: message.get("action") == "end")
            network.mend()
            await showing_table(pilot, lambda table: "Connected again" in log_of(table))
            await showing_table(pilot, lambda table: "it is Ada's turn" in log_of(table) and not table._busy)
            assert "The connection is lost" in log_of(table)
            network.cut()
            await showing_table(pilot, lambda table: table.note() == "· RECONNECTING")
            await ada.act("end")
            network.mend()
            table._table.check()
            await showing_table(pilot)
            assert log_of(table).count("Bo is done") == 1
            assert server.get(f"/api/tables/{code}")["seq"] == ada.seq

    with Network() as network:
        network.lead_to(server)
        drive(script, Visit(TableAddress(network.url, code), "Bo"))


def test_real_dice(server, home):
    code, hers = server.make(options={"dice": "table"}, house={"grace": None})

    async def script(pilot):
        async with person(server, code, hers) as ada:
            await begun(pilot, ada)
            await showing_table(pilot)
            await pilot.press("1")
            await reached(pilot, lambda: pilot.app.screen.query("#answer"))
            await pilot.press(*"999", "enter")
            await reached(pilot, lambda: "999" in text_of(pilot.app.screen))
            await pilot.press(*"17", "enter")
            await ada.hear_until(lambda message: message["type"] == "update")
            table = await showing_table(pilot)
            await pilot.press("c")
            await reached(pilot, lambda: pilot.app.screen.query("#answer"))
            await pilot.press("2", "enter")
            await reached(pilot, lambda: "card 2, not card 17" in log_of(table))

    drive(script, visit(server, code))


def test_a_game_that_is_called_off_and_its_replay(server, home):
    code, hers = server.make(house={"grace": None}, options={"days": 1})

    async def script(pilot):
        async with person(server, code, hers) as ada:
            await begun(pilot, ada, first="Ada")
            await showing_table(pilot, lambda table: table.shown is not None)
            await ada.do("vote", to="end")
            table = pilot.app.screen
            await table._table.send(Vote(id=table._table.new_id(), to="end"))
            dialog = await showing(pilot, ChoiceDialog)
            assert "called off" in text_of(dialog)
            await pilot.click("#answer-1")
            await reached(pilot, lambda: type(pilot.app.screen).__name__ == "ReplayScreen")

    drive(script, visit(server, code))


@pytest.mark.parametrize(
    ("address", "said"), [("http://127.0.0.1:1", "No server answers"), (None, "no table")], ids=["nobody", "no table"]
)
def test_problems_are_reported_at_the_menu(server, home, address, said):
    async def script(pilot):
        await showing(pilot, MenuScreen)
        await reached(pilot, lambda: any(said in notice for notice in notices(pilot)))

    drive(script, Visit(TableAddress(address or server.url, "K7RM4TXC"), "Bo"))
