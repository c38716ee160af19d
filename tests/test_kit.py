"""The game on paper: numbers from the engine, and texts in every language."""

import string
from pathlib import Path

import pytest

from deadwood.engine.board import built_in_board
from deadwood.engine.deck import built_in_deck
from deadwood.engine.options import PLAYERS, beginning, usual_days
from deadwood.kit import checklist, player_aid, section_plans, setups
from deadwood.narration import TEXTS, languages

CLASSIC, BOARD = built_in_deck("classic"), built_in_board()
PAGE = Path(__file__).parents[1] / "docs" / "host.md"
NOTE = "<!-- Written by `make docs` from src/deadwood/text/host.en.md and the engine's numbers. -->\n"


def page() -> str:
    """docs/host.md as it should be."""
    return NOTE + checklist(CLASSIC, BOARD)


def test_the_page_of_the_checklist_is_current():
    assert PAGE.read_text(encoding="utf-8") == page(), "run `make docs`"


@pytest.mark.parametrize("language", languages())
def test_the_checklist_has_a_row_for_every_number_of_players(language):
    text = checklist(CLASSIC, BOARD, language)
    for players in PLAYERS:
        start, days = beginning(players), usual_days(players)
        row = f"| {players} | {days} | {days * 10} | {start.rank} | {start.credits} | {22 + 5 * players} |"
        assert row in text.splitlines()
        assert row in checklist(CLASSIC, BOARD, language, players)
    assert "| 2 | 3 |" not in checklist(CLASSIC, BOARD, language, 8)
    rows = {
        "en": "| General Store | Main Street |\n| Casting Office | Hotel |",
        "de": "| Kramladen | Hauptstraße |\n| Casting-Büro | Hotel |",
    }
    assert rows[language] in text


def test_the_checklist_follows_the_steps_of_setting_up():
    steps = (
        "Print the four board sections",
        "Lay the four sections",
        "dice to roll",
        "dollars in",
        "credits in",
        "shot counters |",
        "How many players?",
        "puts a die in",
        "Shuffle the cards",
        "Put as many shot counters",
        "goes first",
        "Choose a banker",
    )
    places = [checklist(CLASSIC, BOARD).index(step) for step in steps]
    assert places == sorted(places)


@pytest.mark.parametrize("language", languages())
def test_the_aid_has_the_odds_and_the_prices(language):
    text = player_aid(CLASSIC, BOARD, language)
    gap = {"en": "", "de": "\N{NO-BREAK SPACE}"}[language]
    assert "| **$4M** | 50% | 67% | 83% | 100% |  |  |".replace("%", f"{gap}%") in text
    assert "| 2 | 3 | 4 | 5 | 6 |" in text
    assert "| 4 | 10 | 18 | 28 | 40 |" in text
    assert "| 5 | 10 | 15 | 20 | 25 |" in text


@pytest.mark.parametrize("kind", ["aid", "host"])
def test_every_language_fills_in_the_same_numbers(kind):
    english = fields(kind, "en")
    assert english
    assert all(fields(kind, language) == english for language in languages())


def fields(kind, language):
    text = (TEXTS / f"{kind}.{language}.md").read_text(encoding="utf-8")
    return sorted({field for _, field, _, _ in string.Formatter().parse(text) if field})


def test_there_is_money_for_the_highest_rank():
    for setup in setups(CLASSIC, BOARD):
        dollars = sum(pile.value * pile.count for pile in setup.bills) / setup.players
        credits = sum(pile.value * pile.count for pile in setup.credit_tokens) / setup.players
        assert dollars >= BOARD.prices.dollars[-1]
        assert credits >= BOARD.prices.credits[-1]


def test_sections_are_drawn_by_themselves():
    plans = section_plans(BOARD)
    assert [one.name for one in plans] == [section.name for section in BOARD.sections]
    assert [one.name for one in section_plans(BOARD, "de")] == ["Kramladen", "Hauptstraße", "Casting-Büro", "Hotel"]
    for one, section in zip(plans, BOARD.sections, strict=True):
        assert set(one.plan.areas) == {area.id for area in section.areas}
        assert (one.plan.width, one.plan.height) == (600, 450)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
