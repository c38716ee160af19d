"""Decks that somebody is still writing."""

import msgspec
import pytest

from deadwood.engine.deck import built_in_deck
from deadwood.engine.drafts import CardLimits, read_draft

CARDS = [msgspec.to_builtins(card) for card in built_in_deck("classic").cards]


def test_a_whole_deck_is_read():
    deck, problems = read_draft("classic", CARDS[::-1])
    assert deck == built_in_deck("classic")
    assert problems == ()


def test_every_wrong_card_is_named_by_its_place():
    untitled, costly = CARDS[3] | {"title": " "}, CARDS[7] | {"budget": 9}
    deck, problems = read_draft("mine", [*CARDS[:3], untitled, costly, {}, "card"])
    assert deck is None
    assert [problem.card for problem in problems] == [3, 4, 5, 6]
    assert problems[0].error.problem == "title: must be one line with something in it, not ' '"
    assert problems[1].error.problem == "budget: must be at most 6, not 9"
    assert "missing" in problems[2].error.problem


@pytest.mark.parametrize(
    ("cards", "text"),
    [
        ([], "there must be at least 1"),
        ([CARDS[0], CARDS[0]], "card 1: card numbers must be unique"),
        ([CARDS[0], CARDS[1] | {"title": CARDS[0]["title"]}], "card 1 and card 2: both have the title"),
    ],
)
def test_problems_of_the_whole_deck_are_reported(cards, text):
    deck, problems = read_draft("mine", cards)
    assert deck is None
    (problem,) = problems
    assert problem.card is None
    assert text in problem.error.problem


def test_forms_learn_what_a_card_may_have():
    """R10.4: budgets are 2 to 6, ranks 1 to 6, and a card has up to three roles."""
    assert CardLimits() == CardLimits(budgets=(2, 3, 4, 5, 6), ranks=(1, 2, 3, 4, 5, 6), most_roles=3)


def test_an_empty_draft_and_one_that_is_too_long_get_plain_sentences():
    assert problems_of(read_draft("mine", [])) == [(None, "cards: there must be at least 1")]
    cards = [{**CARDS[0], "number": number} for number in range(1, 241)]
    assert problems_of(read_draft("mine", cards)) == [(None, "cards: there may be at most 200, not 240")]


def problems_of(read):
    deck, problems = read
    assert deck is None
    return [(problem.card, problem.error.problem) for problem in problems]


def test_a_draft_keeps_the_limits_of_what_people_share():
    long = [{**CARDS[0], "title": "x" * 101}]
    assert problems_of(read_draft("mine", long)) == [(0, "title: must have at most 100 characters, not 101")]
    assert problems_of(read_draft("mine", [{**CARDS[0], "number": None}])) == [
        (0, "number: must be a whole number, but is empty")
    ]
    _, (problem,) = read_draft("my\u202edeck", CARDS)
    assert problem.error.problem.startswith("name: remove the invisible character U+202E;")
