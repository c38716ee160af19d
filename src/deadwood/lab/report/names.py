"""Names of sets and roles for the built-in board and decks; ids and numbers for custom ones."""

from msgspec import Struct

from ...engine.board import Area, Board, built_in_board
from ...engine.deck import BUILT_IN_DECKS, Card, built_in_deck
from ..run_file import RunHeader


class Names(Struct, frozen=True):
    """The names of a run's sets and roles."""

    board: Board | None
    cards: dict[int, Card]

    def set(self, area: str) -> str:
        """The name of a set."""
        return next((known.name for known in self._areas() if known.id == area), area)

    def star(self, card: int, number: int) -> str:
        """The name of a starring role on a card."""
        known = self.cards.get(card)
        return known.roles[number - 1].name if known else f"card {card}, star {number}"

    def extra(self, area: str, number: int) -> str:
        """The name of an extra role on a set."""
        for known in self._areas():
            if known.id == area:
                return known.extras[number - 1].name
        return f"{area}, extra {number}"

    def title(self, card: int) -> str:
        """The title of a scene card."""
        known = self.cards.get(card)
        return known.title if known else f"card {card}"

    def _areas(self) -> tuple[Area, ...]:
        return self.board.areas if self.board else ()


def names_of(header: RunHeader) -> Names:
    """The names for a run."""
    board = built_in_board()
    deck = built_in_deck(header.deck).cards if header.deck in BUILT_IN_DECKS else ()
    return Names(board if header.board == board.fingerprint else None, {card.number: card for card in deck})
