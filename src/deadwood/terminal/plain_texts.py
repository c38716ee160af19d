"""What the plain mode asks and reads, here and at served tables."""

import re

from ..engine.outcomes import Needed
from .wording import phrase

LOGGED = 10  # events to show, if nobody says how many
_COUNT = re.compile(r"0*[1-9][0-9]{0,5}")


def is_count(text: str) -> bool:
    """Whether somebody typed a number of things."""
    return _COUNT.fullmatch(text) is not None


def outcome_question(needed: Needed) -> str:
    """What to ask for with real dice (R12.7)."""
    if needed.kind == "card":
        return phrase("plain.which_card")
    return phrase("plain.which_die") if needed.count == 1 else phrase("plain.which_dice", n=needed.count)


def joined_outcome(needed: Needed, outcome: str, answer: str) -> str:
    """The outcome so far with the answer added."""
    die = outcome.partition("/")[0].strip()
    return f"{die} / {answer}" if die and needed.kind == "dice" else answer
