"""The plain mode at tables on a real server: programs on pseudo-terminals, with friends and without a network.

Holds `cli.join`, `terminal.plain_desk`, `terminal.seat_tokens`, `terminal.served_views` and `terminal.visit`.
"""

import re
import stat
import subprocess

import pytest
from click.testing import CliRunner

from deadwood.cli import main
from deadwood.client import TableAddress
from deadwood.terminal.seat_tokens import SeatTokens, kept_tables

from ..client.network import Network
from ..server.people import person, quietly_serving, together, token
from .terminals import COMMAND


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with quietly_serving(tmp_path_factory.mktemp("server")) as running:
        yield running


def test_friends_host_join_play_talk_undo_and_come_back(terminals, server, home):
    ada = terminals("host", "Ada", "--plain", "--server", server.url)
    code = re.search(r"Table (\w{8})", ada.until(r"Friends join at \S+")).group(1)
    ada.until("Only this computer can open that link")
    ada.until("You are Ada")
    bo = terminals("join", f"{server.url}/t/{code}", "--name", "Bo", "--plain")
    bo.until("Type 'ready'")
    ada.until("Bo sits down")
    bo.type("say Howdy!")
    ada.until("Bo: Howdy!")
    for one in (bo, ada):
        one.type("ready")
        one.until("is ready")
    ada.until("Bo is ready|Ada is ready")
    ada.type("start")
    first, second = _in_order(ada, bo)
    first.until(r"  move \S+")
    first.until("> ")
    second.type("end")
    second.until(r"It is \w+'s turn\.")
    first.type("end")
    second.until(r"'s turn\. Day 1")
    second.until("> ")
    first.type("undo")
    second.until("takes back")
    first.until("> ")
    first.type("hint")
    first.until("What the bot 'Champion' thinks")
    first.until("Move to the Hotel +[0-9.]+% to win")
    first.until("> ")
    first.type("rules practice chip")
    assert "# The rules of Deadwood" not in first.until(r"\(R6\.6\)")
    first.until("> ")
    first.type("who")
    first.until(r"Ada: rank 1")
    first.type("quit")
    first.until("To come back: deadwood join \\S+ --plain")
    first.until("Goodbye")
    assert first.close() == 0
    name = "Ada" if first is ada else "Bo"
    again = terminals("join", code, "--server", server.url, "--plain", "--name", name)
    again.until(f"You are {name}")
    again.until("> ")
    again.type("quit")
    assert again.close() == 0


def _in_order(ada, bo):
    shown = ada.until(r"(\w+) goes first\.")
    bo.until(r"goes first\.")
    return (ada, bo) if shown.endswith("Ada goes first.") else (bo, ada)


def test_tokens_are_for_the_user_alone(terminals, server, home):
    code, _ = server.make()
    bo = terminals("join", code, "--server", server.url, "--plain")
    bo.until(r"Your name\? \[Bo\] ")
    bo.type("Ada")
    bo.until(r"Your name\? \[Bo\] ")
    bo.type("")
    bo.until("Type 'ready'")
    bo.type("quit")
    assert bo.close() == 0
    (file,) = (home / "deadwood" / "seats").glob("*.json")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    (seat,) = SeatTokens(TableAddress(server.url, code)).seats()
    assert seat.name == "Bo"
    assert seat.token not in bo.screen
    assert [one.code for one in kept_tables()] == [code]


async def start(ada, bo):
    """Ada lets Bo, at a terminal, go first, and starts when both are ready."""
    await ada.do("choose", options={"first": "Bo"})
    bo.until("must be ready again")
    bo.type("ready")
    bo.until("Bo is ready")
    await ada.be_ready()
    await ada.do("start")


@together
async def test_a_broken_connection_is_said_and_nothing_is_done_twice(terminals, server, home):
    code, hers = server.make(house={"grace": None})
    with Network() as network:
        network.lead_to(server)
        bo = terminals("join", f"{network.url}/t/{code}", "--name", "Bo", "--plain")
        bo.until("Type 'ready'")
        async with person(server, code, hers) as ada:
            await start(ada, bo)
            bo.until("Bo> ")
            network.swallow({"answers"})
            bo.type("end")
            await ada.hear_until(lambda message: message.get("action") == "end")
            network.mend()
            shown = bo.until("The connection is lost") + bo.until("Connected again")
            if "it is Ada's turn" not in shown:  # an answer that was on its way may still have arrived
                bo.until("it is Ada's turn")
            network.cut()
            bo.until("The connection is lost")
            await ada.act("end")
            bo.type("act")
            bo.until("The connection is lost|is waiting for the connection")  # the answer to what was typed
            network.mend()
            bo.until("Connected again")
            bo.until("Bo> ")
            seq = ada.seq
            bo.type("quit")
            assert bo.close() == 0
            assert server.get(f"/api/tables/{code}")["seq"] == seq
    assert bo.screen.count("Bo is done") == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["hello"], "'hello' is neither the link of a table"),
        (["K7RM4TXC", "--server", "two words"], "'two words' is not the address of a server"),
        (["K7RM4TXC", "--server", "http://127.0.0.1:1"], "No server answers at http://127.0.0.1:1"),
        (["K7RM4TXC"], "K7RM4TXC"),
    ],
)
def test_errors_are_sentences(server, home, words, said):
    words = words if "--server" in words or words == ["hello"] else [*words, "--server", server.url]
    done = subprocess.run([*COMMAND, "join", "--plain", *words], input=b"", capture_output=True, check=False)
    assert done.returncode == 1
    assert said in done.stderr.decode()
    assert "Traceback" not in done.stderr.decode()


def test_the_end_of_the_input_keeps_the_seat(server, home):
    code, _ = server.make()
    command = [*COMMAND, "join", "--plain", code, "--server", server.url, "--name", "Bo"]
    done = subprocess.run(command, input=b"who\nfly\nstart\nact\n", capture_output=True, check=False)
    shown = done.stdout.decode()
    assert (done.returncode, done.stderr) == (0, b"")
    assert "Bo: you, not ready" in shown
    assert "No game is running" in shown
    assert "To come back: deadwood join" in shown
    assert [chair["name"] for chair in server.get(f"/api/tables/{code}")["chairs"]] == ["Ada", "Bo"]


@together
async def test_real_dice_are_asked_for_and_entered_for_bots(terminals, server, home):
    code, hers = server.make(bots=[{"bot": "random", "name": "Ray"}], options={"dice": "table"})
    bo = terminals("join", code, "--server", server.url, "--name", "Bo", "--plain")
    bo.until("Type 'ready'")
    async with person(server, code, hers) as ada:
        await start(ada, bo)
        bo.until("Bo> ")
        bo.type("move saloon")
        bo.until("Number or title of the card that was turned: ")
        bo.type("nonsense")
        bo.until("nonsense")
        bo.until("Bo> ")
        bo.type("move saloon = 17")
        bo.until("Bo turns card 17")
        bo.type("correct 2")
        bo.until("card 2, not card 17")
        bo.type("leave")
        bo.until(r"Leave for good\?")
        bo.type("yes")
        await ada.hear_until(lambda message: message["type"] == "update" and message["kind"] in ("left", "went_home"))
        bo.type("quit")
        assert bo.close() == 0


def test_a_damaged_file_is_named(server, home):
    code, _ = server.make()
    kept = SeatTokens(TableAddress(server.url, code))
    kept.keep(token(), "Bo")
    kept.file.write_text("{")
    command = [*COMMAND, "join", "--plain", code, "--server", server.url]
    done = subprocess.run(command, input=b"", capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (1, b"")
    assert f"{kept.file} is damaged" in done.stderr.decode().replace("\n", "")


def test_a_limited_number_of_tables_is_remembered(home, monkeypatch):
    monkeypatch.setattr("deadwood.terminal.seat_tokens.MOST_TABLES", 3)
    for number in range(5):
        SeatTokens(TableAddress("http://x", f"K7RM4TX{number}")).keep("a" * 64, "Ada")
    assert len(list(kept_tables())) == 3
    assert SeatTokens(TableAddress("http://x", "K7RM4TX4")).seats("ADA")
    assert not SeatTokens(TableAddress("http://x", "K7RM4TX4")).seats("Bo")


def test_german_from_the_lobby_to_the_way_back(server, home):
    code, _ = server.make()
    command = [*COMMAND, "join", "--plain", code, "--server", server.url, "--name", "Bo", "--language", "de"]
    done = subprocess.run(command, input=b"wer\nhilfe\nbereit\n", capture_output=True, check=False)
    shown = done.stdout.decode()
    assert (done.returncode, done.stderr) == (0, b"")
    assert "Bo: du, nicht bereit" in shown
    assert "platz NAME" in shown
    assert "Bo ist bereit" in shown
    assert "So kommst du zurück: deadwood join" in shown


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["hello"], "„hello“ ist weder der Link zu einem Tisch"),
        (["K7RM4TXC", "--server", "two words"], "„two words“ ist keine Adresse eines Servers"),
        (["K7RM4TXC", "--server", "http://127.0.0.1:1"], "Unter http://127.0.0.1:1 antwortet kein Server."),
    ],
)
def test_errors_are_german_sentences(home, words, said):
    done = CliRunner().invoke(main, ["join", "--plain", "--language", "de", *words])
    assert done.exit_code == 1
    assert said in done.stderr


def test_german_hints(server, home):
    code, hers = server.make(bots=[{"bot": "random"}], options={"first": "Ada"})
    SeatTokens(TableAddress(server.url, code)).keep(hers, "Ada")
    command = [*COMMAND, "join", "--plain", code, "--server", server.url, "--language", "de"]
    shown = subprocess.run(command, input=b"bereit\nstart\ntipp\n", capture_output=True, check=True).stdout.decode()
    assert "Was der Bot „Champion“ denkt, das Beste zuerst:" in shown
    assert "Zum Hotel gehen" in shown


def test_people_may_quit_when_asked_for_a_name(server, home):
    code, _ = server.make()
    (home / "deadwood").mkdir(exist_ok=True)
    (home / "deadwood" / "config.toml").write_text('name = "Zoe"', "utf-8")
    command = [*COMMAND, "join", "--plain", code, "--server", server.url]
    shown = subprocess.run(command, input=b"quit\n", capture_output=True, check=True).stdout.decode()
    assert "Your name? [Zoe] " in shown
    assert "Goodbye." in shown
    assert [chair["name"] for chair in server.get(f"/api/tables/{code}")["chairs"]] == ["Ada"]


def test_the_host_has_the_name_of_the_settings_or_is_asked_for_one(server, home):
    command = [*COMMAND, "host", "--plain", "--server", server.url]
    done = subprocess.run(command, input=b"", capture_output=True, check=False)
    assert done.returncode == 2
    assert "Under what name?" in done.stderr.decode()
    (home / "deadwood").mkdir(exist_ok=True)
    (home / "deadwood" / "config.toml").write_text('name = "Zoe"', "utf-8")
    assert b"Zoe: you, host" in subprocess.run(command, input=b"", capture_output=True, check=True).stdout
