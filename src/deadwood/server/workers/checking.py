"""Decks and boards that people bring: parsed and checked."""

from ...engine.board import format_board, parse_board
from ...engine.deck import format_deck, parse_deck
from ..protocol.answers import CheckedBoard, CheckedDeck


def check_deck(text: str) -> CheckedDeck:
    """The deck, or a DataError that says what is wrong and where."""
    deck = parse_deck(text, "")
    return CheckedDeck(deck=deck, fingerprint=deck.fingerprint, toml=format_deck(deck))


def check_board(text: str) -> CheckedBoard:
    """The board, or a DataError that says what is wrong and where."""
    board = parse_board(text, "")
    return CheckedBoard(board=board, fingerprint=board.fingerprint, toml=format_board(board))
