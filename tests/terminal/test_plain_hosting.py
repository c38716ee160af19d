"""The plain mode for hosts and for those who watch: options, files, invitations, bots, and talk.

Holds `terminal.plain_talk`, `terminal.table_settings` and `terminal.talking`.
"""

import re

import pytest

from deadwood.client import TableAddress
from deadwood.engine.deck import built_in_deck, format_deck
from deadwood.engine.refusal import DeadwoodError
from deadwood.terminal.seat_tokens import SeatTokens
from deadwood.terminal.table_settings import Setting, find_setting, read_value, typed_form
from deadwood.terminal.talking import find_reaction, own_voice
from deadwood.terminal.wording import in_language

from ..server.people import person, quietly_serving, together
from .typists import typing


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with quietly_serving(tmp_path_factory.mktemp("server")) as running:
        yield running


def hosted(server, **table):
    """A table hosted by this user."""
    code, hers = server.make(**table)
    SeatTokens(TableAddress(server.url, code)).keep(hers, "Ada")
    return code


@together
async def test_the_host_chooses_options_and_house_rules(server):
    code = hosted(server)
    async with typing(server, code, "Ada") as ada:
        await ada.until("You are Ada")
        shown = await ada.does("options", "'options NAME' explains one")
        assert "  days       Days: " in shown
        assert "  clock      Time for a turn: As long as you like" in shown
        await ada.does("options clock", r"When the time is up.*\n(.*\n)*  60 +1 minute")
        await ada.does("set clock 60", r"changed the house rules.*\nTime for a turn: 1 minute\.")
        await ada.does("set first Ada", "changed the options")
        await ada.does("set layout CH/GM", "changed the options")
        await ada.does("set layout nonsense", "nonsense")
        await ada.does("set days 9", r"Days: choose none, 1, 2, 3 or 4|Days: choose")
        await ada.does("set sky blue", r"Which one\? There are deck, ")
        seq = server.get(f"/api/tables/{code}")["seq"]
        await ada.does("set clock 60", r"Time for a turn: 1 minute\.")
        assert server.get(f"/api/tables/{code}")["seq"] == seq
        await ada.does("set locked yes", "locked the table")
        await ada.does("set talk no", "switched talk off")
        await ada.does("options", "Talk: Switched off")
    view = server.get(f"/api/tables/{code}")
    assert (view["options"]["first"], view["options"]["layout"], view["house"]["clock"]) == ("Ada", "CH/GM", 60)
    assert view["house"]["locked"]


@together
async def test_a_german_host(server):
    code = hosted(server)
    with in_language("de"):
        async with typing(server, code, "Ada") as ada:
            await ada.until("Du spielst Ada")
            await ada.does("optionen", "Zeit für einen Zug|clock ")
            await ada.does("setze bedenk 60", "Bedenkzeit: 1 Minute")
            await ada.does("setze startspieler Ada", "Startspieler: Ada")
            await ada.does("nutze", "Schreib „nutze stapel DATEI“")
            await ada.does("hilfe", "setze NAME WERT")
            await ada.does("reagiere hut", "Ada: Hut ab!")
            await ada.does("einladen", r"#invitation=[0-9a-f]{64}")


@together
async def test_the_host_adds_and_removes_bots_invites_and_brings_a_deck(server, home):
    code = hosted(server, house={"locked": True})
    mine = home / "mine.toml"
    mine.write_text(format_deck(built_in_deck("studio")).replace('name = "studio"', 'name = "mine"'), "utf-8")
    async with typing(server, code, "Ada") as ada:
        await ada.until("You are Ada")
        await ada.does("bot", r"bot regular +Regular: ")
        await ada.does("bot star", r"a bot \(Star\), sits down")
        name = server.get(f"/api/tables/{code}")["chairs"][1]["name"]
        await ada.does("remove", r"Who\? Choose Ada or")
        await ada.does(f"remove {name}", f"{name} was removed|removed")
        await ada.does(f"use deck {mine}", 'brought the deck "mine"')
        await ada.does("options deck", ": mine")
        await ada.does("use deck", "everybody must be ready")
        await ada.does("use deck /nowhere.toml", "/nowhere.toml")
        await ada.does("use", "Write 'use deck FILE'")
        shown = await ada.does("invite", r"http\S+#invitation=[0-9a-f]{64}")
        async with typing(server, re.search(r"http\S+", shown).group(), "Bo") as bo:
            await bo.until("Type 'ready'")
            await bo.does("set days 2", "Only the host")
            await bo.does("help", "react WORD")
        await ada.does("invite", "It works once, within 24 hours")
        await ada.does("invite none", "No seats are kept")


@together
async def test_a_spectator_talks_under_a_name(server):
    code, hers = server.make(house={"locked": True})
    async with person(server, code, hers) as ada, typing(server, code) as zoe:
        await zoe.until("Your name")
        await zoe.does("Zoe", "You are watching")
        await zoe.does("say Howdy!", r"to talk under\? ")
        await zoe.does("Ada", "Ada")
        await zoe.does("say Howdy!", r"to talk under\? ")
        await zoe.does("Zoe", r"Zoe \(watching\): Howdy!")
        await zoe.does("react", "hat, badge")
        await zoe.does("react hat", r"Zoe \(watching\): Hats off!")
        said = await ada.hear_until(lambda message: message["type"] == "said" and "reaction" in message["line"])
        assert (said["line"]["name"], said["line"]["reaction"]) == ("Zoe", "hat")
        assert own_voice() not in str(said)
        await zoe.does("clear", "Remove everything")
        await zoe.does("yes", "Only the host")


@together
async def test_the_host_clears_the_talk(server):
    code = hosted(server)
    async with typing(server, code, "Ada") as ada:
        await ada.until("You are Ada")
        await ada.does("say Howdy!", "Ada: Howdy!")
        await ada.does("clear", "Remove everything")
        ada.type("yes")
        await ada.does("who", "Ada: you, host")
    async with person(server, code) as watcher:
        assert watcher.welcome["talk"] == []


def test_our_voice_stays_ours(home):
    voice = own_voice()
    assert re.fullmatch(r"[0-9a-f]{64}", voice)
    assert own_voice() == voice
    file = home / "deadwood" / "voice"
    assert file.stat().st_mode & 0o777 == 0o600
    file.write_bytes(b"\xff damaged")
    assert own_voice() == own_voice() != voice


def setting(*values, **more):
    return Setting(name="days", label="Days", explanation="", present="", values=values, **more)


def test_values_are_read_as_people_type_them():
    clock = setting((None, "As long as you like"), (60, "1 minute"))
    assert [read_value(clock, typed) for typed in ("none", "60", "1 MINUTE")] == [None, 60, 60]
    talk = setting((True, "Allowed"), (False, "Switched off"))
    assert [read_value(talk, typed) for typed in ("yes", "no", "allowed")] == [True, False, True]
    layout = setting(("standard", "Standard"), examples=("GM/CH",))
    assert read_value(layout, "hc/gm") == "hc/gm"
    for typed in ("", "61"):
        with pytest.raises(DeadwoodError, match="choose none or 60"):
            read_value(clock, typed)
    assert find_setting([clock], "da") is clock
    with pytest.raises(DeadwoodError, match="There are days"):
        find_setting([clock], "")


def test_german_words_and_english_ones():
    with in_language("de"):
        clock = setting((None, "Beliebig"), (True, "Ja"))
        assert typed_form(None) == "keine"
        assert [read_value(clock, typed) for typed in ("keine", "none", "ja", "yes")] == [None, None, True, True]
        assert find_reaction("hut") == find_reaction("hat") == "hat"
