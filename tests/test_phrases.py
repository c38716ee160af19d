"""Small pieces of text."""

import pytest

from deadwood.phrases import counted, first_line


@pytest.mark.parametrize(("number", "text"), [(0, "0 games"), (1, "1 game"), (2, "2 games"), (12_000, "12,000 games")])
def test_things_are_counted(number, text):
    assert counted(number, "game") == text


def test_only_the_first_line_of_a_librarys_error_is_shown():
    """The others may show a row of the database."""
    assert first_line(ValueError("It failed.\n[parameters: 'secret']")) == "It failed."
    assert first_line(ValueError()) == ""
