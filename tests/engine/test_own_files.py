"""Decks and boards that people write: the text of a whole file, lines of errors, limits, and the JSON Schema."""

import pickle
import re
import tomllib

import jsonschema
import msgspec
import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from deadwood import DataError, Game, Options
from deadwood.engine.board import Board, built_in_board, format_board, load_board, parse_board
from deadwood.engine.deck import BUILT_IN_DECKS, Deck, built_in_deck, format_deck, load_deck, parse_deck
from deadwood.engine.loading import DATA, FILE_BYTES, Item, convert, locating, parse_toml
from deadwood.engine.refusal import Wording
from deadwood.engine.schema import board_schema, deck_schema
from deadwood.engine.toml_lines import lines_of, longest_key

from ..strategies import boards, decks

CLASSIC = (DATA / "classic.toml").read_text("utf-8")
BOARD = (DATA / "board.toml").read_text("utf-8")


@given(decks())
@settings(max_examples=40)
def test_a_deck_survives_its_text(deck):
    assert parse_deck(format_deck(deck)) == deck


@given(boards())
@settings(max_examples=10, deadline=None)
def test_a_board_survives_its_text(board):
    text = format_board(board)
    assert parse_board(text) == board
    assert "[\n    [" not in text  # points stay on one line


@pytest.mark.parametrize("name", BUILT_IN_DECKS)
def test_built_in_decks_survive_their_text(name):
    assert parse_deck(format_deck(built_in_deck(name))) == built_in_deck(name)


def test_the_built_in_board_survives_its_text():
    assert parse_board(format_board(built_in_board())) == built_in_board()


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


def line_of(text, part):
    return text[: text.index(part)].count("\n") + 1


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("budget = 3", "budget = 9", "card 2: budget: must be at most 6, not 9"),
        ("number = 3\n", "number = 2\n", "card 2: card numbers must be unique"),
        ('title = "High Noonish"', 'title = "A Stranger in the Wrong Town"', "both have the title"),
        ('rank = 5, name = "Sheriff', 'rank = 1, name = "Sheriff', "rank 1 follows rank 2"),
        ('rank = 5, name = "Sheriff', 'rank = 5, names = "Sheriff', "there is no field 'names'"),
        ('name = "Town Clock"', 'name = "Puzzled Stable Hand"', "both have the name"),
        ("scene = 37\n", "scene = 37\nfilm = 3\n", "there is no field 'film'"),
        ("scene = 37", "scene == 37", "Invalid value"),
        ("scene = 37", f"scene = {10**9}", "must be at most 9999"),
        ('name = "classic"\n', 'name = "a"\nextends = "../b.toml"\n', "extends: must be classic or studio here"),
        ("Town Clock", "\u202ekcolC nwoT", r"name: remove the invisible character U\+202E; it would change how"),
        ("High Noonish", "High Noonish" * 10, "must have at most 100 characters"),
    ],
)
def test_errors_name_the_line(old, new, problem):
    text = CLASSIC.replace(old, new, 1)
    with pytest.raises(DataError, match=problem) as caught:
        parse_deck(text)
    wrong = line_of(text, new.rstrip("\n").rpartition("\n")[2])
    if new.startswith("number"):
        wrong = line_of(text, new + 'title = "Leave') - 1  # a card begins above its number
    if "A Stranger" in new:
        wrong = line_of(text, f"{new}\nscene = 37")
    if "Stable" in new:
        wrong = line_of(text, 'name = "Puzzled Stable Hand", line = "Bong')
    assert caught.value.line == wrong
    assert str(caught.value).endswith(f"(line {wrong})")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('initial = "M"', 'initial = "Mm"'),
        ("dollars = [4, 10,", "dollars = [4, 4,"),
        ("second = \"H'M/CG'\"", 'second = "HM/CX"'),
        ("second = \"H'M/CG'\"", 'second = "HM"'),
        ("vertical = [90, 360]", "vertical = [90, 350]"),
        ('between = ["Jail", "General Store"]', 'between = ["Moon", "General Store"]'),
        ("label = [366, 30, 160, 26]", "label = [366, 30, 1600, 26]"),
        ('name = "Deputy Without Keys"', 'name = "Ambitious Tunnel Digger"'),
        ("width = 56", "width = 0"),
    ],
)
def test_errors_of_a_board_name_the_line(old, new):
    text = BOARD.replace(old, new, 1)
    with pytest.raises(DataError) as caught:
        parse_board(text)
    assert caught.value.line == line_of(BOARD, old)


@pytest.mark.parametrize("parse", [parse_deck, parse_board])
def test_an_xml_file_is_told_from_broken_toml(parse):
    with pytest.raises(DataError, match="this is XML, not TOML; 'deadwood deck import' turns"):
        parse('\n<?xml version="1.0"?>\n<cards/>\n')


def test_an_error_in_a_file_that_is_extended_names_that_file_and_its_line(tmp_path):
    (tmp_path / "base.toml").write_text(CLASSIC.replace("budget = 3", "budget = 9", 1), "utf-8")
    own = tmp_path / "own.toml"
    own.write_text('name = "own"\nextends = "base.toml"\ncards = [{ number = 999 }]\n', "utf-8")
    with pytest.raises(DataError, match=r"own.toml: card 999: the field 'title' is missing \(line 3\)"):
        load_deck(own)
    own.write_text('name = "own"\nextends = "base.toml"\n' + CLASSIC.split("\n", 1)[1], "utf-8")
    line = line_of(CLASSIC, "budget = 3")
    with pytest.raises(DataError, match=rf"base.toml: card 2: budget: must be at most 6, not 9 \(line {line}\)"):
        load_deck(own)


def test_an_entry_that_is_in_another_file_has_the_line_of_the_list(tmp_path):
    card = '\n[[cards]]\nnumber = {0}\ntitle = "T{0}"\nscene = 1\ndescription = "D"\nbudget = 2\nroles = [{1}]\n'
    role = '{ rank = 1, name = "Twin", line = "L" }'
    (tmp_path / "base.toml").write_text('name = "base"' + card.format(9, role), "utf-8")
    (tmp_path / "own.toml").write_text('name = "own"\nextends = "base.toml"' + card.format(1, role), "utf-8")
    with pytest.raises(DataError, match=r"role 1 of card 1 and role 1 of card 9: both have the name 'Twin' \(line 3\)"):
        load_deck(tmp_path / "own.toml")


def test_an_error_travels_between_processes():
    error = pickle.loads(pickle.dumps(DataError("deck", Wording("no {x}", {"x": 1}), line=3)))
    assert (error.problem, error.line, str(error)) == ("deck: no 1", 3, "deck: no 1 (line 3)")


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


def test_a_quote_that_was_forgotten_is_not_taken_for_a_long_key():
    for broken in ('"Well' + "." * 20 + " what?", "'1.2.3.4.5.6.7.8.9.10.11.12.13.14.15.16.17", "Well" + ".no" * 20):
        text = f'name = "x"\n[[cards]]\ntitle = {broken}\nscene = 1\n'
        with pytest.raises(DataError, match=r"\(line 3\)$") as caught:
            parse_deck(text)
        assert "a key" not in str(caught.value)


def test_a_key_of_too_many_parts_is_named_with_its_line():
    with pytest.raises(DataError, match=r"a key has more than 16 parts \(line 2\)"):
        parse_deck('name = "x"\na' + ".a" * 16 + " = 1")


def test_a_deck_has_at_most_two_hundred_cards():
    card = (
        '{{ number = {0}, title = "T{0}", scene = 1, description = "D", budget = 2, '
        'roles = [{{ rank = 1, name = "N{0}", line = "L" }}] }},'
    )
    cards = [card.format(number) for number in range(1, 202)]
    assert len(parse_deck(f'name = "big"\ncards = [\n{chr(10).join(cards[:-1])}]').cards) == 200
    with pytest.raises(DataError, match=r"^deck: cards: there may be at most 200, not 201 \(line 2\)$"):
        parse_deck(f'name = "big"\ncards = [\n{chr(10).join(cards)}]')
    with pytest.raises(DataError, match="cards: there may be at most 200"):
        parse_deck(f'name = "big"\nextends = "classic"\ncards = [\n{chr(10).join(cards[40:])}]')


def test_a_file_to_share_may_not_be_too_big(tmp_path):
    with pytest.raises(DataError, match=r"^own: the file may have at most 65,536 bytes, not 8\d,\d{3}$"):
        parse_deck(CLASSIC + "#" * FILE_BYTES, "own")
    with pytest.raises(DataError, match=r"^board: the file may have at most 65,536 bytes, not 7\d,\d{3}$"):
        parse_board(BOARD + "#" * FILE_BYTES)
    assert parse_board(BOARD + "#" * (FILE_BYTES - len(BOARD.encode()))) == built_in_board()
    title = built_in_deck("classic").cards[0].description
    with pytest.raises(DataError, match=r"with all its cards the deck has .* bytes, but may have at most 65,536"):
        parse_deck(f'name = "a"\nextends = "studio"\ncards = [\n{chr(10).join(many_cards(100, title * 4))}]')


def many_cards(count, description="D"):
    card = (
        '{{ number = {0}, title = "T{0}", scene = 1, description = "{1}", budget = 2, '
        'roles = [{{ rank = 1, name = "N{0}", line = "L" }}] }},'
    )
    return [card.format(number, description[:400]) for number in range(101, 101 + count)]


MANY_LAYOUTS = "[layouts]\n" + "".join(f'l{number} = "GM/CH"\n' for number in range(20))
OLDER_DECKS = {
    "many cards": 'name = "big"\ncards = [\n' + "\n".join(many_cards(250)) + "]",
    "a long title": CLASSIC.replace("High Noonish", "High Noonish" * 10),
    "a long description": CLASSIC.replace('description = "', 'description = "' + "x" * 400, 1),
    "a big scene": CLASSIC.replace("scene = 37", "scene = 10000"),
    "a character that turns the text": CLASSIC.replace("Town Clock", "Town\u200f Clock"),
    "a big file": CLASSIC + "#" * FILE_BYTES,
}
OLDER_BOARDS = {
    "high prices": BOARD.replace("dollars = [4, 10, 18, 28, 40]", "dollars = [4, 10, 18, 28, 100000]"),
    "many layouts": re.sub(r"\[layouts\].*\n", MANY_LAYOUTS, BOARD),
    "wide doorways": BOARD.replace("width = 56", "width = 560"),
    "a big file": BOARD + "#" * FILE_BYTES,
}


@pytest.mark.parametrize("name", OLDER_DECKS)
def test_a_deck_older_than_the_limits_is_played_with_but_not_shared(tmp_path, name):
    file = tmp_path / "own.toml"
    file.write_text(OLDER_DECKS[name], "utf-8")
    deck = load_deck(file)
    with pytest.raises(DataError):
        parse_deck(OLDER_DECKS[name])
    assert msgspec.json.decode(msgspec.json.encode(deck), type=Deck) == deck
    record = Game.new(["Ada", "Bo"], deck=deck, seed=1).record()
    assert "attached" not in record  # an attachment must keep to the limits
    assert Game.from_record(record, deck=deck).record() == record


@pytest.mark.parametrize("name", OLDER_BOARDS)
def test_a_board_older_than_the_limits_is_played_on_but_not_shared(tmp_path, name):
    file = tmp_path / "own.toml"
    file.write_text(OLDER_BOARDS[name], "utf-8")
    board = load_board(file)
    with pytest.raises(DataError):
        parse_board(OLDER_BOARDS[name])
    assert msgspec.json.decode(msgspec.json.encode(board), type=Board) == board
    record = Game.new(["Ada", "Bo"], board=board, seed=1).record()
    assert "attached" not in record  # an attachment must keep to the limits
    assert Game.from_record(record, board=board).record() == record


def test_limits_pass_over_what_has_the_wrong_type():
    with pytest.raises(DataError, match="prices: must be a table"):
        parse_board('name = "x"\nprices = 3\nlayouts = [1]\nsections = [1, { areas = 3 }]\n')


def test_windows_lines_and_a_byte_order_mark_do_not_matter(tmp_path):
    file = tmp_path / "board.toml"
    file.write_bytes(b"\xef\xbb\xbf" + BOARD.replace("\n", "\r\n").encode())
    assert load_board(file) == built_in_board()


def test_numbers_that_are_too_long_to_read_are_refused():
    with pytest.raises(DataError, match=r"deep.toml: a number has too many digits"):
        parse_toml("a = " + "1" * 5_000, dict, "deep.toml")


def test_a_small_deck_is_enough_for_a_short_game():
    classic = built_in_deck("classic")
    small = parse_deck(format_deck(replace(classic, name="small", cards=classic.cards[:10])))
    assert Game.new(["Ada", "Bo"], Options(days=1), deck=small).state.table.cards == classic.cards[:10]


def validator(schema):
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    return kind(schema)


@pytest.mark.parametrize("name", BUILT_IN_DECKS)
def test_decks_fit_their_schema(name):
    validator(deck_schema()).validate(tomllib.loads((DATA / f"{name}.toml").read_text("utf-8")))
    validator(deck_schema()).validate(tomllib.loads(format_deck(built_in_deck(name))))


def test_the_board_fits_its_schema():
    validator(board_schema()).validate(tomllib.loads(BOARD))
    validator(board_schema()).validate(tomllib.loads(format_board(built_in_board())))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("budget = 3", "budget = 9"),
        ("scene = 37", 'scene = "37"'),
        ("scene = 37", "scene = 37\nfilm = 3"),
        ("rank = 5", "rank = 7"),
        ('title = "High Noonish"', 'title = " "'),
        ('title = "High Noonish"', ""),
    ],
)
def test_a_broken_deck_does_not_fit_the_schema(old, new):
    assert not validator(deck_schema()).is_valid(tomllib.loads(CLASSIC.replace(old, new, 1)))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("dollars = [4, 10, 18, 28, 40]", "dollars = [4, 10, 18, 28]"),
        ('initial = "G"', 'initial = "g"'),
        ('kind = "trailers"', 'kind = "tents"'),
        ("shots = 3", "shots = 4"),
        ("label = [46, 31, 180, 26]", "label = [46, 31, 180]"),
    ],
)
def test_a_broken_board_does_not_fit_the_schema(old, new):
    assert not validator(board_schema()).is_valid(tomllib.loads(BOARD.replace(old, new, 1)))


def test_everything_in_the_schemas_is_described():
    for schema in (deck_schema(), board_schema()):
        assert schema["$schema"].startswith("https://json-schema.org/")
        for kind in schema["$defs"].values():
            assert kind["description"]
