"""What HTTP answers: lists, replays, facts about the game, checked files."""

from msgspec import Struct

from ...engine.board import Board, Price
from ...engine.deck import Deck, Role
from ...engine.events import Event, Standing
from ...engine.floor_plan import FloorPlan
from ...engine.options import Options
from ...engine.seats import Seat
from ...engine.state import Snapshot
from ...finale import Finale
from ...kit import SectionPlan, Setup
from .views import ChairView, Status, TableView


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

    `held` are the chairs of its tokens, `active` is the one whose turn it is, `mine` whether one of them can play now.
    A finished game has its standings, and the time when it ended.
    """

    code: str
    status: Status | None
    game: int = 0
    chairs: tuple[ChairView, ...] = ()
    held: tuple[int, ...] = ()
    active: int | None = None
    mine: bool = False
    paused: bool = False
    day: int | None = None
    days: int | None = None
    standings: tuple[Standing, ...] = ()
    finished: float | None = None


class MyTables(Struct, frozen=True, kw_only=True):
    """The tables that were asked about, in that order."""

    tables: tuple[MyTable, ...]


class Bundle(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a personal key carries, encrypted by a browser; version 0 means nothing yet.

    `stored` says whether this is what was sent. If not, another browser was faster: merge both, and send again.
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
    first_extra: int  # the number of the first of them in a state; the roles of a card are numbered from 0


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
    """A board that can be played on, like CheckedDeck."""

    board: Board
    fingerprint: str
    toml: str


class BotView(Struct, frozen=True):
    """A bot that can be added to a table; a higher level is stronger.

    `label` is its kind in one word, `character` who plays it, with a catchphrase; `style` says how it plays. A bot
    from another package may have no texts.
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
    """An option of a game: one of the values, or a player's name if `names`, or a text like the examples."""

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
    """Whether other machines can reach this server; if not, the command that would let them, if there is one."""

    reachable: bool
    command: str | None


class About(Struct, frozen=True, kw_only=True):
    """What this server offers: bots from gentle to strong, everything a table can choose, and who can reach it.

    `usual_bot` is the one to suggest. An invitation is good for `invitation_seconds`.
    """

    least_players: int
    most_players: int
    name_length: int
    bots: tuple[BotView, ...]
    usual_bot: str
    colours: tuple[str, ...]
    languages: tuple[str, ...]
    options: tuple[OptionView, ...]
    house: tuple[HouseRuleView, ...]
    file_bytes: int
    invitation_seconds: float
    sharing: Sharing


class KitView(Struct, frozen=True, kw_only=True):
    """The game on paper: what is printed, how many copies for each number of players, and texts in Markdown."""

    deck: Deck
    board: BoardView
    sections: tuple[SectionPlan, ...]
    setups: tuple[Setup, ...]
    colours: tuple[str, ...]
    ranks: tuple[int, ...]
    aid: str
    checklist: str
