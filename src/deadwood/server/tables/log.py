"""What a table's log holds: every change of it, in order. The log is the truth; all else can be made of it again."""

from msgspec import Struct
from msgspec.json import Decoder, Encoder

from ...engine.options import Options


class Chair(Struct, frozen=True, omit_defaults=True):
    """Somebody at a table. A person has the hash of a token, a bot has a level; `salt` is there when ready."""

    id: int
    name: str
    colour: str
    bot: str | None = None
    token: str | None = None
    salt: str | None = None


class Opened(Struct, frozen=True, tag="opened"):
    """A game is to be played here. It says all that is so at this moment: no entry before it is needed any more."""

    game: int
    public: bool
    options: Options
    seed: str
    host: int | None
    chairs: tuple[Chair, ...]
    next_chair: int
    left: dict[str, int] = {}  # hashes of tokens that are worth nothing any more, and the seats they held


class Sat(Struct, frozen=True, tag="sat"):
    """A person or a bot took a seat."""

    chair: Chair


class Left(Struct, frozen=True, tag="left"):
    """A seat is empty again; `kicked` if the host wanted it so."""

    seat: int
    kicked: bool = False


class Chosen(Struct, frozen=True, tag="chosen"):
    """The host chose other options."""

    options: Options


class Readied(Struct, frozen=True, tag="readied"):
    """A person is ready, with a salt for the dice, or no longer."""

    seat: int
    salt: str | None


class Started(Struct, frozen=True, tag="started"):
    """The first day begins."""


class Played(Struct, frozen=True, tag="played"):
    """An action of the active player's, in notation, and what chance made of it."""

    action: str
    outcome: str = ""


class Undone(Struct, frozen=True, tag="undone"):
    """The last action was taken back."""


Body = Opened | Sat | Left | Chosen | Readied | Started | Played | Undone

encode_body = Encoder().encode
decode_body = Decoder(Body).decode


class Entry(Struct, frozen=True):
    """One line of a log. `by` is the seat that wanted it, 0 for none; `command` the id it gave its wish."""

    code: str
    seq: int
    at: float
    by: int
    command: str
    body: Body
