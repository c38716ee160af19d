"""What a table's log holds: every change, in order. The log is the truth; everything else can be rebuilt from it.

Entries are stored for ever, so the names they are encoded with never change, and new fields have defaults.
"""

from msgspec import Struct, field
from msgspec.json import Decoder, Encoder

from ...engine.board import Board
from ...engine.deck import Deck
from ...engine.options import Options


class Chair(Struct, frozen=True, omit_defaults=True):
    """Somebody at a table. A person has the hash of a token, a bot has its name; `salt` is there when ready."""

    id: int
    name: str
    colour: str
    bot: str | None = None
    token: str | None = None
    salt: str | None = None


class Opened(Struct, frozen=True, tag="opened"):
    """A new game opens. It holds all that matters from before, so no earlier entry is ever needed again."""

    game: int
    public: bool
    options: Options
    seed: str
    host: int | None
    chairs: tuple[Chair, ...]
    next_chair: int
    left: dict[str, int] = {}  # hashes of tokens that were given up, and the chairs they held
    deck: Deck | None = None  # instead of the one that the options name
    board: Board | None = None
    started: bool = False  # its first day begins with this entry: everybody agreed to play again


class Sat(Struct, frozen=True, tag="sat"):
    """A person or a bot took a chair."""

    chair: Chair


class Left(Struct, frozen=True, tag="left"):
    """A chair is empty again; `removed` if that was the host's wish."""

    chair: int = field(name="seat")
    removed: bool = field(name="kicked", default=False)


class Chosen(Struct, frozen=True, tag="chosen"):
    """The host changed the options."""

    options: Options


class DeckSwapped(Struct, frozen=True, tag="deck_swapped"):
    """The host brought a deck, or returned to the one that the options name."""

    deck: Deck | None


class BoardSwapped(Struct, frozen=True, tag="board_swapped"):
    """The host brought a board, or returned to the built-in one; `layout` is the option from then on."""

    board: Board | None
    layout: str


class Readied(Struct, frozen=True, tag="readied"):
    """A person is ready, with a salt for the dice, or no longer."""

    chair: int = field(name="seat")
    salt: str | None


class Started(Struct, frozen=True, tag="started"):
    """The first day begins."""


class Played(Struct, frozen=True, tag="played"):
    """An action of the active player, in notation, and its outcome."""

    action: str
    outcome: str = ""


class Undone(Struct, frozen=True, tag="undone"):
    """The last action was taken back."""


class Corrected(Struct, frozen=True, tag="corrected"):
    """What came up for the last action was mistyped; this is what really came up."""

    outcome: str


class Agreed(Struct, frozen=True, tag="agreed"):
    """After a game: a person wants another one, with a salt for its dice, or no longer does."""

    chair: int
    salt: str | None


Body = (
    Opened | Sat | Left | Chosen | DeckSwapped | BoardSwapped | Readied | Started | Played | Undone | Corrected | Agreed
)

encode_body = Encoder().encode
decode_body = Decoder(Body).decode


class Entry(Struct, frozen=True):
    """One line of a log. `by` is the chair that sent the command, 0 for none; `command` is the command's id."""

    code: str
    seq: int
    at: float
    by: int
    command: str
    body: Body
