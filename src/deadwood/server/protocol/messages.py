"""What the server sends, over the socket and over HTTP alike; `commands.py` has what clients send."""

from typing import Literal

from msgspec import Struct

from ...engine.board import Board, Price
from ...engine.deck import Deck, Role
from ...engine.events import Event, Standing
from ...engine.floor_plan import FloorPlan
from ...engine.options import Options, Purse
from ...engine.rules import OutcomeNeed
from ...engine.seats import Seat
from ...engine.state import Snapshot
from ...finale import Finale
from ...kit import SectionPlan, Setup
from .house import HouseRules
from .table_events import TableEvent
from .talk import Heard, TalkLine

Status = Literal["waiting", "running", "finished"]


class ChairView(Struct, frozen=True):
    """Somebody at a table, as everybody may see it; `bot` is a bot's name.

    `stand_in` is the bot that plays for a person who is away, or who `left` for good.
    """

    id: int
    name: str
    colour: str
    bot: str | None
    ready: bool
    stand_in: str | None = None
    left: bool = False


class ActOddsView(Struct, frozen=True):
    """What acting would bring; `expected` is that on average, in points, with the `bonus` if it wraps the scene."""

    needed: int
    chance: float
    success: Purse
    failure: Purse
    wraps: bool
    bonus: float
    expected: float


class Offer(Struct, frozen=True, omit_defaults=True):
    """A legal action in notation.

    `chance` is that of a success: now for `act`, afterwards for `rehearse`, there for a `move`. A role has the `odds`
    of the first act on it. A move says how many `roles` and `upgrades` the player could have there, as far as cards
    lie face up; an upgrade, how many `points` it brings.
    """

    action: str
    chance: float | None = None
    odds: ActOddsView | None = None
    cost: Purse | None = None
    needs: OutcomeNeed | None = None
    roles: int | None = None
    upgrades: int | None = None
    points: int | None = None


class Reason(Struct, frozen=True):
    """Why some actions are refused now, and the clause of the rules that refuses them."""

    actions: tuple[str, ...]
    sentence: str
    rule: str


class UndoView(Struct, frozen=True):
    """The chair that may take back the last action, if any, and why nobody else may."""

    chair: int | None
    sentence: str


class CorrectionView(Struct, frozen=True):
    """What came up for the last action of a game with real dice; these chairs may correct it until somebody acts."""

    chairs: tuple[int, ...]
    action: str
    outcome: str
    needs: OutcomeNeed


class PendingOutcome(Struct, frozen=True):
    """A bot's action at a table with real dice: people must enter what came up."""

    chair: int
    action: str
    needs: OutcomeNeed


class ClockView(Struct, frozen=True):
    """The seconds left when this was sent, for the active chair, and whether they pass: not during a pause."""

    chair: int
    seconds: float
    runs: bool


class VotesView(Struct, frozen=True):
    """The chairs that agree to pause, and those that agree to end the game."""

    pause: tuple[int, ...] = ()
    end: tuple[int, ...] = ()


class Position(Struct, frozen=True, kw_only=True):
    """A running or finished game at one moment.

    `scores` are those the game would end with now, by seat, and `leaders` the seats that would win. `wraps_left` are
    the scenes that still wrap today. `reasons` are for the holder of the active chair.
    `stand_in` is the bot that plays this turn for a person.
    """

    state: Snapshot
    scores: tuple[int, ...]
    leaders: tuple[int, ...] = ()
    wraps_left: int = 0
    offers: tuple[Offer, ...] = ()
    reasons: tuple[Reason, ...] = ()
    undo: UndoView | None = None
    correction: CorrectionView | None = None
    stand_in: str | None = None
    clock: ClockView | None = None
    paused: bool = False
    votes: VotesView = VotesView()


class DeckLabel(Struct, frozen=True, kw_only=True):
    """A deck in short. A custom one has a `key`, which changes with its texts too; the fingerprint is for the rules."""

    name: str
    cards: int
    fingerprint: str
    key: str | None


class BoardLabel(Struct, frozen=True, kw_only=True):
    """A board in short; `key` as for decks."""

    name: str
    fingerprint: str
    key: str | None


class TableView(Struct, frozen=True, kw_only=True):
    """A table at one moment; `layout` is spelled out, or null while it is to be drawn.

    `kept` chairs wait for invited people. A game that was `called_off` is finished and has no standings.
    `finale` comes with the end of a game: poster, credits and awards.
    `agreed` are the chairs of those who want another game after this one. `talk` says whether people may talk here.
    """

    code: str
    link: str
    public: bool
    status: Status
    seq: int
    game: int
    options: Options
    house: HouseRules
    layout: str | None
    deck: DeckLabel
    board: BoardLabel
    drawn: tuple[str, ...]
    host: int | None
    chairs: tuple[ChairView, ...]
    commitment: str
    salts: tuple[str, ...] = ()
    seed: str | None = None
    position: Position | None = None
    standings: tuple[Standing, ...] = ()
    finale: Finale | None = None
    pending: PendingOutcome | None = None
    agreed: tuple[int, ...] = ()
    kept: int = 0
    called_off: bool = False
    talk: bool = False


class Update(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="update"):
    """One entry of the log: its events, as data and as sentences, and the resulting position.

    `table` replaces `position` when more than the game's position changed. `by` is the bot that decided for a person.
    """

    seq: int
    kind: str
    chair: int | None = None
    action: str | None = None
    by: str | None = None
    events: tuple[Event | TableEvent, ...] = ()
    sentences: tuple[str, ...] = ()
    position: Position | None = None
    table: TableView | None = None


class TakenChair(Struct, frozen=True, kw_only=True):
    """A chair that another browser holds now: the position of its old token in hello, and the chair."""

    token: int
    chair: int


class Welcome(Struct, frozen=True, kw_only=True, tag_field="type", tag="welcome"):
    """The answer to hello and sync: the table, the chairs held, and the updates missed.

    `unknown` are the positions, from 0, of the hello's tokens that hold no chair here: given up, or removed.
    Those that another browser took over are `taken`.
    `present` are the chairs that some connection holds now, `waiting` how long they wait for an absent player.
    `talk` is what was said lately; only in the answer to hello, and only where people may talk.
    """

    id: str | None = None
    table: TableView
    held: tuple[int, ...]
    missed: tuple[Update, ...]
    unknown: tuple[int, ...] = ()
    taken: tuple[TakenChair, ...] = ()
    present: tuple[int, ...] = ()
    waiting: ClockView | None = None
    talk: tuple[TalkLine, ...] | None = None


class Done(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="done"):
    """The command was carried out and is durable; `seq` is its entry, `chair` what `sit` or `take_over` took."""

    id: str
    seq: int
    chair: int | None = None


class Pong(Struct, frozen=True, kw_only=True, tag_field="type", tag="pong"):
    """The answer to ping: the number of the latest entry."""

    id: str
    seq: int


class Advised(Struct, frozen=True):
    """What a bot thinks of an action; higher values are better."""

    action: str
    value: float
    reason: str


class Hints(Struct, frozen=True, kw_only=True, tag_field="type", tag="hints"):
    """All legal actions, the best first."""

    id: str
    seq: int
    bot: str
    advice: tuple[Advised, ...]


class CardsFound(Struct, frozen=True, kw_only=True, tag_field="type", tag="cards"):
    """The numbers of the cards that a text may mean; `card` is the one it does mean, else `sentence` says why none."""

    id: str
    cards: tuple[int, ...]
    card: int | None
    sentence: str | None


class Handover(Struct, frozen=True, kw_only=True, tag_field="type", tag="handover"):
    """The chairs that a secret hands over, and for how many seconds yet."""

    id: str
    chairs: tuple[int, ...]
    seconds: float


class Problem(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="refused"):
    """A command was refused and nothing changed. `table` is there when the client was out of date.

    `line` is the line of an uploaded file, counted from 1.
    """

    code: str
    sentence: str
    id: str | None = None
    rule: str | None = None
    needs: OutcomeNeed | None = None
    line: int | None = None
    table: TableView | None = None


class Waiting(Struct, frozen=True, kw_only=True, tag_field="type", tag="waiting"):
    """The active player is absent: how long until the stand-in plays. Null: nobody is being waited for."""

    waiting: ClockView | None


class OutcomeWanted(Struct, frozen=True, kw_only=True, tag_field="type", tag="pending"):
    """A bot waits for people to roll dice or turn a card."""

    pending: PendingOutcome


class Present(Struct, frozen=True, kw_only=True, tag_field="type", tag="present"):
    """Somebody came or went: the chairs that connections hold now. It is not in the log, so it has no number."""

    chairs: tuple[int, ...]


class Goodbye(Struct, frozen=True, kw_only=True, tag_field="type", tag="goodbye"):
    """The server restarts; reconnect after this many seconds."""

    retry_after: float


Answer = Done | Hints | CardsFound | Handover | Welcome | Pong | Heard


class ListedTable(Struct, frozen=True, kw_only=True):
    """A public table in a list."""

    code: str
    status: Status
    options: Options
    chairs: tuple[ChairView, ...]
    created: float
    locked: bool = False


class TableList(Struct, frozen=True, kw_only=True):
    """A page of tables; `next` is the cursor of the following page."""

    tables: tuple[ListedTable, ...]
    next: str | None


class Made(Struct, frozen=True, kw_only=True):
    """A new table, and the chairs of its people in the order they were given."""

    table: TableView
    chairs: tuple[int, ...]


class MyTable(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A table that a browser remembers. Without a status there is no such table any more.

    `held` are the chairs of its tokens, `active` is the one whose turn it is, `mine` whether that is one of them.
    A finished game has its standings, and the time when it ended.
    """

    code: str
    status: Status | None
    game: int = 0
    chairs: tuple[ChairView, ...] = ()
    held: tuple[int, ...] = ()
    active: int | None = None
    mine: bool = False
    day: int | None = None
    days: int | None = None
    standings: tuple[Standing, ...] = ()
    finished: float | None = None


class MyTables(Struct, frozen=True, kw_only=True):
    """The tables that were asked about, in that order."""

    tables: tuple[MyTable, ...]


class Bundle(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a personal key carries, encrypted by a browser; version 0 is nothing yet.

    `stored` says whether this is what was sent. If not, somebody was faster: merge both, and send it again.
    """

    version: int
    sealed: str | None = None
    stored: bool = False


class GameSummary(Struct, frozen=True, kw_only=True):
    """A finished game; seed, salts and commitment let anybody verify its dice."""

    game: int
    players: tuple[ChairView, ...]
    options: Options
    standings: tuple[Standing, ...]
    winners: tuple[str, ...]
    finished: float
    actions: int
    commitment: str
    salts: tuple[str, ...]
    seed: str
    called_off: bool = False


class GameList(Struct, frozen=True, kw_only=True):
    """A page of a table's finished games, the latest first."""

    games: tuple[GameSummary, ...]
    next: int | None


class ReplayStep(Struct, frozen=True, kw_only=True):
    """One action of a replay and the position after it; step 0 is the opening and has no action.

    `by` is the bot that decided it for the player.
    """

    number: int
    player: str | None
    action: str | None
    by: str | None
    events: tuple[Event, ...]
    sentences: tuple[str, ...]
    state: Snapshot
    scores: tuple[int, ...]
    leaders: tuple[int, ...] = ()


class AreaView(Struct, frozen=True, kw_only=True):
    """An area of the board, with the id that states and actions use."""

    id: str
    name: str
    kind: str
    shots: int
    extras: tuple[Role, ...]


class BoardView(Struct, frozen=True, kw_only=True):
    """The board: its areas in the engine's order, and what ranks cost. Floor plans say where everything lies."""

    areas: tuple[AreaView, ...]
    prices: tuple[Price, ...]


class OwnBoard(Struct, frozen=True, kw_only=True):
    """A custom board, and where everything lies on it in the layout of a game."""

    board: BoardView
    plan: FloorPlan


class Replay(Struct, frozen=True, kw_only=True):
    """A part of a record as states and events, with the deck and the board if they are custom ones.

    `finale` comes with the last step of a game that is over.
    """

    names: tuple[str, ...]
    seats: tuple[Seat, ...]
    options: Options
    drawn: tuple[str, ...]
    total: int
    steps: tuple[ReplayStep, ...]
    next: int | None
    deck: Deck | None = None
    board: OwnBoard | None = None
    called_off: bool = False
    finale: Finale | None = None


class CheckedDeck(Struct, frozen=True, kw_only=True):
    """A deck that can be played with: its cards, its fingerprint, and all of it as TOML."""

    deck: Deck
    fingerprint: str
    toml: str


class CheckedBoard(Struct, frozen=True, kw_only=True):
    """A board that can be played on, as CheckedDeck."""

    board: Board
    fingerprint: str
    toml: str


class BotView(Struct, frozen=True):
    """A bot that can be added to a table; a higher level is stronger.

    `label` is its kind in one word, `character` who plays it, with a catchphrase; `style` says how it plays. A bot of
    another package may have no words.
    """

    name: str
    level: int
    label: str
    character: str
    catchphrase: str
    style: str


class OptionValueView(Struct, frozen=True):
    """A value of an option, and what people call it."""

    value: str | int | None
    label: str


class OptionView(Struct, frozen=True, kw_only=True):
    """An option of a game: one of the values, a player's name if `names`, or a text like the examples."""

    name: str
    rule: str
    label: str
    explanation: str
    default: str | int | None
    values: tuple[OptionValueView, ...]
    names: bool
    examples: tuple[str, ...]


class HouseValueView(Struct, frozen=True):
    """A value of a house rule, and what people call it."""

    value: str | int | bool | None
    label: str


class HouseRuleView(Struct, frozen=True, kw_only=True):
    """A house rule: one of the values, which `set_house` changes."""

    name: str
    label: str
    explanation: str
    default: str | int | bool | None
    values: tuple[HouseValueView, ...]


class OptionList(Struct, frozen=True):
    """What a table can choose from."""

    options: tuple[OptionView, ...]


class Sharing(Struct, frozen=True, kw_only=True):
    """Whether other machines can reach this server; if it could be told to let them, the command that does."""

    reachable: bool
    command: str | None


class About(Struct, frozen=True, kw_only=True):
    """What this server offers: bots from gentle to strong, everything a table can choose, and who can come."""

    least_players: int
    most_players: int
    bots: tuple[BotView, ...]
    colours: tuple[str, ...]
    languages: tuple[str, ...]
    options: tuple[OptionView, ...]
    house: tuple[HouseRuleView, ...]
    file_bytes: int
    sharing: Sharing


class KitView(Struct, frozen=True, kw_only=True):
    """The game on paper: what is printed, how many of it by the number of players, and texts in Markdown."""

    deck: Deck
    board: BoardView
    sections: tuple[SectionPlan, ...]
    setups: tuple[Setup, ...]
    colours: tuple[str, ...]
    ranks: tuple[int, ...]
    aid: str
    checklist: str
