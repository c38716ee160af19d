"""The deck editor's questions, answered in a worker."""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

from ...balance import TRIAL_BOT, RankAverage, Trial, deck_balance, play_trial, trial_days
from ...engine.deck import built_in_deck, format_deck
from ...engine.drafts import CardLimits, read_draft
from ...engine.table import most_days
from ...narration import narrate
from ..protocol.drafts import DraftView, ProblemView, TrialView

Cards = Sequence[dict[str, Any]]


def check_draft(name: str, cards: Cards, language: str) -> DraftView:
    """What is wrong with a deck, and what its roles are worth."""
    deck, problems = read_draft(name, cards)
    return DraftView(
        problems=tuple(ProblemView(card, narrate(error, language)) for card, error in problems),
        days=0 if deck is None else most_days(deck),
        toml=None if deck is None else format_deck(deck),
        fingerprint=None if deck is None else deck.fingerprint,
        balance=None if deck is None else deck_balance(deck),
        classic=_classic_ranks(),
        limits=CardLimits(),
    )


def try_draft(name: str, cards: Cards, first: int, games: int) -> TrialView:
    """Play games with a deck, and as many with the classic one."""
    deck, problems = read_draft(name, cards)
    if deck is None:
        raise problems[0].error
    days = trial_days(deck)
    return TrialView(TRIAL_BOT, play_trial(deck, days, range(first, first + games)), _classic(days, first, games))


@cache
def _classic_ranks() -> tuple[RankAverage, ...]:
    return deck_balance(built_in_deck("classic")).ranks


@lru_cache(maxsize=64)
def _classic(days: int, first: int, games: int) -> Trial:
    return play_trial(built_in_deck("classic"), days, range(first, first + games))
