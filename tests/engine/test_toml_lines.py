"""On which line every entry of a file stands."""

import tomllib

import pytest
from hypothesis import given, settings

from deadwood.engine.deck import format_deck
from deadwood.engine.toml_lines import lines_of, longest_key

from ..strategies import decks
from .data_files import BOARD, CLASSIC


def entries(value, path=()):
    yield path
    if isinstance(value, dict | list):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from entries(item, (*path, key))


def check_lines(text):
    lines, written = lines_of(text), text.split("\n")
    for path in entries(tomllib.loads(text)):
        assert path in lines
        if path and isinstance(path[-1], str):
            assert path[-1] in written[lines[path] - 1]


@given(decks())
@settings(max_examples=40)
def test_every_entry_has_the_line_it_stands_on(deck):
    check_lines(format_deck(deck))


@pytest.mark.parametrize(
    "text",
    [
        BOARD,
        CLASSIC,
        'a.b = 1 # [x]\n"c d".e = """\n[[f]]\n"""\n[g]\nh = [\n  [1, 2], # ]\n  [[3],\n4],\n]\n',
        "x = [[1], [2]]\ny = { a = [{ b = 1 }], c = '#' }\n[[z]]\nq = 1\n[[z]]\n[z.k]\nr = '''a\nb'''\ns = 2.5\n",
        "[[a]]\n[[a.b]]\nc = 1\n[[a.b]]\nc = 2\n[[a]]\n[[a.b]]\nc = 3\nd = 1979-05-27T07:32:00Z\n",
    ],
)
def test_lines_of_any_way_to_write_toml(text):
    check_lines(text)


def test_lines_are_known_as_deep_as_a_file_can_be():
    lines = lines_of("x = [[[[[[[\n[[1], { a = 2 }],\n3]]]]]]]\n'y'.z = 1\n")
    assert lines["x", 0, 0, 0, 0, 0, 0, 0] == 2
    assert lines["x", 0, 0, 0, 0, 0, 0, 1] == lines["y",] - 1 == lines["y", "z"] - 1 == 3
    assert max(map(len, lines)) == 8


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (longest_key, lambda count: '\\"""\n' * count),
        (longest_key, lambda count: '\\"""\n' * count + "\\"),
        (longest_key, lambda count: '\\"""\n' * count + '"\\'),
        (longest_key, lambda count: "''" + "'" + "x" * count),
        (longest_key, lambda count: '"' * (2 * count - 1)),
        (longest_key, lambda count: '"\\\n' * count),
        (lines_of, lambda count: "x = " + "[" * (count // 20) + "1," * (count // 2) + "]" * (count // 20)),
    ],
)
def test_a_text_of_a_megabyte_is_read(call, text):
    """In a moment, because nothing is read twice; in quadratic time it would take hours."""
    assert call(text(200_000))
