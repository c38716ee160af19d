"""Which boards and decks a game can be played with."""

import pytest
from msgspec.structs import replace

from deadwood import DataError, Game, Options, SetupError, narrate
from deadwood.engine.board import built_in_board, load_board
from deadwood.engine.deck import Deck, built_in_deck, format_deck, load_deck, parse_deck
from deadwood.engine.table import most_days

from .data_files import BOARD, card, role, write


def test_custom_boards_and_decks_are_values(tmp_path):
    board = load_board(write(tmp_path, "board.toml", BOARD.replace("dollars = [4,", "dollars = [3,")))
    cards = "".join(card(n, f"T{n}", 2, role(1, f"R{n}")) for n in range(1, 31))
    deck = load_deck(write(tmp_path, "deck.toml", 'name = "own"\n' + cards))
    own, usual = Game.new(["Ada", "Bo"], board=board, deck=deck, seed=1), Game.new(["Ada", "Bo"], seed=1)
    assert own.state.table.board.prices.dollars[0] == 3
    assert usual.state.table.board.prices.dollars[0] == 4
    assert len(own.state.unseen) == 30
    assert own.state.table.options.deck == f"custom:{deck.fingerprint}"


def test_a_deck_must_have_a_card_for_every_set_and_day(tmp_path):
    cards = "".join(card(n, f"T{n}", 2, role(1, f"R{n}")) for n in range(1, 30))
    deck = load_deck(write(tmp_path, "deck.toml", 'name = "own"\n' + cards))
    assert Game.new(["Ada", "Bo"], Options(days=2), deck=deck)
    with pytest.raises(SetupError) as caught:
        Game.new(["Ada", "Bo"], deck=deck)
    assert narrate(caught.value) == "A game of 3 days needs 30 cards, but the deck has 29."


def test_a_small_deck_is_enough_for_a_short_game():
    classic = built_in_deck("classic")
    small = parse_deck(format_deck(replace(classic, name="small", cards=classic.cards[:10])))
    assert Game.new(["Ada", "Bo"], Options(days=1), deck=small).state.table.cards == classic.cards[:10]
    assert (most_days(small), most_days(classic)) == (1, 4)


def test_a_board_or_deck_made_by_hand_is_checked_too():
    first, *others = built_in_deck("classic").cards
    for wrong in (replace(first, budget=9), replace(first, number=2), replace(first, roles=first.roles[::-1])):
        with pytest.raises(DataError, match="mine: "):
            Game.new(["Ada", "Bo"], deck=Deck("mine", (wrong, *others)))
    board = built_in_board()
    with pytest.raises(DataError, match="prices must rise"):
        Game.new(["Ada", "Bo"], board=replace(board, prices=replace(board.prices, dollars=(5, 4, 3, 2, 1))))
    with pytest.raises(DataError, match="mine: "):
        Game.new(["Ada", "Bo"], deck=Deck("mine", (object(), *others)))
