import random
import string
from typing import get_args

import msgspec
import pytest
from hypothesis import given

import deadwood
from deadwood import DeadwoodError, Refusal, narrate
from deadwood.engine import rules
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
    for part in ("events", "refusals", "checks", "reasons", "options", "phrases"):
        assert set(CATALOGUES[language][part]) == set(CATALOGUES["en"][part])


@pytest.mark.parametrize("language", languages())
def test_sentences_use_known_words(language):
    catalogue = CATALOGUES[language]
    fixed = {"", "place", "places", "dice", "outcome", "each", "sentence", "term", "terms"}
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
