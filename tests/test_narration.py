import ast
import random
import re
import string
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from hypothesis import given

import deadwood
from deadwood import DataError, DeadwoodError, Refusal, narrate
from deadwood.engine import loading, rules
from deadwood.engine.deck import built_in_deck, format_deck, parse_deck
from deadwood.engine.events import Event
from deadwood.engine.option_list import OneOf, PlayerName, Spelled, list_options
from deadwood.engine.seats import COLOURS
from deadwood.engine.verify import Check, verify
from deadwood.narration import TEXTS, Reason, languages, option_explanation, option_label, rules_text, value_label
from deadwood.server.protocol.table_events import ChairTaken

from .random_games import all_actions, play_one, random_game
from .strategies import positions

CATALOGUES = {
    language: msgspec.toml.decode((TEXTS / f"{language}.toml").read_text("utf-8")) for language in languages()
}


def sentences(entry):
    if isinstance(entry, str):
        yield entry
    else:
        yield from (one for case, value in entry.items() if case != "by" for one in sentences(value))


@pytest.mark.parametrize("language", languages())
def test_every_event_has_a_sentence(language):
    assert {kind.__name__ for kind in get_args(Event)} <= set(CATALOGUES[language]["events"])


@pytest.mark.parametrize("language", languages())
def test_every_language_has_the_same_entries(language):
    for part in ("events", "refusals", "checks", "reasons", "previews", "options", "phrases"):
        assert set(CATALOGUES[language][part]) == set(CATALOGUES["en"][part])


def words_of_problems():
    """What the engine can say about a file, by its source."""
    for path in Path(rules.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id="Wording"), args=[ast.Constant(value=words), *_]):
                    yield words
                case ast.Call(
                    func=ast.Name(id="demand_unique" | "demand_small"), args=[_, _, ast.Constant(value=words)]
                ):
                    yield words
                case ast.Assign(targets=[ast.Name(id="words")], value=ast.Constant(value=words)):
                    yield words
                case ast.FunctionDef(name="demand_small", args=ast.arguments(defaults=[ast.Constant(value=words)])):
                    yield words
    yield from (plain for _, plain in loading._PLAIN)


@pytest.mark.parametrize("language", [language for language in languages() if language != "en"])
def test_everything_wrong_with_a_file_is_said_in_every_language(language):
    wordings = CATALOGUES[language]["wordings"]
    entries = {"entry", "card", "role", "section", "area", "extra", "doorway"}  # by the lists that hold them
    assert set(wordings) == {*words_of_problems(), *entries} - {"{problem}"}
    for words, translated in wordings.items():
        assert fields(words) == fields(translated)


def fields(words):
    return {field for _, field, _, _ in string.Formatter().parse(words) if field}


def test_a_file_that_is_wrong_in_german():
    text = format_deck(built_in_deck("classic")).replace("budget = 3", "budget = 9", 1)
    with pytest.raises(DataError) as caught:
        parse_deck(text, "meiner.toml")
    assert re.fullmatch(
        r"meiner.toml: Karte 2: budget: darf höchstens 6 sein, nicht 9 \(Zeile \d+\)", narrate(caught.value, "de")
    )
    with pytest.raises(DataError) as caught:
        parse_deck(text.replace("budget = 9", 'budget = "x"', 1), "meiner.toml")
    assert "budget: muss eine ganze Zahl sein, nicht 'x'" in narrate(caught.value, "de")


@pytest.mark.parametrize("language", languages())
def test_sentences_use_known_words(language):
    catalogue = CATALOGUES[language]
    fixed = {"", "place", "places", "dice", "outcome", "each", "sentence", "parts", "term", "terms"}
    known = {*fixed, *catalogue["counts"], *catalogue["lists"]}
    for part in ("events", "refusals", "checks"):
        for entry in catalogue[part].values():
            for sentence in sentences(entry):
                for _, field, spec, conversion in string.Formatter().parse(sentence):
                    assert (spec or "") in known
                    assert field is None or (field.isidentifier() and not conversion)


@pytest.mark.parametrize("language", languages())
def test_every_option_and_every_value_with_a_name_has_a_text(language):
    texts = CATALOGUES[language]["options"]
    options = {option.name: option for option in list_options()}
    assert set(texts) == set(options)
    for name, option in options.items():
        named = option.allowed.values if isinstance(option.allowed, OneOf | PlayerName | Spelled) else ("none",)
        assert set(texts[name]["values"]) == set(named)
        assert option_label(name, language) == texts[name]["label"]
        assert option_explanation(name, language)[-1] == "."
        for value in named:
            assert value_label(name, value, language) == texts[name]["values"][value]


def test_a_value_without_a_text_is_called_by_itself():
    assert value_label("layout", "GMCH") == "GMCH"
    assert value_label("first", "Ada", "de") == "Ada"
    assert value_label("days", 3) == "3"
    assert value_label("days", None, "de") == "Wie üblich"


@pytest.mark.parametrize("seed", range(25))
def test_every_event_of_whole_games_has_a_sentence(seed):
    game, choose = random_game(seed)
    while not game.over:
        play_one(game, choose(game.legal_actions()), random.Random(seed))
    for event in game.events:
        sentence = narrate(event)
        assert sentence[-1] in ".!?"
        assert "{" not in sentence
        assert "  " not in sentence
    for check in verify(game.record()):
        assert narrate(check)


@given(positions())
def test_every_refusal_of_a_position_has_a_sentence(state):
    for action in all_actions(state):
        problem = rules.refusal(state, action)
        if problem is not None:
            assert narrate(problem)[-1] in ".:"


def test_the_sentence_of_the_specification():
    problem = Refusal("R5.3", "rank_too_low", {"rank": 2, "role_rank": 3, "role": "Undertaker"})
    assert narrate(problem) == "Rank 2 is too low for the rank-3 role 'Undertaker'."


def test_places_are_named_in_the_language():
    problem = rules.refusal(deadwood.Game.new(["Ada", "Bo"], seed=1).state, deadwood.Move("bank"))
    assert narrate(problem).endswith("from here you can move to Main Street, the Saloon or the Hotel.")
    assert narrate(problem, "de").endswith("Von hier aus erreichst du: Hauptstraße, Saloon oder Hotel.")


def test_colours_are_named_in_the_language():
    for colour in COLOURS:
        assert f"({colour})" in narrate(ChairTaken("Bo", colour, None))
    assert narrate(ChairTaken("Bo", "blue", None), "de") == "Bo setzt sich (blau)."


def test_a_hostile_name_is_only_text():
    game = deadwood.Game.new(["{0.__class__}", "%s {name!r}"], seed=1)
    assert "{0.__class__}" in narrate(game.events[0])


@pytest.mark.parametrize(
    ("refusal", "sentence"),
    [
        (Refusal("R5.3", "rank_too_low", {"rank": 2}), "rank too low (R5.3): rank=2"),
        (Refusal("", "not_a_key_at_all", {"a": 1}), "not a key at all: a=1"),
        (Refusal("R8.4", "cannot_afford", {"rank": 3}), "cannot afford (R8.4): rank=3"),
        (Reason("a_plugin_s_own"), "a plugin s own"),
        (Reason("next_pay", {"points": "many"}), "next pay: points='many'"),
        (Check("failed", "rules_broken", {"line": 3}), "rules broken: line=3"),
    ],
)
@pytest.mark.parametrize("language", languages())
def test_what_no_sentence_fits_is_described_in_plain_words(refusal, sentence, language):
    """A plugin's bot may give any reason."""
    assert narrate(refusal, language) == sentence


def test_errors_without_a_refusal_and_other_things():
    assert narrate(deadwood.DataError("deck.toml: no")) == "deck.toml: no"
    assert narrate(deadwood.OutcomeNeeded("dice", 5)) == "5 dice needed"
    with pytest.raises(TypeError, match="not an event, refusal, check or reason"):
        narrate(["a list"])
    with pytest.raises(DeadwoodError, match="no texts in 'tlh'"):
        rules_text("tlh")


def test_an_unknown_language():
    with pytest.raises(DeadwoodError, match="no texts in 'tlh'; choose from de, en"):
        narrate(Refusal("", "name_empty"), language="tlh")


def test_the_rules_can_be_read():
    assert rules_text().startswith("# The rules of Deadwood")
