"""How big a file to share may be; older ones that are bigger can still be played with."""

import re

import msgspec
import pytest

from deadwood import DataError, Game
from deadwood.engine.board import Board, built_in_board, load_board, parse_board
from deadwood.engine.deck import Deck, built_in_deck, load_deck, parse_deck
from deadwood.engine.loading import FILE_BYTES

from .data_files import BOARD, CLASSIC, many_cards


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
