"""Reading any file: hostile ones too get a short sentence, with the line."""

import pytest

from deadwood import DataError
from deadwood.engine.board import built_in_board, load_board, parse_board
from deadwood.engine.deck import load_deck, parse_deck
from deadwood.engine.loading import Item, convert, locating, parse_toml

from .data_files import BOARD


def test_a_file_that_cannot_be_read(tmp_path):
    with pytest.raises(DataError, match=r"none.toml: cannot be read"):
        load_deck(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes(b'name = "\xe9"')
    with pytest.raises(DataError, match=r"latin.toml: cannot be read"):
        load_deck(tmp_path / "latin.toml")


def test_endless_nesting_is_refused():
    with pytest.raises(DataError, match=r"deep.toml: "):
        parse_toml("name = " + "[" * 100_000, dict, "deep.toml")


def test_numbers_that_are_too_long_to_read_are_refused():
    with pytest.raises(DataError, match=r"deep.toml: a number has too many digits"):
        parse_toml("a = " + "1" * 5_000, dict, "deep.toml")


def test_a_line_is_that_of_the_nearest_entry_there_is():
    with pytest.raises(DataError) as caught, locating("a = 1\n[[b]]\nname = 'x'\n"):
        raise DataError("wrong", place=("b", Item("x"), "missing"))
    assert caught.value.line == 2
    with pytest.raises(DataError) as caught, locating("a = 1\n"):
        raise DataError("wrong", place=("b", Item("x")))
    assert caught.value.line is None


@pytest.mark.parametrize("text", ["a = ", "a = 1", "a = { 5 = 1 }", "a = 0x" + "f" * 6_000, "a = " + "[" * 5_000])
def test_looking_for_a_line_never_fails(text):
    with pytest.raises(DataError, match="wrong") as caught, locating(text):
        raise DataError("wrong", place=("a", Item("x"), 5, "b"))
    assert caught.value.line in (None, 1)


def test_an_entry_of_a_bare_list_is_named():
    with pytest.raises(DataError, match=r"^file: entry number 2: must be a whole number, not 'x'$"):
        convert([1, "x"], list[int], "file")
    with pytest.raises(DataError, match=r"^file: Expected `float`, got `str`, not 'x'$"):  # no file format has a float
        convert("x", float, "file")


@pytest.mark.parametrize("parse", [parse_deck, parse_board])
def test_an_xml_file_is_told_from_broken_toml(parse):
    with pytest.raises(DataError, match="this is XML, not TOML; 'deadwood deck import' turns"):
        parse('\n<?xml version="1.0"?>\n<cards/>\n')


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "the field"),
        ("\0", "Invalid statement"),
        ("a = " + "[" * 30_000, "nested too deeply"),
        ("a" + ".a" * 30_000 + " = 1", "a key has more than 16 parts"),
        ("[a" + ".a" * 30_000 + "]", "a key has more than 16 parts"),
        ("x = { a" + " . 'a'" * 10_000 + " = 1 }", "a key has more than 16 parts"),
        ("name = " + "[" * 51, "nested too deeply; 50 inside each other are allowed (line 1)"),
        ("name = 1\nx = " + "[" * 50 + "]" * 50, "name: must be a text"),
        ("name = " + "[" * 491 + "]" * 491, "nested too deeply"),
        ("name = " + "{ a = " * 491 + "1" + "}" * 491, "nested too deeply"),
        ("name = 0x" + "f" * 6_000, "not a number with thousands of digits (line 1)"),
        ('name = "x"\ncards = [{ number = 0x' + "f" * 6_000 + " }]", "card a number with thousands of digits"),
        ('"x` - at `$.foo" = 1', "there is no field 'x"),
        ('"x` - at `$.foo[3]" = 1', "there is no field 'x"),
        ('"x` - at `$[3]" = 1', "there is no field 'x"),
        ("a = " + "9" * 5_000, "too many digits"),
        ('name = "' + "x" * 60_000 + '"', ""),
        ('name = "x"\ncards = [' + "{}," * 10_000 + "]", "there may be at most 200"),
        (f"{'y' * 60_000} = 1", "there is no field 'yyy"),
        (f'name = "x"\ncards = []\n{"y" * 60_000} = 1', "there must be at least 1"),
    ],
)
@pytest.mark.parametrize("parse", [parse_deck, parse_board])
def test_hostile_texts_get_a_short_sentence(parse, text, problem):
    with pytest.raises(DataError) as caught:
        parse(text)
    assert len(str(caught.value)) < 400
    if parse is parse_deck:
        assert problem in str(caught.value)


def test_a_quote_that_was_forgotten_is_not_taken_for_a_long_key():
    for broken in ('"Well' + "." * 20 + " what?", "'1.2.3.4.5.6.7.8.9.10.11.12.13.14.15.16.17", "Well" + ".no" * 20):
        text = f'name = "x"\n[[cards]]\ntitle = {broken}\nscene = 1\n'
        with pytest.raises(DataError, match=r"\(line 3\)$") as caught:
            parse_deck(text)
        assert "a key" not in str(caught.value)


def test_a_key_of_too_many_parts_is_named_with_its_line():
    with pytest.raises(DataError, match=r"a key has more than 16 parts \(line 2\)"):
        parse_deck('name = "x"\na' + ".a" * 16 + " = 1")


def test_windows_lines_and_a_byte_order_mark_do_not_matter(tmp_path):
    file = tmp_path / "board.toml"
    file.write_bytes(b"\xef\xbb\xbf" + BOARD.replace("\n", "\r\n").encode())
    assert load_board(file) == built_in_board()
