"""What clients send, over the socket or over HTTP; `messages.py` has what the server sends."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from ...engine.board import Board
from ...engine.deck import Deck
from ...engine.loading import FILE_BYTES
from ...engine.options import PLAYERS, Options
from .house import HouseRules
from .talk import Reaction

MESSAGE_BYTES = 8 * 1024
RECORD_BYTES = 1_000_000
KIT_BYTES = 4 * FILE_BYTES  # two files, with room for what JSON escapes
MOST_TOKENS = 8
MOST_KNOWN = 64  # tables that a browser may ask about at once
KNOWN_BYTES = 64 * 1024
BUNDLE_LENGTH = 64 * 1024  # characters of a sealed bundle
BUNDLE_BYTES = BUNDLE_LENGTH + 1024  # of the request that stores it

# Patterns end with \Z: in Python, $ also matches before a final newline.
CommandId = Annotated[
    str, Meta(pattern=r"^[A-Za-z0-9_-]{1,64}\Z", max_length=64, description="The client's own id for a command.")
]
_SECRET = r"^[0-9a-f]{64}\Z"
Token = Annotated[
    str, Meta(pattern=_SECRET, max_length=64, description="256 random bits from the client: the key to a chair.")
]
Salt = Annotated[
    str, Meta(pattern=_SECRET, max_length=64, description="256 random bits from the client, for the dice.")
]
Secret = Annotated[
    str,
    Meta(pattern=_SECRET, max_length=64, description="256 random bits from the client: the key to one chair, once."),
]
Seq = Annotated[int, Meta(ge=0, le=2**31 - 1)]
ChairId = Annotated[int, Meta(ge=1, le=2**31 - 1)]
Short = Annotated[str, Meta(max_length=200)]
Spoken = Annotated[str, Meta(max_length=2000)]  # before cleaning; what is passed on must be shorter
OptionValue = Short | int | None
HouseValue = Short | bool | int | None
Agreement = Literal["pause", "end"]


class Command(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    """A request. If the same chair sends the same id again, it gets the first answer and nothing happens twice."""

    id: CommandId


class Hello(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="hello"):
    """The first message on a connection: tokens of the chairs it holds, and the last entry it has seen.

    With `explain`, positions say why other actions are refused, while a chair of the connection is active.
    """

    tokens: Annotated[tuple[Token, ...], Meta(max_length=MOST_TOKENS)] = ()
    since: Seq | None = None
    language: Short = "en"
    explain: bool = False


class Sit(Command, frozen=True, kw_only=True, tag="sit"):
    """Take a chair at this table before the game starts. The connection then holds it too.

    An `invitation` from the host opens a locked table, or takes a chair that was kept for it.
    A program says which `bot` it is, in one word, so that everybody can see it.
    """

    name: Short
    token: Token
    colour: Short | None = None
    invitation: Secret | None = None
    bot: Short | None = None


class Leave(Command, frozen=True, kw_only=True, tag="leave"):
    """Give up a chair you hold. In a running game that is for good, and a stand-in plays on."""

    chair: ChairId


class Remove(Command, frozen=True, kw_only=True, tag="remove"):
    """The host removes a person or a bot before the game starts."""

    chair: ChairId


class AddBot(Command, frozen=True, kw_only=True, tag="add_bot"):
    """The host adds a bot."""

    bot: Short
    name: Short | None = None
    colour: Short | None = None


class Choose(Command, frozen=True, kw_only=True, tag="choose"):
    """The host changes the options given here; the others stay. Everybody must be ready again."""

    options: Annotated[dict[Short, OptionValue], Meta(min_length=1, max_length=len(Options.__struct_fields__))]


class SetHouse(Command, frozen=True, kw_only=True, tag="set_house"):
    """The host changes the house rules given here; the others stay.

    `talk` alone may change at any time, the others only before the game. Then everybody must be ready again, unless
    only `locked` or `talk` has changed.
    """

    house: Annotated[dict[Short, HouseValue], Meta(min_length=1, max_length=len(HouseRules.__struct_fields__))]


class Invite(Command, frozen=True, kw_only=True, tag="invite"):
    """The host keeps a chair for the person who brings this secret; without a secret, all open invitations end."""

    secret: Secret | None = None


class Ready(Command, frozen=True, kw_only=True, tag="ready"):
    """Say that you are ready, with a salt for the dice; without one, that you are not ready after all."""

    chair: ChairId
    salt: Salt | None = None


class Start(Command, frozen=True, kw_only=True, tag="start"):
    """The host starts the game; everybody must be ready."""


class Play(Command, frozen=True, kw_only=True, tag="play"):
    """An action of the active player, in notation; `seq` is the number its entry will have."""

    seq: Seq
    action: Short
    outcome: Short | None = None


class Undo(Command, frozen=True, kw_only=True, tag="undo"):
    """Take back your last action; `seq` is the number this entry will have."""

    seq: Seq


class Correct(Command, frozen=True, kw_only=True, tag="correct"):
    """Correct what came up for the last action, at a table with real dice; `seq` is the number this entry will have."""

    seq: Seq
    outcome: Short


class StandIn(Command, frozen=True, kw_only=True, tag="stand_in"):
    """The host lets the stand-in play for an absent person at once, without waiting for the grace period."""

    chair: ChairId


class HandOver(Command, frozen=True, kw_only=True, tag="hand_over"):
    """Let anybody who brings this secret take over a chair, once, within ten minutes.

    It is your own chair, to continue on another device, or the chair of an absent person, which the host offers.
    """

    chair: ChairId
    secret: Secret


class TakeOver(Command, frozen=True, kw_only=True, tag="take_over"):
    """Take over a chair that was handed over. The connection then holds it; its old token is no longer valid."""

    secret: Secret
    token: Token


class Vote(Command, frozen=True, kw_only=True, tag="vote"):
    """Vote, for all chairs you hold, for or against a pause or an end of the game. It takes effect once all agree."""

    to: Agreement
    agrees: bool = True


class Resume(Command, frozen=True, kw_only=True, tag="resume"):
    """Go on after a pause."""


class Rematch(Command, frozen=True, kw_only=True, tag="rematch"):
    """Prepare another game with the same people and bots: it waits for everybody to be ready."""


class Agree(Command, frozen=True, kw_only=True, tag="agree"):
    """After a game: say that you want another one, with a salt for its dice; without one, that you do not after all.

    It starts by itself once everybody who is there agrees.
    """

    chair: ChairId
    salt: Salt | None = None


class Hint(Command, frozen=True, kw_only=True, tag="hint"):
    """Ask what the strongest bot thinks of every legal action."""


class FindCards(Command, frozen=True, kw_only=True, tag="find_cards"):
    """Ask which cards a number or a part of a title may mean, at a table with real dice.

    With `correcting`, the card that was turned last may be meant as well.
    """

    text: Short
    correcting: bool = False


class FindHandover(Command, frozen=True, kw_only=True, tag="find_handover"):
    """Ask which chairs a secret hands over, and for how long."""

    secret: Secret


class Sync(Command, frozen=True, kw_only=True, tag="sync"):
    """Ask for the current state, and for the updates since an entry."""

    since: Seq


class Ping(Command, frozen=True, kw_only=True, tag="ping"):
    """Ask whether the server is there and how long the log is; it costs next to nothing."""


class Speaking(Command, frozen=True, kw_only=True):
    """What people say; `chair` is the one that speaks, if the caller holds several.

    A spectator has a `name` instead, and a `voice`: a secret of the client, so that nobody else can speak as them.
    """

    chair: ChairId | None = None
    name: Short | None = None
    voice: Secret | None = None


class Say(Speaking, frozen=True, kw_only=True, tag="say"):
    """Say something to everybody at the table."""

    text: Spoken


class React(Speaking, frozen=True, kw_only=True, tag="react"):
    """React with a picture."""

    reaction: Reaction


class ClearTalk(Command, frozen=True, kw_only=True, tag="clear_talk"):
    """The host removes everything that was said so far, for everybody and for good."""


LobbyCommand = Sit | Remove | AddBot | Choose | SetHouse | Invite | Ready | Start | Rematch | Agree
GameCommand = Play | Undo | Correct
AbsenceCommand = Leave | StandIn | HandOver | TakeOver | Vote | Resume
ChangeCommand = LobbyCommand | GameCommand | AbsenceCommand
QueryCommand = Hint | FindCards | FindHandover | Sync | Ping
TalkCommand = Say | React | ClearTalk
AnyCommand = ChangeCommand | QueryCommand | TalkCommand


class UseDeck(Command, frozen=True, kw_only=True, tag="use_deck"):
    """The host brings a deck, or returns to the built-in one. Over HTTP only: a file is bigger than a message."""

    deck: Deck | None


class UseBoard(Command, frozen=True, kw_only=True, tag="use_board"):
    """The host brings a board, or returns to the built-in one."""

    board: Board | None


FileCommand = UseDeck | UseBoard


class NewPerson(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="person"):
    """A person at a new table; with a salt, ready to start. A program says which `bot` it is."""

    name: Short
    token: Token
    colour: Short | None = None
    salt: Salt | None = None
    bot: Short | None = None


class NewBot(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="bot"):
    """A bot at a new table; unless it is given a name, it gets a default one."""

    bot: Short
    name: Short | None = None
    colour: Short | None = None


FileText = Annotated[str, Meta(max_length=FILE_BYTES, description="The TOML of a deck or of a board.")]


class KitFiles(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The TOML of a deck and of a board to print; None means those of the server."""

    deck: FileText | None = None
    board: FileText | None = None


class KnownTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table that a browser remembers, with the tokens of the chairs that it held there."""

    code: Short
    tokens: Annotated[tuple[Token, ...], Meta(max_length=MOST_TOKENS)] = ()


class KnownTables(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The tables to look up."""

    tables: Annotated[tuple[KnownTable, ...], Meta(max_length=MOST_KNOWN)]


Sealed = Annotated[
    str,
    Meta(
        pattern=r"^[A-Za-z0-9+/]+={0,2}\Z",
        min_length=4,
        max_length=BUNDLE_LENGTH,
        description="Seats and history as a browser encrypted them, in Base64. The server cannot read it.",
    ),
]


class NewBundle(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a personal key carries from now on; `version` is the one it replaces, 0 for none."""

    version: Annotated[int, Meta(ge=0, le=2**31 - 2)]  # the next version must fit into the database, too
    sealed: Sealed


class NewTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table to open. The first person is the host. With `start`, the game starts at once: every person needs a salt.

    A table of bots alone always starts at once, for people to watch.
    """

    chairs: Annotated[tuple[NewPerson | NewBot, ...], Meta(min_length=1, max_length=PLAYERS[-1])]
    options: Options = Options()
    house: HouseRules = HouseRules()
    public: bool = False
    start: bool = False
