"""A table as people see it: its chairs, the position, and what they may do."""

from typing import Literal

from msgspec import Struct

from ...engine.events import Standing
from ...engine.options import Options, Purse
from ...engine.rules import OutcomeNeed
from ...engine.state import Snapshot
from ...finale import Finale
from .house import HouseRules

Status = Literal["waiting", "running", "finished"]


class ChairView(Struct, frozen=True):
    """Somebody at a table, as everybody may see it; `bot` is a bot's name.

    A `remote` bot is a program that holds its chair as a person would: it can be away, and must be ready.
    `stand_in` is the bot that plays for a person who is away, or who `left` for good.
    """

    id: int
    name: str
    colour: str
    bot: str | None
    ready: bool
    stand_in: str | None = None
    left: bool = False
    remote: bool = False


class ActOddsView(Struct, frozen=True):
    """What acting would bring; `expected` is the average in points, with the `bonus` if it wraps the scene."""

    needed: int
    chance: float
    success: Purse
    failure: Purse
    wraps: bool
    bonus: float
    expected: float


class Offer(Struct, frozen=True, omit_defaults=True):
    """A legal action in notation.

    `chance` is the chance of success: now for `act`, afterwards for `rehearse`, there for a `move`. A role has the
    `odds` of the first act on it. A move says how many `roles` and `upgrades` the player could take there, if the card
    is face up; an upgrade says how many `points` it brings.
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
    """The seconds left for the active chair when this was sent, and whether the clock runs: not during a pause."""

    chair: int
    seconds: float
    runs: bool


class VotesView(Struct, frozen=True):
    """The chairs that agree to pause, and those that agree to end the game."""

    pause: tuple[int, ...] = ()
    end: tuple[int, ...] = ()


class Position(Struct, frozen=True, kw_only=True):
    """A running or finished game at one moment.

    `scores`, by seat, and `leaders` are what they would be if the game ended now. `wraps_left` is how many scenes
    still wrap today. `reasons` are for the holder of the active chair.
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
    """A deck in short. A custom one has a `key`, which changes with its texts, too; the fingerprint does not."""

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
    """A table at one moment; `layout` is spelled out, or null if it has yet to be drawn.

    `kept` chairs wait for invited people. A game that was `called_off` is finished but has no standings.
    `finale` comes with the end of a game: poster, credits and awards.
    `agreed` are the chairs of those who want another game after this one. `talk` says whether people may talk here.
    Before the game, `start_refusal` says why it cannot start yet, `sit_refusal` why nobody can sit down without an
    invitation, and `bot_refusal` why no bot can be added.
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
    start_refusal: str | None = None
    sit_refusal: str | None = None
    bot_refusal: str | None = None
