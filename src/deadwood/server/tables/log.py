"""What a table's log holds: every change, in order. The log is the truth; everything else can be rebuilt from it.

Entries are stored for ever, so the names they are encoded with never change, and new fields have defaults.
Where an earlier server would misunderstand an entry, `VERSION` goes up.
"""

from msgspec import DecodeError, Struct, field
from msgspec.json import Decoder, Encoder

from ...engine.board import Board
from ...engine.deck import Deck
from ...engine.options import Options
from ..protocol.commands import Agreement
from ..protocol.house import BEFORE, HouseRules
from ..protocol.refusals import refuse
from ..protocol.table_events import StandInReason


class Chair(Struct, frozen=True, omit_defaults=True):
    """Somebody at a table. A person has the hash of a token, a bot has its name; `salt` is there when ready.

    A remote bot has both: it plays from elsewhere.
    Somebody who left a running game for good has no token any more, but a `stand_in`: the bot that plays on.
    """

    id: int
    name: str
    colour: str
    bot: str | None = None
    token: str | None = None
    salt: str | None = None
    stand_in: str | None = None

    @property
    def own_bot(self) -> str | None:
        """The bot of this chair if the server itself plays it."""
        return None if self.bot is None or self.remote else self.bot

    @property
    def remote(self) -> bool:
        """Whether a program plays here from elsewhere, or did until it left."""
        return self.bot is not None and (self.token is not None or self.stand_in is not None)


class Opened(Struct, frozen=True, tag="opened"):
    """A new game opens. This entry holds all that still matters, so no earlier one is ever needed again."""

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
    house: HouseRules = BEFORE


class Sat(Struct, frozen=True, omit_defaults=True, tag="sat"):
    """A person or a bot took a chair, perhaps by an invitation; with `asks_again`, everybody must be ready again."""

    chair: Chair
    invitation: str | None = None
    asks_again: bool = False


class Left(Struct, frozen=True, omit_defaults=True, tag="left"):
    """A chair is empty again; `removed` if the host did it, which also `locks` the table against new people.

    With a `stand_in` the game was running: the chair stays, and this bot plays on.
    """

    chair: int = field(name="seat")
    removed: bool = field(name="kicked", default=False)
    locks: bool = False
    stand_in: str | None = None


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
    """A person is ready, with a salt for the dice, or no longer is."""

    chair: int = field(name="seat")
    salt: str | None


class Started(Struct, frozen=True, tag="started"):
    """The first day begins."""


class Played(Struct, frozen=True, omit_defaults=True, tag="played"):
    """An action of the active player, in notation, its outcome, and the bot that decided it for a person."""

    action: str
    outcome: str = ""
    by: str | None = None


class Undone(Struct, frozen=True, tag="undone"):
    """The last action was taken back."""


class Corrected(Struct, frozen=True, tag="corrected"):
    """What came up for the last action was mistyped; this is what really came up."""

    outcome: str


class Agreed(Struct, frozen=True, tag="agreed"):
    """After a game: a person wants another one, with a salt for its dice, or no longer does."""

    chair: int
    salt: str | None


class HouseSet(Struct, frozen=True, tag="house_set"):
    """The host changed the house rules."""

    house: HouseRules


class Invited(Struct, frozen=True, tag="invited"):
    """The host keeps a chair for the person with the secret behind this hash; without one, all invitations end."""

    invitation: str | None


class StoodIn(Struct, frozen=True, tag="stood_in"):
    """A bot plays for a person from now on; if the `time` is up, for this turn only."""

    chair: int
    bot: str
    reason: StandInReason


class Returned(Struct, frozen=True, tag="returned"):
    """People are back at their chairs."""

    chairs: tuple[int, ...]


class HostPassed(Struct, frozen=True, tag="host_passed"):
    """The host stayed away; this chair is the host now."""

    chair: int


class HandedOver(Struct, frozen=True, tag="handed_over"):
    """A chair may be taken over for a while by anybody with the secret behind this hash."""

    chair: int
    secret: str


class TakenOver(Struct, frozen=True, tag="taken_over"):
    """Somebody took over a chair; the hash of their token replaces the old one."""

    chair: int
    token: str


class Voted(Struct, frozen=True, tag="voted"):
    """People agree to pause or to end the game, or no longer do."""

    chairs: tuple[int, ...]
    to: Agreement
    agrees: bool


class Paused(Struct, frozen=True, tag="paused"):
    """A pause begins; `left` are the seconds left on the clock."""

    left: float | None


class Resumed(Struct, frozen=True, tag="resumed"):
    """The pause is over."""


class CalledOff(Struct, frozen=True, tag="called_off"):
    """The game is over, by agreement."""


class Rewritten(Struct, frozen=True, tag="rewritten"):
    """The operator replaced a name in earlier entries; processes that have them in memory read them again."""


class Deleted(Struct, frozen=True, tag="deleted"):
    """The table is gone. All its entries become like this, for a day: no server can take a number and go on."""


LobbyBody = Sat | Left | Chosen | DeckSwapped | BoardSwapped | Readied | Agreed | HouseSet | Invited
AbsenceBody = StoodIn | Returned | HostPassed | HandedOver | TakenOver | Voted | Paused | Resumed | CalledOff
Body = Opened | LobbyBody | Started | Played | Undone | Corrected | AbsenceBody | Rewritten | Deleted

VERSION = 1  # of entries; a server refuses those of later versions, which it would misunderstand
_VERSION = f',"version":{VERSION}}}'
_encode = Encoder().encode
_decode = Decoder(Body).decode


class _Versioned(Struct):
    """Entries without a version are of the first one."""

    version: int = 1


_version = Decoder(_Versioned).decode


def encode_body(body: Body) -> bytes:
    """What is stored of an entry."""
    return _encode(body)[:-1] + _VERSION.encode()


def decode_body(stored: str) -> Body:
    """The body of a stored entry, or a refusal."""
    try:
        if not stored.endswith(_VERSION) and _version(stored).version > VERSION:
            raise refuse("log_newer")
        body: Body = _decode(stored)
    except DecodeError as error:
        raise refuse("log_unreadable") from error
    return body


class Entry(Struct, frozen=True):
    """One line of a log. `by` is the chair that sent the command, 0 for none; `command` is the command's id."""

    code: str
    seq: int
    at: float
    by: int
    command: str
    body: Body
