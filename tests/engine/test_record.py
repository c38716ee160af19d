"""Records: writing, reading, and the error for every broken line.

Holds `engine.replay`.
"""

import re
from random import Random

import pytest
from hypothesis import given, settings

from deadwood import Game, Options, RecordError, Seat, load_board, load_deck, narrate, verify
from deadwood.engine.chance import FastDice
from deadwood.engine.loading import DATA
from deadwood.engine.record import format_record, parse_record

from ..strategies import games

RECORD = """deadwood record 1
players: Ada; Bo; Émile Zola
seats: red person; blue bot regular; green person
options: deck=classic layout=GM/CH ties=later bonus=roles days=3 dice=fair
first: Bo
drawn: first
commitment: 48428bdb7ddd829410d6bbb924fdeb3a3d7e88c2577bffae073b990c6f061d08
seed: 0000000000000000000000000000000000000000000000000000000000000007

Bo: move saloon = card 17
Bo: take extra 1
Émile Zola: move main-street = card 4
Émile Zola: end
Ada: end
Bo: act = 5
"""


def test_a_record_reads_and_writes_the_same():
    game = Game.from_record(RECORD)
    assert game.record() == RECORD
    assert game.seats == (Seat("red"), Seat("blue", "regular"), Seat("green"))
    assert game.state.table.options.first == "Bo"
    assert game.state.players[1].dollars == 1


@settings(max_examples=15)
@given(games())
def test_whole_games_read_back(game):
    text = game.record()
    again = Game.from_record(text)
    assert again.record() == text
    assert again.state == game.state
    assert again.events == game.events


def test_windows_line_ends_and_a_byte_order_mark_are_read(tmp_path):
    path = tmp_path / "game.deadwood"
    path.write_bytes(b"\xef\xbb\xbf" + RECORD.replace("\n", "\r\n").encode())
    assert Game.load(path).record() == RECORD
    assert Game.from_record("\ufeff" + RECORD).record() == RECORD


def test_names_in_lines_are_compared_as_everywhere():
    assert Game.from_record(RECORD.replace("\nÉmile", "\nE\N{COMBINING ACUTE ACCENT}mile")).record() == RECORD


def test_a_record_without_a_commitment_is_given_one_with_its_seed():
    bare = "".join(line for line in RECORD.splitlines(keepends=True) if not line.startswith("commitment"))
    assert Game.from_record(bare).record() == RECORD


def test_headers_may_come_in_any_order_and_seats_may_be_missing():
    lines = RECORD.split("\n")
    lines[1], lines[3] = lines[3], lines[1]
    del lines[2]
    game = Game.from_record("\n".join(lines))
    assert "seats:" not in format_record(parse_record("\n".join(lines)))
    assert [seat.colour for seat in game.seats] == ["red", "blue", "green"]


def test_drawn_first_and_layout_are_both_kept():
    game = Game.new(["Ada", "Bo"], Options(layout="random"), seed=3)
    assert "\ndrawn: first; layout\n" in game.record()
    assert Game.from_record(game.record()).state == game.state


BREAKS = [
    ("deadwood record 1", "deadwood record 2", 1, "starts with 'deadwood record 2'"),
    ("deadwood record 1", "", 1, "not a record"),
    ("players: Ada; Bo; Émile Zola", "players: Ada; Bo; ada", 2, "'ada' is taken"),
    ("players: Ada; Bo; Émile Zola", "players: Ada", 2, "2 to 8 players, not for 1"),
    ("players: Ada; Bo; Émile Zola", "players:", 2, "not for 0"),
    ("seats: red person", "seats: mauve person", 3, "no colour 'mauve'"),
    ("seats: red person; ", "seats: ", 3, "3 players need 3 seats, not 2"),
    ("red person", "red alien", 3, "'red alien' is not a seat"),
    ("ties=later", "ties=coin", 4, "cannot be 'coin'"),
    ("ties=later ", "", 4, "each of deck, layout"),
    ("ties=later", "ties=later ties=later", 4, "must appear once"),
    ("ties=later", "sudden=death", 4, "must appear once"),
    ("days=3", "days=x", 4, "days=3"),
    ("days=3", "days=" + "3" * 5000, 4, "days=3"),
    ("days=3", "days=\N{ARABIC-INDIC DIGIT THREE}", 4, "days=3"),
    ("days=3", "days=7", 4, "a whole number from 1 to 4, not 7"),
    ("layout=GM/CH", "layout=random", 4, "names the layout that was drawn"),
    ("layout=GM/CH", "layout=GM", 4, "lacks the section"),
    ("deck=classic", "deck=poker", 4, "cannot be 'poker'"),
    ("deck=classic", "deck=custom:00", 4, "a custom deck, custom:00"),
    ("dice=fair", "dice=fair board=custom:00", 4, "a custom board, custom:00"),
    ("first: Bo", "first: Cy", 5, "Nobody here is called 'Cy'"),
    ("first: Bo", "fist: Bo", 5, "'fist: Bo' is not a line of the header"),
    ("first: Bo\n", "", 8, "without a line 'first: …'"),
    ("drawn: first", "drawn: layout first", 6, "cannot have been drawn"),
    ("drawn: first", "drawn: first\ndrawn: first", 7, "'drawn' twice"),
    ("commitment: 48", "commitment: zz", 7, "64 hexadecimal digits"),
    ("commitment: 48", "commitment: 49", 7, "not the ones that the commitment promised"),
    ("seed: 00", "seed: 0", 8, "64 hexadecimal digits"),
    ("seed: 00", f"seed: {'0' * 64}; 00", 8, "64 hexadecimal digits were expected."),
    ("seed: 00", f"salts: {'; '.join(['a' * 64] * 9)}\nseed: 00", 8, "at most 8 times"),
    ("first: Bo", "first: random", 5, "Nobody here is called 'random'"),
    ("seed: 00", "salts:\nseed: 00", 8, "64 hexadecimal digits"),
    ("Bo: move saloon = card 17", "Bo: move church = card 17", 10, "no doorway from the Trailers to the Church"),
    ("Bo: move saloon = card 17", "Bo: fly saloon", 10, "'fly saloon' is not an action"),
    ("Bo: move saloon = card 17", "move saloon", 10, "a name, a colon and an action"),
    ("Bo: move saloon = card 17", "Ada: move saloon = card 17", 10, "the turn of 'Bo', not of 'Ada'"),
    ("Bo: move saloon = card 17", "Bo: move saloon", 10, "does not say everything"),
    ("Bo: move saloon = card 17", "Bo: move saloon = card 99", 10, "There is no card 99"),
    ("Bo: move saloon = card 17", "Bo: move saloon = 5", 10, "write 'card' and its number"),
    ("move main-street = card 4", "move main-street = card 17", 12, "has already been turned in this game"),
    ("Bo: take extra 1", "Bo: take extra 1 = 3", 11, "Nothing is rolled or turned for 'take extra 1'"),
    ("Bo: act = 5", "Bo: act = 7", 15, "A die shows 1 to 6, not 7"),
    ("Bo: act = 5", "Bo: act = 5 / 6 5", 15, "That is 2 too many"),
    ("Bo: act = 5", "Bo: act = card 5", 15, "write the die"),
    ("Bo: act = 5", "Bo: act = 5\nresult: Bo 3", 16, "the game is not over yet"),
    ("Bo: act = 5", "Bo: act = 5\nresult: Bo", 16, "is not a result"),
]


@pytest.mark.parametrize(("old", "new", "line", "sentence"), BREAKS)
def test_broken_records(old, new, line, sentence):
    assert old in RECORD
    with pytest.raises(RecordError) as caught:
        Game.from_record(RECORD.replace(old, new, 1))
    assert caught.value.line == line
    assert narrate(caught.value).startswith(f"Line {line}: ")
    assert sentence in narrate(caught.value)
    assert str(caught.value).startswith(f"line {line}: ")


def test_a_header_without_a_body_is_a_game_before_its_first_action():
    header = RECORD.split("\n\n", maxsplit=1)[0]
    assert Game.from_record(header).steps == ()


def finished(seed=5):
    game = Game.new(["Ada", "Bo"], Options(days=1), seed)
    dice = FastDice(seed)
    while not game.over:
        actions = game.legal_actions()
        game.play(actions[dice.pick(len(actions))])
    return game


def test_a_finished_game_needs_its_result():
    text = finished().record()
    body, result = text.rstrip().rsplit("\n", 1)
    with pytest.raises(RecordError) as caught:
        Game.from_record(body)
    assert result in narrate(caught.value)
    with pytest.raises(RecordError) as caught:
        Game.from_record(body + "\nresult: Ada 1; Bo 0\n")
    assert "not 'Ada 1; Bo 0'" in narrate(caught.value)
    with pytest.raises(RecordError, match="record after the end"):
        Game.from_record(f"{body}\nAda: end\n{result}\n")
    with pytest.raises(RecordError) as caught:
        Game.from_record(f"{text}Ada: end\n")
    assert caught.value.line == len(text.split("\n"))
    assert "another line follows" in narrate(caught.value)


def test_a_file_that_is_not_text(tmp_path):
    path = tmp_path / "game.deadwood"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RecordError) as caught:
        Game.load(path)
    assert "not UTF-8" in narrate(caught.value)
    assert path.read_bytes() == b"\xff\xfe\x00"


@pytest.fixture
def own_deck(tmp_path):
    text = (DATA / "classic.toml").read_text(encoding="utf-8").replace("budget = 4", "budget = 3")
    path = tmp_path / "easy.toml"
    path.write_text(text, encoding="utf-8")
    return load_deck(path)


@pytest.fixture
def own_board(tmp_path):
    text = (DATA / "board.toml").read_text(encoding="utf-8").replace("dollars = [4,", "dollars = [3,")
    path = tmp_path / "cheap.toml"
    path.write_text(text, encoding="utf-8")
    return load_board(path)


@pytest.fixture
def own_record(own_board, own_deck):
    return Game.new(["Ada", "Bo"], seed=1, board=own_board, deck=own_deck).record()


def test_a_record_brings_a_custom_board_and_deck_along(own_record, own_board, own_deck):
    assert f"deck=custom:{own_deck.fingerprint}" in own_record
    assert f"board=custom:{own_board.fingerprint}" in own_record
    table = Game.from_record(own_record).state.table
    assert (table.deck, table.board) == (own_deck, own_board)
    assert Game.from_record(own_record).record() == own_record
    assert Game.from_record(own_record, board=own_board, deck=own_deck).record() == own_record
    assert {check.verdict for check in verify(own_record)} == {"passed", "unknown"}


def test_a_finished_record_closes_with_its_result_before_what_is_attached(own_deck):
    game = Game.new(["Ada", "Bo"], Options(days=1), seed=3, deck=own_deck)
    chance = Random(3)
    while not game.over:
        game.play(chance.choice(game.legal_actions()))
    _, blank, attached, first, *_ = game.record().split("result:")[1].split("\n")
    assert (blank, attached, first) == ("", "attached deck:", f'| name = "{own_deck.name}"')
    assert Game.from_record(game.record()).standings() == game.standings()
    assert {check.verdict for check in verify(game.record())} == {"passed"}


def test_a_player_may_be_called_as_an_attachment_is_announced(own_deck):
    game = Game.new(["attached deck", "| Bo"], Options(first="attached deck"), seed=1, deck=own_deck)
    game.play("end")
    game.play("end")
    assert Game.from_record(game.record()).record() == game.record()


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (
            "| budget = 3",
            "| budget = 9",
            "attached deck cannot be played with: card .*must be at most 6",
        ),
        ("| budget = 3", "| budget == 3", "The attached deck cannot be played with: "),
        ('| title = "', '| title = "\u200f', r"card \d+: title: remove the invisible character U\+200F"),
        ("| budget = 3", "budget = 3", "'budget = 3' is not part of an attached file"),
        ("attached board:", "attached deck:", "There are two lines 'attached deck:'"),
        ("| dollars = [3,", "| dollars = [30,", "The attached board cannot be played on: prices.dollars"),
        ("| dollars = [3,", "| dollars = [2,", "This game was played on a custom board"),
        ("| budget = 3", "| budget = 2", "This game was played with the deck custom:"),
    ],
)
def test_an_attachment_that_was_changed(own_record, old, new, problem):
    before, after = own_record.split("\n"), own_record.replace(old, new, 1).split("\n")
    with pytest.raises(RecordError) as caught:
        Game.from_record("\n".join(after))
    assert re.search(problem, narrate(caught.value))
    changed = next(number for number, lines in enumerate(zip(before, after, strict=True), 1) if lines[0] != lines[1])
    assert caught.value.line in (changed, 4)  # the options hold the fingerprint


def test_an_attachment_that_is_too_big(own_record):
    text = own_record.replace("| budget = 3", "| budget = 3 # " + "x" * 65_536, 1)
    with pytest.raises(RecordError) as caught:
        Game.from_record(text)
    assert re.search(r"played with: the file may have at most 65,536 bytes, not \d\d,\d{3}\.", narrate(caught.value))
    assert caught.value.line == text.split("\n").index("attached deck:") + 1


def test_a_custom_board_and_deck_that_are_not_attached_must_be_given(own_record, own_board, own_deck):
    text = own_record.split("\nattached deck:")[0]
    assert Game.from_record(text, board=own_board, deck=own_deck).record() == own_record
    with pytest.raises(RecordError) as caught:
        Game.from_record(text, board=own_board)
    assert "a custom deck" in narrate(caught.value)
    with pytest.raises(RecordError) as caught:
        Game.from_record(text, deck=own_deck)
    assert "a custom board" in narrate(caught.value)


def test_another_board_or_deck_than_the_recorded_one_is_refused(own_board, own_deck):
    with pytest.raises(RecordError) as caught:
        Game.from_record(RECORD, deck=own_deck)
    assert "with the deck classic, not with custom:" in narrate(caught.value)
    with pytest.raises(RecordError) as caught:
        Game.from_record(RECORD, board=own_board)
    assert "the built-in board" in narrate(caught.value)
