"""What the deck editor sends and receives: a deck that somebody is writing, what is wrong with it, how it plays."""

from typing import Annotated

from msgspec import Meta, Struct

from ...balance import DeckBalance, RankAverage, Trial
from ...engine.deck import MOST_CARDS
from ...engine.drafts import CardLimits
from .commands import Short

DRAFT_BYTES = 128 * 1024  # JSON of a deck whose TOML has 64 KiB
TRIAL_GAMES = 100  # in one request
MOST_TRIALS = 10_000


_Value = str | int | float | bool | None
_CardDraft = dict[str, _Value | list[dict[str, _Value]]]  # no deeper: only the roles are a list


class DraftDeck(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A deck that may still be wrong."""

    name: Short
    cards: Annotated[tuple[_CardDraft, ...], Meta(max_length=MOST_CARDS)]


class ProblemView(Struct, frozen=True):
    """What is wrong, in words, with the place of the card in the draft, or None for the deck as a whole."""

    card: int | None
    text: str


class DraftView(Struct, frozen=True):
    """What is wrong with a deck; if nothing is, its file, its fingerprint and its balance, and the classic deck's.

    `days` is the longest game that its cards are enough for, on the built-in board.
    """

    problems: tuple[ProblemView, ...]
    days: int
    toml: str | None
    fingerprint: str | None
    balance: DeckBalance | None
    classic: tuple[RankAverage, ...]
    limits: CardLimits


class TrialView(Struct, frozen=True):
    """The same number of games with this deck and with the classic one."""

    bot: str
    own: Trial
    classic: Trial
