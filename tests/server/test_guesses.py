"""Addresses that try many codes that do not exist have to wait."""

import weakref

from deadwood.server import guesses as guesses_module
from deadwood.server.guesses import Guesses
from deadwood.server.limits import Rate


def test_a_code_that_was_tried_before_costs_nothing():
    guesses = Guesses(Rate(1, 3), lambda: 0.0)
    for code in ("A", "B", "A", "A"):
        guesses.wrong("192.0.2.1", code)
        assert guesses.wait("192.0.2.1") == 0
    guesses.wrong("192.0.2.1", "C")
    assert guesses.wait("192.0.2.1") == 1
    assert guesses.wait("192.0.2.2") == 0


class Typed(str):
    """A text that can be weakly referenced."""


def test_a_long_wrong_code_is_not_kept_in_memory():
    guesses, code = Guesses(Rate(1, 3), lambda: 0.0), Typed("x" * 60_000)
    kept = weakref.ref(code)
    guesses.wrong("192.0.2.1", code)
    del code
    assert kept() is None


def test_codes_are_not_remembered_for_ever(monkeypatch):
    monkeypatch.setattr(guesses_module, "_MOST_REMEMBERED", 10)
    guesses = Guesses(Rate(1, 3), lambda: 0.0)
    for number in range(100):
        guesses.wrong("192.0.2.1", str(number))
    assert len(guesses._tried) == 10
