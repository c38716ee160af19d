"""What people type for dice and cards: an outcome, or a sentence that says what is wrong."""

import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from deadwood import Game, IllegalAction, Options, OutcomeError, OutcomeNeeded, narrate
from deadwood.engine.outcomes import find_cards
from deadwood.narration import languages


def played(*lines, **options):
    game = Game.new(["Ada", "Bo"], Options(first="Ada", dice="table", **options))
    for line in lines:
        game.play(line)
    return game


FIRST = played("move saloon = card 2", "take star 1", "end")
LAST = played("move saloon = card 2", "take star 1", "end", "act = 3", "end")  # three bonus dice for a success
TURNING = played("move saloon = card 2", "end")


def sentence(game, action, text, language="en"):
    with pytest.raises(OutcomeError) as caught:
        game.read_outcome(action, text)
    assert caught.value.refusal.rule in ("R12.7", "R10.5")
    return narrate(caught.value, language)


def title(number):
    return FIRST.state.table.cards[FIRST.state.table.card_numbers[number]].title


@pytest.mark.rule("R12.7")
@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("5", "5"),
        (" 5 ", "5"),
        ("05", "5"),
        ("\N{FULLWIDTH DIGIT FIVE}", "5"),
        ("2 /", "2"),
        ("6/653", "6 / 6 5 3"),
        ("6 / 6, 5,3", "6 / 6 5 3"),
    ],
)
def test_dice_are_read(text, outcome):
    assert LAST.read_outcome("act", text) == outcome


@pytest.mark.rule("R12.7")
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "what the die shows"),
        (" \t", "what the die shows"),
        ("six", "'six' is not a roll"),
        ("6 / five 3 1", "is not a roll"),
        ("-3", "is not a roll"),
        ("1.5", "is not a roll"),
        ("6 / 5 / 3", "is not a roll"),
        ("card 17", "is not a roll"),
        ("0", "1 to 6, not 0"),
        ("7", "1 to 6, not 7"),
        ("9" * 5000, "1 to 6"),
        ("6 / 5 9 1", "1 to 6, not 9"),
        ("6 / 509", "1 to 6, not 0"),
        ("6 5", "One die is rolled here, not 2"),
        ("6 5 3 1", "One die is rolled here, not 4"),
        ("/ 5 3 1", "the die first"),
        ("6 /", "3 bonus dice are rolled, not 0"),
        ("6 / 5", "3 bonus dice are rolled, not 1"),
        ("6 / 5 3", "3 bonus dice are rolled, not 2"),
        ("6 / 5 3 1 1", "3 bonus dice are rolled, not 4"),
        ("2 / 5 3 1", "No bonus dice are rolled with a 2"),
    ],
)
def test_wrong_dice_get_a_sentence(text, words):
    assert words in sentence(LAST, "act", text)


@pytest.mark.rule("R12.7")
def test_the_die_alone_is_an_outcome_and_the_bonus_dice_are_asked_for():
    assert LAST.read_outcome("act", "6") == "6"
    with pytest.raises(OutcomeNeeded):
        LAST.copy().play("act", "6")


@pytest.mark.rule("R12.7")
@pytest.mark.parametrize(
    "text", ["17", " 17 ", "card 17", "CARD 17", "card17", "#17", "card #17", "deadwood card 17", "017"]
)
def test_a_card_is_read_by_its_number(text):
    assert TURNING.read_outcome("move hotel", text) == "card 17"


@pytest.mark.rule("R12.7")
def test_every_card_is_read_by_its_title_in_any_spelling():
    for deck in ("classic", "studio"):
        game = played(deck=deck)
        for card in game.state.table.cards:
            for text in (card.title, card.title.upper(), f"  {card.title} ", card.title.replace("é", "e")):
                assert game.read_outcome("move saloon", text) == f"card {card.number}"


@pytest.mark.rule("R12.7")
def test_a_part_of_a_title_is_enough_where_it_fits_one_card():
    assert title(17) == "The Long Ride to the Next Rock"
    for part in ("NEXT rock", "ong ri", "the next", "card next rock"):
        assert TURNING.read_outcome("move hotel", part) == "card 17"


@pytest.mark.rule("R12.7")
def test_a_card_is_read_by_its_title_in_another_language_too():
    titles = {title(17): ("Der lange Ritt", "Le rocher")}
    for text in ("lange ritt", "ROCHER", "der lange ritt", "Next Rock"):
        assert TURNING.read_outcome("move hotel", text, titles) == "card 17"
        assert [card.number for card in find_cards(text, TURNING.state, titles)] == [17]
    with pytest.raises(OutcomeError):
        TURNING.read_outcome("move hotel", "lange ritt")


@pytest.mark.rule("R12.7")
def test_a_title_that_fits_several_cards_lists_them():
    reply = sentence(TURNING, "move hotel", "the")
    fitting = find_cards("the", TURNING.state)
    assert len(fitting) > 1
    for card in fitting[:8]:
        assert f'{card.number} "{card.title}"' in reply


@pytest.mark.rule("R12.7")
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "number of the card"),
        ("99", "There is no card 99; the numbers of this deck run from 1 to 40."),
        ("0", "There is no card 0"),
        ("9" * 5000, "There is no card 999"),
        ("no such title", "'no such title' does not name a card"),
        ("!?", "'!?' does not name a card"),
        ("card x1", "'card x1' does not name a card"),
        ("5 / 6", "does not name a card"),
    ],
)
def test_invalid_cards_get_a_sentence(text, words):
    assert words in sentence(TURNING, "move hotel", text)


@pytest.mark.rule("R12.7", "R10.5")
def test_a_card_on_the_board_is_refused_with_its_place():
    for text in ("2", title(2)):
        reply = sentence(TURNING, "move hotel", text)
        assert reply == f'Card 2, "{title(2)}", has already been turned in this game: it lies at the Saloon.'


@pytest.mark.rule("R12.7", "R10.5")
def test_a_card_of_the_past_is_refused_with_its_day_and_place():
    game = LAST.copy()
    game.play("act = 6 / 5 3 1")
    assert "on day 1 at the Saloon" in sentence(game, "move hotel", "2")


def test_without_its_history_a_card_of_the_past_is_only_known_to_be_turned():
    game = LAST.copy()
    game.play("act = 6 / 5 3 1")
    with pytest.raises(OutcomeError) as caught:
        game.play("move hotel", "card 2")
    assert narrate(caught.value).endswith("has already been turned in this game.")


def test_a_few_cards_are_all_listed_and_many_are_not():
    assert sentence(TURNING, "move hotel", "rock").count('"') == 4
    assert "\N{HORIZONTAL ELLIPSIS}" in sentence(TURNING, "move hotel", "e")


def test_an_outcome_is_refused_if_nothing_is_rolled_or_turned():
    assert "Nothing is rolled or turned for 'end'" in sentence(TURNING, "end", "5")
    assert "Nothing is rolled or turned for 'move saloon'" in sentence(TURNING, "move saloon", "17")


def test_illegal_actions_and_fair_dice_come_first():
    with pytest.raises(IllegalAction):
        TURNING.read_outcome("act", "5")
    fair = Game.new(["Ada", "Bo"], Options(first="Ada"), 7)
    assert "The program rolls" in sentence(fair, "move saloon", "17")


def test_a_list_of_cards_grows_shorter_as_somebody_types():
    everything = find_cards("", TURNING.state)
    assert [card.number for card in everything] == [number for number in range(1, 41) if number != 2]
    assert [card.number for card in find_cards("1", TURNING.state)][:3] == [1, 10, 11]
    assert [card.number for card in find_cards("17", TURNING.state)] == [17]
    assert [card.number for card in find_cards(title(17)[2:9], TURNING.state)] == [17]
    assert find_cards("no such title", TURNING.state) == ()


TYPED = st.one_of(
    st.text(max_size=40),
    st.text("0123456789 /,+card#", max_size=20),
    st.sampled_from([card.title for card in FIRST.state.table.cards]).flatmap(
        lambda title: st.integers(0, len(title)).map(lambda start: title[start : start + 6])
    ),
)


@pytest.mark.rule("R12.7")
@given(TYPED, st.sampled_from([(FIRST, "act"), (LAST, "act"), (TURNING, "move hotel"), (TURNING, "end")]))
def test_any_input_gives_an_outcome_or_a_sentence_in_every_language(text, asked):
    game, action = asked
    try:
        outcome = game.read_outcome(action, text)
    except OutcomeError as error:
        for language in languages():
            reply = narrate(error, language)
            assert reply[-1] in ".!"
            assert "{" not in reply or "{" in unicodedata.normalize("NFKC", text)
            assert "R12.7" not in reply
        return
    trial = game.copy()
    try:
        trial.play(action, outcome)
    except OutcomeNeeded:
        assert "/" not in outcome
    else:
        assert Game.from_record(trial.record()).state == trial.state


@pytest.mark.rule("R12.7")
@given(TYPED)
def test_any_correction_gives_an_outcome_or_a_sentence(text):
    game = LAST.copy()
    game.play("act = 6 / 5 3 1")
    try:
        outcome = game.read_correction(text)
    except OutcomeError as error:
        assert narrate(error)[-1] == "."
        return
    assume(outcome != "6 / 5 3 1")
    try:
        game.correct(outcome)
    except (OutcomeNeeded, OutcomeError) as error:
        assert isinstance(error, OutcomeNeeded) or error.refusal.key == "outcome_unchanged"
