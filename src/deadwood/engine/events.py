"""What happened, in order and in names: every front end tells these and nothing else."""

from msgspec import Struct

from .actions import Currency, RoleKind


class GameStarted(Struct, frozen=True, gc=False, tag=True):
    """The table is set (RULES section 2); `drawn` names what chance chose."""

    players: tuple[str, ...]
    first: str
    layout: str
    deck: str
    days: int
    drawn: tuple[str, ...]


class DayStarted(Struct, frozen=True, gc=False, tag=True):
    """Scenes were dealt face down, shots put back (R2.5, R9.4)."""

    day: int
    days: int
    scenes: int
    player: str


class Moved(Struct, frozen=True, gc=False, tag=True):
    """A step through a doorway (R4.1)."""

    player: str
    origin: str
    area: str


class CardTurned(Struct, frozen=True, gc=False, tag=True):
    """A scene card was turned face up (R4.2)."""

    player: str
    area: str
    card: int
    title: str
    scene: int
    description: str
    budget: int


class RoleTaken(Struct, frozen=True, gc=False, tag=True):
    """A player is working from now on (R5); `number` counts the roles of that kind from the left."""

    player: str
    area: str
    title: str
    kind: RoleKind
    number: int
    role: str
    rank: int


class Acted(Struct, frozen=True, gc=False, tag=True):
    """A die was rolled against the budget, and paid (R6.1 to R6.3)."""

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


class Rehearsed(Struct, frozen=True, gc=False, tag=True):
    """A practice chip was taken (R6.6); `certain` when no more may be (R6.7)."""

    player: str
    area: str
    role: str
    chips: int
    budget: int
    certain: bool


class Share(Struct, frozen=True, gc=False, tag=True):
    """The wrap dice dealt to one starring role; `player` is None where nobody is on it (R7.3)."""

    role: str
    rank: int
    player: str | None
    dice: tuple[int, ...]


class SceneWrapped(Struct, frozen=True, gc=False, tag=True):
    """The last shot is done (R7). `dice`, highest first, and `shares` are empty if nobody was on the card (R7.1)."""

    player: str
    area: str
    card: int
    title: str
    budget: int
    dice: tuple[int, ...]
    shares: tuple[Share, ...]
    scenes_left: int


class BonusPaid(Struct, frozen=True, gc=False, tag=True):
    """A wrap bonus: a star's dice (R7.3), or an extra's rank of the role (R7.4)."""

    player: str
    area: str
    title: str
    kind: RoleKind
    role: str
    rank: int
    dice: tuple[int, ...]
    dollars: int


class Upgraded(Struct, frozen=True, gc=False, tag=True):
    """A rank was bought (R8)."""

    player: str
    old_rank: int
    rank: int
    price: int
    currency: Currency


class DayEnded(Struct, frozen=True, gc=False, tag=True):
    """One scene was left; it is discarded unfinished (R9.1). `title` is None if it lay face down."""

    day: int
    days: int
    area: str
    title: str | None


class TurnEnded(Struct, frozen=True, gc=False, tag=True):
    """The next player is active (R3.5)."""

    player: str
    next: str


class Standing(Struct, frozen=True, gc=False, tag=True):
    """A line of the final table (R11)."""

    place: int
    name: str
    score: int
    dollars: int
    credits: int
    rank: int
    rank_points: int


class GameEnded(Struct, frozen=True, gc=False, tag=True):
    """The last day is over (R9.3); places in order (R11.3)."""

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
)
Events = tuple[Event, ...]
