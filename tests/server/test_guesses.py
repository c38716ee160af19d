"""Addresses that try many codes that do not exist have to wait."""

import weakref

from deadwood.server import guesses as guesses_module
from deadwood.server.guesses import Guesses
from deadwood.server.limits import Rate

ADDRESS = "192.0.2.1"


def try_wrong(guesses, code):
    """Try a code that no table has; returns the seconds to wait if that is not allowed."""
    wait = guesses.take(ADDRESS)
    if not wait:
        guesses.wrong(ADDRESS, code)
    return wait


def test_a_code_that_was_tried_before_costs_nothing():
    guesses = Guesses(Rate(1, 3), lambda: 0.0)
    assert [try_wrong(guesses, code) for code in "ABAAC"] == [0] * 5
    assert (try_wrong(guesses, "D"), guesses.wait(ADDRESS)) == (1, 1)
    assert guesses.wait("192.0.2.2") == 0


def test_a_code_counts_until_it_is_known_to_be_right():
    guesses = Guesses(Rate(1, 3), lambda: 0.0)
    assert [guesses.take(ADDRESS) for _ in range(4)] == [0, 0, 0, 1]
    guesses.right(ADDRESS)
    assert [guesses.take(ADDRESS) for _ in range(2)] == [0, 1]


class Typed(str):
    """A text that can be weakly referenced."""


def test_a_long_wrong_code_is_not_kept_in_memory():
    guesses, code = Guesses(Rate(1, 3), lambda: 0.0), Typed("x" * 60_000)
    kept = weakref.ref(code)
    try_wrong(guesses, code)
    del code
    assert kept() is None


def test_codes_are_not_remembered_for_ever(monkeypatch):
    monkeypatch.setattr(guesses_module, "_MOST_REMEMBERED", 10)
    guesses = Guesses(Rate(1, 100), lambda: 0.0)
    assert [try_wrong(guesses, str(number)) for number in range(100)] == [0] * 100
    assert len(guesses._tried) == 10
