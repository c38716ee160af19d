"""The messages that clients send, over the socket and over HTTP alike; `replies.py` has those that the server sends."""

from typing import Annotated

from msgspec import Meta, Struct

from ...engine.options import Options

MESSAGE_BYTES = 8 * 1024
RECORD_BYTES = 1_000_000
MOST_TOKENS = 8

# Patterns end with \Z: to Python, $ also matches before a newline at the end, which the log has no room for.
CommandId = Annotated[
    str, Meta(pattern=r"^[A-Za-z0-9_-]{1,64}\Z", max_length=64, description="The client's own name for a command.")
]
_SECRET = r"^[0-9a-f]{64}\Z"
Token = Annotated[
    str, Meta(pattern=_SECRET, max_length=64, description="256 random bits that the client made: the seat's key.")
]
Salt = Annotated[
    str, Meta(pattern=_SECRET, max_length=64, description="256 random bits that the client made, for the dice.")
]
Seq = Annotated[int, Meta(ge=0, le=2**31 - 1)]
SeatId = Annotated[int, Meta(ge=1, le=2**31 - 1)]
Short = Annotated[str, Meta(max_length=200)]


class Command(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    """A wish. A repeat with the same id, by the same seat, gets the first answer and changes nothing."""

    id: CommandId


class Hello(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="hello"):
    """The first message of a connection: the seats it holds, and the last number it has seen."""

    tokens: Annotated[tuple[Token, ...], Meta(max_length=MOST_TOKENS)] = ()
    since: Seq | None = None
    language: Short = "en"


class Sit(Command, frozen=True, kw_only=True, tag="sit"):
    """Take a seat at this table, before the game; this connection then holds it, too."""

    name: Short
    token: Token
    colour: Short | None = None


class Leave(Command, frozen=True, kw_only=True, tag="leave"):
    """Give up a seat that one holds, while no game is running."""

    seat: SeatId


class Remove(Command, frozen=True, kw_only=True, tag="remove"):
    """The host sends a person or a bot away, before the game."""

    seat: SeatId


class AddBot(Command, frozen=True, kw_only=True, tag="add_bot"):
    """The host asks a bot to play."""

    level: Short
    name: Short | None = None
    colour: Short | None = None


class Choose(Command, frozen=True, kw_only=True, tag="choose"):
    """The host chooses the options; everybody must say ready again."""

    options: Options


class Ready(Command, frozen=True, kw_only=True, tag="ready"):
    """Ready, with a salt for the dice; without one: not ready any more."""

    seat: SeatId
    salt: Salt | None = None


class Start(Command, frozen=True, kw_only=True, tag="start"):
    """The host starts the game; all people must be ready."""


class Move(Command, frozen=True, kw_only=True, tag="move"):
    """An action of the active player's, in notation; `seq` is the number that it is to have."""

    seq: Seq
    action: Short
    outcome: Short | None = None


class Undo(Command, frozen=True, kw_only=True, tag="undo"):
    """Take back one's last action; `seq` is the number that this is to have."""

    seq: Seq


class Rematch(Command, frozen=True, kw_only=True, tag="rematch"):
    """Another game with the same people and bots."""


class Hint(Command, frozen=True, kw_only=True, tag="hint"):
    """What the strongest bot thinks of every legal action."""


class Choices(Command, frozen=True, kw_only=True, tag="choices"):
    """Everything the active player could think of: with odds where possible, with the reason where not."""


class Sync(Command, frozen=True, kw_only=True, tag="sync"):
    """The present state, and what was missed since a number."""

    since: Seq


class Ping(Command, frozen=True, kw_only=True, tag="ping"):
    """Whether anybody is there, and how far the table is; it costs next to nothing."""


Change = Sit | Leave | Remove | AddBot | Choose | Ready | Start | Move | Undo | Rematch
Question = Hint | Choices | Sync | Ping
AnyCommand = Change | Question


class NewPerson(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A person who takes a seat."""

    name: Short
    token: Token
    colour: Short | None = None


class NewBot(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A bot that takes a seat."""

    level: Short
    name: Short | None = None
    colour: Short | None = None


class NewTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table to be made; without a host it needs bots alone, and starts at once, to be watched."""

    host: NewPerson | None = None
    bots: Annotated[tuple[NewBot, ...], Meta(max_length=8)] = ()
    options: Options = Options()
    public: bool = False
