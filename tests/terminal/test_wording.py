"""The terminal's own texts: every language has the same, and German goes from the menu to the last line."""

import re
from pathlib import Path
from string import Formatter

import pytest
from click.testing import CliRunner

import deadwood.terminal
from deadwood.cli import main
from deadwood.engine.notation import format_action
from deadwood.narration import languages
from deadwood.terminal import wording
from deadwood.terminal.input import read_action
from deadwood.terminal.key_line import KeyLine
from deadwood.terminal.screens.table import TableScreen
from deadwood.terminal.wording import catalogue, in_language, language_of, phrase

from .journeys import LARGE, SMALL, drive, golden_session, new_session, press, text_of

SOURCE = "\n".join(path.read_text("utf-8") for path in Path(deadwood.terminal.__file__).parents[1].rglob("*.py"))


def entries(table, path=()):
    """Every sentence of a catalogue with its path."""
    for name, value in table.items():
        if isinstance(value, dict):
            yield from entries(value, (*path, name))
        else:
            yield (*path, name), value


def fields(sentence):
    return sorted({field for _, field, _, _ in Formatter().parse(sentence) if field})


@pytest.mark.parametrize("language", [one for one in languages() if one != "en"])
def test_every_language_says_the_same_things(language):
    ours, english = dict(entries(catalogue(language))), dict(entries(catalogue("en")))
    assert ours.keys() == english.keys()
    assert {path: fields(text) for path, text in ours.items()} == {path: fields(text) for path, text in english.items()}


def test_every_text_is_used_and_no_other_is_asked_for():
    known = {f"{section}.{name}" for section, texts in catalogue("en").items() for name in texts}
    asked = set(re.findall(rf'["\']((?:{"|".join(catalogue("en"))})\.[a-z_]+)["\']', SOURCE))
    families = tuple(re.findall(rf'f["\']((?:{"|".join(catalogue("en"))})\.[a-z_]*)\{{', SOURCE))
    assert asked <= known
    assert {key for key in known - asked if not key.startswith(families)} == set()


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "de_AT"}, "de"),
        ({"LANG": "de"}, "de"),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "en_GB.UTF-8"}, "en"),
        ({"LC_ALL": "de_CH.UTF-8", "LANG": "fr_FR.UTF-8"}, "de"),
        ({"LC_ALL": "", "LANG": "de_DE@euro"}, "de"),
        ({"LANG": "nl_NL.UTF-8"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({}, "en"),
    ],
)
def test_the_environment_chooses_the_language(environment, expected):
    assert language_of(environment) == expected


def test_a_language_ends_with_its_command():
    with in_language("de"):
        assert phrase("menu.quit") == "Beenden"
    assert phrase("menu.quit") == "Quit"


def invoke(*words, typed="", env=None):
    return CliRunner().invoke(main, list(map(str, words)), input=typed, env=env)


@pytest.mark.parametrize("words", [["--language", "de"], []])
def test_the_rules_in_german(words):
    done = invoke("rules", *words, env={"LC_ALL": "de_DE.UTF-8"} if not words else None)
    assert "abgedreht" in done.stdout
    assert "Traceback" not in done.stdout


def test_a_german_game_of_plain_lines():
    typed = "ja\ngehe zum saloon\nwer\nrollen\nnimm k1\nende\nchancen\nprobe\nberichtigen\nschluss\n"
    done = invoke("play", "--plain", "--language", "de", "Ada", "Bo", "--first", "Ada", "--seed", 7, typed=typed)
    assert done.exit_code == 0, done.output
    shown = done.stdout
    assert "Spieler: Ada, Bo." in shown
    assert "Gleichstand: Der spätere Spieler liegt vorn" in shown
    assert "Kann es losgehen? Oder die „optionen“ ändern? [ja]" in shown
    assert "Ada ist dran. Tag 1 von 3, noch 10 Szenen." in shown
    assert "Ada geht von den Wohnwagen zum Saloon." in shown
    assert "Erfolg bringt $1 und 1 Ruhm, ein Patzer $1." in shown
    assert "83\u00a0%" in shown
    assert "Weiter geht es mit: deadwood play --plain --load" in shown
    assert "Bis bald." in shown
    for english in (" of ", "turn", " the ", "rank", "dollars"):
        assert english not in re.sub(r"deadwood play.*|  (move|take|upgrade|end|act|rehearse) ?\S*", "", shown)


def test_the_german_menu_knows_english_words_and_asks_again_if_a_word_may_mean_several():
    shown = invoke("play", "--plain", "--language", "de", typed="s\nnew\n2\nschluss\n").stdout
    assert "„s“ steht nicht zur Wahl." in shown
    assert "Spieler 1" in shown
    assert shown.endswith("Bis bald.\n")


def test_a_german_final_score_is_a_dative():
    done = invoke("play", "--plain", "--language", "de", "--bot", "random", "--bot", "random", "--days", 1)
    assert re.search(r"1\. .* mit \d+ Punkten \(", done.stdout)


def test_verify_speaks_german():
    record = next((Path(__file__).parents[1] / "engine" / "golden").glob("04-*"))
    done = invoke("verify", "--language", "de", record)
    assert "Diese Aufzeichnung ist in Ordnung." in done.stdout


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("gehe zum bahnhof", "move train-station"),
        ("geh in den saloon", "move saloon"),
        ("geh haupt", "move main-street"),
        ("move saloon", "move saloon"),
        ("go train", "move train-station"),
        ("nimm hauptrolle 2", "take star 2"),
        ("nimm k1", "take extra 1"),
        ("take e1", "take extra 1"),
        ("aufstieg auf rang 3 für ruhm", "upgrade 3 credits"),
        ("aufstieg 3 $", "upgrade 3 dollars"),
        ("pro", "rehearse"),
        ("würf", "act"),
        ("fertig", "end"),
    ],
)
def test_german_actions_are_understood(home, text, action):
    state = new_session(home).game.state
    with in_language("de"):
        assert format_action(read_action(text, state)) == action


def test_german_roles_are_found_by_the_name_that_is_shown(home):
    session = golden_session(home, "01", 30)
    state = next(
        state for state in session.game.states() if not state.over and state.card(state.players[state.active].area)
    )
    card = state.card(state.players[state.active].area)
    with in_language("de"):
        name = wording.card_text(card.roles[0].name)
        assert name != card.roles[0].name
        assert format_action(read_action(f"nimm {name}", state)) == "take star 1"


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_the_app_in_german(home, size):
    async def script(pilot):
        assert isinstance(pilot.app.screen, TableScreen)
        footer = {active.binding.description for active in pilot.app.screen.active_bindings.values()}
        assert {"Dreh", "Probe", "Ende", "Menü"} <= footer
        shown = text_of(pilot.app.screen)
        assert "Tag 1 von 1" in shown
        assert "Ada ist dran" in shown
        picture = "\n".join(str(line) for line in pilot.app.screen.query_one("#map")._picture.lines)
        assert "Bahnhof" in picture
        await press(pilot, "question_mark")
        assert "weiter mit jeder Taste" in text_of(pilot.app.screen)
        await press(pilot, "escape", "escape")
        assert "schlechte Western" in text_of(pilot.app.screen)
        await press(pilot, "n")
        assert "Gleichstand" in text_of(pilot.app.screen)

    with in_language("de"):
        drive(script, new_session(home), size=size)


@pytest.mark.parametrize("language", languages())
def test_all_keys_of_the_table_and_the_menu_fit_into_eighty_columns(home, language):
    async def script(pilot):
        for _ in ("table", "menu"):
            keys = pilot.app.screen.query_one(KeyLine).content
            assert len(keys.spans) > 5
            assert keys.cell_length <= SMALL[0]
            await press(pilot, "escape")

    with in_language(language):
        drive(script, new_session(home))
