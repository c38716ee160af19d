"""The rows of a run's files: one per game, with all players' jobs and promotions, and one per decision."""

from typing import Literal

from msgspec import Struct

from ..engine.actions import Currency, RoleKind

JobEnd = Literal["wrapped", "day ended", "cut off"]


class Job(Struct):
    """A player's time on one role: a starring role on card number `card`, or an extra role on the set `area`.

    `number` counts the roles of that kind from the left; `role_rank` is the role's rank, `rank` the player's.
    `began` is the player's turn, counted from 1, on which the role was taken. The role paid `dollars` and `credits`,
    and `bonus` when the scene wrapped.
    """

    seat: int
    day: int
    began: int
    area: str
    card: int
    kind: RoleKind
    number: int
    role_rank: int
    rank: int
    budget: int
    rehearsals: int = 0
    acts: int = 0
    successes: int = 0
    dollars: int = 0
    credits: int = 0
    bonus: int = 0
    end: JobEnd = "cut off"


class Promotion(Struct):
    """A rank that a player bought."""

    seat: int
    day: int
    turn: int
    old_rank: int
    rank: int
    currency: Currency
    price: int


class SimulatedGame(Struct):
    """A game. Lists are by seat, except `day_turns` by day and dice by face.

    `first` is the seat that went first; `won` is 1 for the winner, or a fraction if the win was shared.
    """

    game: int
    bots: list[str]
    first: int
    deck: str
    layout: str
    ties: str
    bonus: str
    days: int
    decisions: int
    cut_off: bool
    scores: list[int]
    won: list[float]
    places: list[int]
    ranks: list[int]
    dollars: list[int]
    credits: list[int]
    turns: list[int]
    day_turns: list[int]
    act_dice: list[int]
    bonus_dice: list[int]
    jobs: list[Job]
    promotions: list[Promotion]


class SimulatedDecision(Struct):
    """A decision: who chose which of how many actions, and how it turned out, in the notation of records."""

    game: int
    decision: int
    seat: int
    day: int
    area: str
    rank: int
    dollars: int
    credits: int
    chips: int
    choices: int
    action: str
    outcome: str
