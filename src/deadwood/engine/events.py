"""What happened, in order and in names: every front end narrates these and nothing else.

A front end that holds a Snapshot keeps it up to date by copying fields, and needs no rule for that. `players` and
`sets` are new values; so are `role_number`, `chips`, `rank`, `shots_left` and the amounts that end in `_after`. An
`area` is a name to show, an `area_id` the key of a Snapshot; a `role_number` is what a Snapshot calls the role.
"""

from typing import Literal

from msgspec import Struct

from .actions import Currency, RoleKind
from .chance import OutcomeKind

Scene = int | Literal["face down"] | None  # a card by its number; None where the scene has wrapped


class PlayerAfter(Struct, frozen=True, gc=False):
    """Where a player stands and works after an event."""

    player: str
    area_id: str
    role_number: int | None
    chips: int


class SetAfter(Struct, frozen=True, gc=False):
    """A set after an event."""

    area_id: str
    scene: Scene
    shots: int


class GameStarted(Struct, frozen=True, gc=False, tag=True):
    """The table is set (RULES section 2); `drawn` names what chance chose."""

    players: tuple[str, ...]
    first: str
    layout: str
    deck: str
    days: int
    drawn: tuple[str, ...]


class DayStarted(Struct, frozen=True, gc=False, tag=True):
    """Scenes were dealt face down, shots put back (R2.5, R9.4); `player` is active."""

    day: int
    days: int
    scenes: int
    player: str
    sets: tuple[SetAfter, ...]


class Moved(Struct, frozen=True, gc=False, tag=True):
    """A step through a doorway (R4.1)."""

    player: str
    origin: str
    area: str
    origin_id: str
    area_id: str


class CardTurned(Struct, frozen=True, gc=False, tag=True):
    """A scene card was turned face up (R4.2)."""

    player: str
    area: str
    card: int
    title: str
    scene: int
    description: str
    budget: int
    area_id: str


class RoleTaken(Struct, frozen=True, gc=False, tag=True):
    """A player is working from now on (R5).

    `number` counts the roles of that kind from the left, `role_number` as a Snapshot does.
    """

    player: str
    area: str
    title: str
    kind: RoleKind
    number: int
    role: str
    rank: int
    area_id: str
    role_number: int


class Acted(Struct, frozen=True, gc=False, tag=True):
    """A die was rolled against the budget, and the act was paid (R6.1 to R6.3): `dollars` and `credits` are the pay."""

    player: str
    area: str
    title: str
    kind: RoleKind
    role: str
    line: str
    die: int
    chips: int
    budget: int
    success: bool
    dollars: int
    credits: int
    shots_left: int
    area_id: str
    dollars_after: int
    credits_after: int


class Rehearsed(Struct, frozen=True, gc=False, tag=True):
    """Practice chips were `gained` (R6.6); `certain` once no more may be taken (R6.7)."""

    player: str
    area: str
    role: str
    chips: int
    budget: int
    certain: bool
    area_id: str
    gained: int = 1


class Share(Struct, frozen=True, gc=False, tag=True):
    """The wrap dice dealt to one starring role; `player` is None where nobody is on it (R7.3).

    `order` says when each of its dice was dealt, counting all dice of the wrap from 0. `dollars` is what they pay.
    """

    role: str
    rank: int
    player: str | None
    dice: tuple[int, ...]
    role_number: int
    order: tuple[int, ...] = ()
    dollars: int = 0


class SceneWrapped(Struct, frozen=True, gc=False, tag=True):
    """The last shot is done (R7). `dice`, highest first, and `shares` are empty if nobody was on the card (R7.1).

    `shares` begin with the best role, which gets the first die (R7.2).

    `players` are those who were on a role here; bonuses follow as separate events.
    """

    player: str
    area: str
    card: int
    title: str
    budget: int
    dice: tuple[int, ...]
    shares: tuple[Share, ...]
    scenes_left: int
    area_id: str
    players: tuple[PlayerAfter, ...]
    sets: tuple[SetAfter, ...]


class BonusPaid(Struct, frozen=True, gc=False, tag=True):
    """A wrap bonus: a star's dice (R7.3), or the rank of an extra's role (R7.4)."""

    player: str
    area: str
    title: str
    kind: RoleKind
    role: str
    rank: int
    dice: tuple[int, ...]
    dollars: int
    area_id: str
    dollars_after: int
    role_number: int


class Upgraded(Struct, frozen=True, gc=False, tag=True):
    """A rank was bought (R8)."""

    player: str
    old_rank: int
    rank: int
    price: int
    currency: Currency
    dollars_after: int
    credits_after: int


class DayEnded(Struct, frozen=True, gc=False, tag=True):
    """One scene was left; it is discarded unfinished (R9.1). `title` is None if it lay face down."""

    day: int
    days: int
    area: str
    title: str | None
    area_id: str
    players: tuple[PlayerAfter, ...]
    sets: tuple[SetAfter, ...]


class TurnEnded(Struct, frozen=True, gc=False, tag=True):
    """The next player is active (R3.5), and has not moved."""

    player: str
    next: str


class OutcomeCorrected(Struct, frozen=True, gc=False, tag=True):
    """An outcome that was entered wrongly is corrected (R12.7); the events of the corrected action follow.

    `earlier` are the outcomes entered before, in order, and `was` is the last of them. Only a server knows `by` whom.
    """

    player: str
    kind: OutcomeKind
    outcome: str
    was: str
    earlier: tuple[str, ...]
    by: str | None = None


class StoodIn(Struct, frozen=True, gc=False, tag=True):
    """A bot decides for a person who is away or out of time, from here to the end of the turn."""

    player: str
    bot: str


class Standing(Struct, frozen=True, gc=False, tag=True):
    """A line of the final table (R11); `stand_in` is the bot that played on after the player left for good."""

    place: int
    name: str
    score: int
    dollars: int
    credits: int
    rank: int
    rank_points: int
    stand_in: str | None = None
    credit_points: int = 0


class GameEnded(Struct, frozen=True, gc=False, tag=True):
    """The last day is over (R9.3) and nobody is active; places in order (R11.3)."""

    standings: tuple[Standing, ...]
    winners: tuple[str, ...]


Event = (
    GameStarted
    | DayStarted
    | Moved
    | CardTurned
    | RoleTaken
    | Acted
    | Rehearsed
    | SceneWrapped
    | BonusPaid
    | Upgraded
    | DayEnded
    | TurnEnded
    | GameEnded
    | OutcomeCorrected
    | StoodIn
)
Events = tuple[Event, ...]
