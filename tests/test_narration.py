"""Events, refusals and everything else as sentences, in every language.

Holds `server.protocol.table_events`.
"""

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
from deadwood import DataError, DeadwoodError, Refusal, bots, narrate
from deadwood.engine import loading, rules
from deadwood.engine.board import built_in_board
from deadwood.engine.deck import BUILT_IN_DECKS, Deck, Role, built_in_deck, format_deck, parse_deck
from deadwood.engine.events import Event, Moved
from deadwood.engine.option_list import OneOf, PlayerName, Spelled, list_options
from deadwood.engine.seats import COLOURS
from deadwood.engine.verify import Check, verify
from deadwood.narration import (
    TEXTS,
    BotReason,
    BotText,
    all_titles,
    bot_text,
    languages,
    option_explanation,
    option_label,
    place_name,
    rules_text,
    translated_deck,
    translated_event,
    translated_role,
    value_label,
)
from deadwood.server.protocol.table_events import ActionUndone, ChairTaken

from .random_games import all_actions, play_one, random_game
from .strategies import positions

CATALOGUES = {
    language: msgspec.toml.decode((TEXTS / f"{language}.toml").read_text("utf-8")) for language in languages()
}

SAME_IN_GERMAN = {"Sheriff Dot Larkin", "Astro-Marshal Peggy"}
TRANSLATIONS = [language for language in languages() if language != "en"]


def sentences(phrase):
    if isinstance(phrase, str):
        yield phrase
    else:
        yield from (one for case, value in phrase.items() if case != "by" for one in sentences(value))


@pytest.mark.parametrize("language", languages())
def test_every_event_has_a_sentence(language):
    assert {kind.__name__ for kind in get_args(Event)} <= set(CATALOGUES[language]["events"])


@pytest.mark.parametrize("language", languages())
def test_every_language_has_the_same_entries(language):
    parts = (
        "events",
        "refusals",
        "checks",
        "reasons",
        "previews",
        "notices",
        "options",
        "phrases",
        "actions",
        "numbers",
        "bots",
    )
    for part in parts:
        assert set(CATALOGUES[language][part]) == set(CATALOGUES["en"][part])


def words_of_problems():
    """What the engine can say about a file, found in its source."""
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


def test_german_sentences_quote_as_germans_do():
    """A lone apostrophe is a mark in a layout or stands for a letter; the English words of files keep theirs."""
    said = "\n".join(line.split('" = "')[-1] for line in TEXTS.joinpath("de.toml").read_text("utf-8").splitlines())
    assert re.findall(r"'[^\s']*[\w}.]'|'\W'", said) == []


@pytest.mark.parametrize("language", languages())
def test_sentences_use_known_words(language):
    catalogue = CATALOGUES[language]
    fixed = {"", "place", "places", "dice", "outcome", "each", "sentence", "parts", "term", "terms"}
    known = {*fixed, *catalogue["counts"], *catalogue["lists"]}
    for part in ("events", "refusals", "checks"):
        for phrase in catalogue[part].values():
            for sentence in sentences(phrase):
                for _, field, spec, conversion in string.Formatter().parse(sentence):
                    assert (spec or "").lower() in known | {"at", "to", "from", "action", "bot", "text", "titles"}
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


@pytest.mark.parametrize("language", languages())
def test_every_bot_has_a_character(language):
    assert set(CATALOGUES[language]["bots"]) >= set(bots.names())
    assert set(CATALOGUES[language]["bots"]) == set(CATALOGUES["en"]["bots"])
    for name in CATALOGUES[language]["bots"]:
        text = bot_text(name, language)
        assert text.label.isalpha()
        assert text.catchphrase[-1] in ".!?"
        assert text.style[-1] == "."
        assert max(map(len, (text.catchphrase, text.style))) <= 80
    assert bot_text("plugin", language) == BotText("Plugin")


def test_a_bot_is_called_by_its_kind_in_the_language():
    assert (
        narrate(ChairTaken("Daisy Daydream", "blue", "hopeful")) == "Daisy Daydream, a bot (Hopeful), sits down (blue)."
    )
    sentence = narrate(ChairTaken("Daisy Daydream", "blue", "hopeful"), "de")
    assert sentence == "Daisy Daydream, ein Bot (Talent), setzt sich (blau)."
    assert "(plugin)" in narrate(ChairTaken("Bo", "blue", "plugin"), "de")


def test_a_value_without_a_text_is_called_by_itself():
    assert value_label("layout", "GMCH") == "GMCH"
    assert value_label("first", "Ada", "de") == "Ada"
    assert value_label("days", 3) == "3"
    assert value_label("days", None, "de") == "Nach Spielerzahl"


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


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_every_place_has_one_name_and_a_preposition_for_every_sentence(language):
    board, places = built_in_board(), CATALOGUES[language]["places"]
    names = {thing.name for section in board.sections for thing in (section, *section.areas)}
    assert set(places) == names
    for name, forms in places.items():
        assert set(forms) == {"name", "at", "to", "from"}
        assert all(forms["name"] in forms[way] for way in ("at", "to", "from"))
        assert place_name(name, language) == forms["name"]
        assert place_name(name) == name


def test_a_place_of_a_custom_board_keeps_its_name():
    moved = Moved("Ada", "Opera House", "Saloon", "opera-house", "saloon")
    assert narrate(moved) == "Ada walks from the Opera House to the Saloon."
    assert narrate(moved, "de") == "Ada geht von Opera House zum Saloon."
    assert translated_event(moved, "de") == Moved("Ada", "Opera House", "Saloon", "opera-house", "saloon")


def texts_of_the_game():
    """Every text of both decks and of the board's extras, with the most characters it may have."""
    decks = [built_in_deck(name) for name in BUILT_IN_DECKS]
    cards = {card.number: card for deck in decks for card in deck.cards}.values()
    roles = [role for card in cards for role in card.roles]
    roles += [role for area in built_in_board().areas for role in area.extras]
    short = [*(card.title for card in cards), *(role.name for role in roles)]
    long = [*(card.description for card in cards), *(role.line for role in roles)]
    return {**dict.fromkeys(short, 100), **dict.fromkeys(long, 400)}


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_every_text_of_the_cards_and_extras_is_translated_and_none_is_left_over(language):
    translated = msgspec.toml.decode((TEXTS / f"scenes.{language}.toml").read_bytes(), type=dict[str, str])
    limits = texts_of_the_game()
    assert set(translated) == set(limits)
    for text, limit in limits.items():
        assert 0 < len(translated[text]) <= limit
        assert translated[text] == translated[text].strip()
        assert "..." not in translated[text]
    short = [translated[text] for text, limit in limits.items() if limit == 100]
    assert len(set(short)) == len(short)  # no two cards or roles have the same name
    assert max(map(len, short)) <= 36
    assert max(map(len, translated.values())) <= 100


def test_a_translated_deck_plays_as_the_english_one():
    deck = built_in_deck("studio")
    german = translated_deck(deck, "de")
    assert german.fingerprint == deck.fingerprint
    assert german.name == "studio"
    assert german.cards[1].title == "So gegen zwölf Uhr mittags"
    assert german.cards[1].roles[0].line == "Dong. Dong. Moment, bei wie viel waren wir?"
    assert translated_deck(deck, "en") is deck


def test_a_text_without_a_translation_stays_as_it_is():
    role = Role(2, "Opera Singer", "La!")
    card = msgspec.structs.replace(built_in_deck("classic").cards[0], title="At the Opera", roles=(role,))
    (own,) = translated_deck(Deck("own", (card,)), "de").cards
    assert (own.title, own.roles) == ("At the Opera", (role,))
    assert own.description.startswith("Er kommt von weit her")
    assert translated_role(role, "de") == role


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("seed", range(5))
def test_no_english_text_is_left_in_the_events_and_sentences_of_a_whole_game(language, seed):
    game, choose = random_game(seed)
    while not game.over:
        play_one(game, choose(game.legal_actions()), random.Random(seed))
    english = texts_of_the_game()
    for event in game.events:
        translated = translated_event(event, language)
        assert type(translated) is type(event)
        assert getattr(translated, "area_id", None) == getattr(event, "area_id", None)
        for text, shown in zip(msgspec.structs.astuple(event), msgspec.structs.astuple(translated), strict=True):
            if isinstance(text, str) and text in english:
                assert (shown == text) == (language == "en" or text in SAME_IN_GERMAN)
                assert (text in narrate(event)) == (shown in narrate(event, language))


def test_titles_are_known_in_all_languages():
    assert all_titles()["High Noonish"] == ("So gegen zwölf Uhr mittags",)


def test_cards_are_listed_by_their_titles_in_the_language():
    problem = Refusal("R12.7", "card_could_be", {"text": "x", "cards": ((2, "High Noonish"), (999, "Own"), "…")})
    assert '2 "High Noonish", 999 "Own" or …;' in narrate(problem)
    assert "2 „So gegen zwölf Uhr mittags“, 999 „Own“ oder …" in narrate(problem, "de")


def test_numbers_are_written_as_the_language_writes_them():
    reason = BotReason("act", {"chance": 0.5, "points": 2.54, "turns": 1})
    assert narrate(reason).startswith("50% to succeed; ≈ 2.5 more points")
    assert narrate(reason, "de").startswith("50\N{NO-BREAK SPACE}% Erfolgschance; noch ≈ 2,5 Punkte")


def test_colours_are_named_in_the_language():
    for colour in COLOURS:
        assert f"({colour})" in narrate(ChairTaken("Bo", colour, None))
    assert narrate(ChairTaken("Bo", "blue", None), "de") == "Bo setzt sich (blau)."


@pytest.mark.parametrize(
    ("action", "english", "german"),
    [
        ("move main-street", "walking to Main Street", "Gang zur Hauptstraße"),
        ("move opera-house", "walking to the Opera House", "Gang nach Opera House"),
        ("take star 2", "taking starring role 2", "Hauptrolle 2"),
        ("take extra 1", "taking extra role 1", "Komparsenrolle 1"),
        ("upgrade 3 credits", "buying rank 3", "Aufstieg auf Rang 3"),
        ("act", "acting", "Drehen"),
        ("end", "ending the turn", "Zugende"),
    ],
)
def test_an_action_that_is_taken_back_is_put_into_words(action, english, german):
    assert narrate(ActionUndone("Ada", action)) == f"Ada takes back {english}."
    assert narrate(ActionUndone("Ada", action), "de") == f"Ada nimmt zurück: {german}."


def test_a_hostile_name_is_only_text():
    game = deadwood.Game.new(["{0.__class__}", "%s {name!r}"], seed=1)
    assert "{0.__class__}" in narrate(game.events[0])


@pytest.mark.parametrize(
    ("refusal", "sentence"),
    [
        (Refusal("R5.3", "rank_too_low", {"rank": 2}), "rank too low (R5.3): rank=2"),
        (Refusal("", "not_a_key_at_all", {"a": 1}), "not a key at all: a=1"),
        (Refusal("R8.4", "cannot_afford", {"rank": 3}), "cannot afford (R8.4): rank=3"),
        (BotReason("a_plugin_s_own"), "a plugin s own"),
        (BotReason("next_pay", {"points": "many"}), "next pay: points='many'"),
        (Check("failed", "rules_broken", {"line": 3}), "rules broken: line=3"),
    ],
)
@pytest.mark.parametrize("language", languages())
def test_refusals_without_a_sentence_are_described_in_plain_words(refusal, sentence, language):
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
