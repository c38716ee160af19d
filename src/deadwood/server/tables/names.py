"""Names that look alike: two people at a table must be told apart by reading."""

import unicodedata
from collections.abc import Sequence
from functools import cache

from confusable_homoglyphs.confusables import confusables_data

from ...engine import seats
from ..protocol.refusals import refuse


def check_name(name: str, others: Sequence[str]) -> str:
    """A name as it is stored, or a refusal: the engine's own, or because it looks like another name."""
    checked = seats.check_name(name, others)
    looks = _looks(checked)
    for other in others:
        if looks & _looks(other):
            raise refuse("name_looks_like", name=checked, other=other)
    return checked


def _looks(name: str) -> frozenset[str]:
    """How a name may look, in upper and lower case, with one letter in place of all that people confuse with it."""
    return frozenset({_skeleton(seats.compared_name(name)), _skeleton(name).casefold()})


def _skeleton(name: str) -> str:
    """The skeleton of a name, as UTS 39 defines it."""
    prototypes = _prototypes()
    decomposed = unicodedata.normalize("NFD", name)
    return unicodedata.normalize("NFD", "".join(prototypes.get(char, char) for char in decomposed))


@cache
def _prototypes() -> dict[str, str]:
    """For every character that has look-alikes, the one that stands for all of them.

    The library lists pairs in both directions; the character with many look-alikes stands for them. Some are wrapped
    in direction marks.
    """
    alike = {_bare(char): [_bare(found["c"]) for found in listed] for char, listed in confusables_data.items()}
    prototypes = {}
    for char, others in alike.items():
        if len(others) == 1:
            pair = len(alike.get(others[0], ())) == 1
            prototypes[char] = max(char, others[0], key=lambda one: (len(one), one)) if pair else others[0]
    return prototypes


def _bare(text: str) -> str:
    return text.strip("\N{LEFT-TO-RIGHT MARK}")
