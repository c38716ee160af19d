"""The end of a game as the movies would tell it: a poster, credits, awards. All of it comes from the game's events."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any, Literal

from msgspec import Struct

from .engine.events import (
    Acted,
    BonusPaid,
    CardTurned,
    DayEnded,
    DayStarted,
    Event,
    Moved,
    Rehearsed,
    RoleTaken,
    SceneWrapped,
    Upgraded,
)
from .engine.odds import success_chance
from .engine.scoring import CashedOut, cashed_out, money_points, standings
from .engine.state import State

AwardKey = Literal["bonus", "scene", "hits", "streak", "luck", "rehearsals", "wraps", "rank", "steps", "misses"]
LEAST_STREAK = 3  # acts in a row that are worth a mention
LEAST_LUCK = Fraction(1, 2)  # successes beyond the expected number; fewer are noise
BEST_PARTS = 3  # of a player, named in the credits
MORE_SCENES = 6  # of the winner, named on the poster


class Part(Struct, frozen=True, kw_only=True):
    """A role as somebody played it. Names and lines are those of the card and the area."""

    player: str
    card: int
    area_id: str
    role_number: int
    takes: int
    hits: int
    earned: int  # pay and bonus, in dollars and credits


class Billing(Struct, frozen=True, kw_only=True):
    """A player in the credits: the best parts, best first, and how many there were in all. The first is quoted."""

    player: str
    parts: tuple[Part, ...]
    played: int


class Poster(Struct, frozen=True, kw_only=True):
    """The winner's movie: the part that earned most, everybody in that scene, and the winner's other scenes.

    `part` is None for a winner who never worked.
    """

    player: str
    part: Part | None
    cast: tuple[Part, ...]
    scenes: tuple[int, ...]


class Award(Struct, frozen=True, kw_only=True):
    """For doing the most of something; equals share it. `card` is the scene, if there was exactly one."""

    key: AwardKey
    players: tuple[str, ...]
    value: float
    card: int | None


class Shoot(Struct, frozen=True, kw_only=True):
    """The whole game in numbers; `budget` is that of the finished scenes, in millions."""

    days: int
    scenes: int
    unfinished: int
    budget: int
    takes: int
    hits: int
    rehearsals: int
    steps: int
    bonus: int


class Finale(Struct, frozen=True, kw_only=True):
    """Everything a front end needs for the end of a game; `left` is the area where the last scene was not finished."""

    cashed_out: tuple[CashedOut, ...]
    poster: Poster
    billing: tuple[Billing, ...]
    awards: tuple[Award, ...]
    shoot: Shoot
    left: str


def finale(state: State, events: Iterable[Event]) -> Finale:
    """The end of a game that is over, from all its events in order."""
    story = _Story()
    for event in events:
        story.add(event)
    table = standings(state)
    parts = {line.name: _best_first(story.parts_of(line.name)) for line in table}
    return Finale(
        cashed_out=cashed_out(table),
        poster=_poster(table[0].name, parts[table[0].name], story),
        billing=tuple(
            Billing(player=name, parts=tuple(played[:BEST_PARTS]), played=len(played)) for name, played in parts.items()
        ),
        awards=_awards(story),
        shoot=_shoot(story),
        left=story.left,
    )


class _Job(Struct):
    """A part while it is played."""

    player: str
    card: int
    area_id: str
    role_number: int
    takes: int = 0
    hits: int = 0
    earned: int = 0

    @property
    def part(self) -> Part:
        return Part(
            player=self.player,
            card=self.card,
            area_id=self.area_id,
            role_number=self.role_number,
            takes=self.takes,
            hits=self.hits,
            earned=self.earned,
        )


class _Story:
    """What the events show, player by player."""

    def __init__(self) -> None:
        self.jobs: list[_Job] = []
        self.counts: dict[str, Counter[str]] = {}
        self.luck: dict[str, Fraction] = {}
        self.bonuses: list[tuple[str, int, int]] = []  # player, dollars, card
        self.ranks: list[tuple[str, int]] = []  # in the order they were bought
        self.budgets: list[int] = []  # of the finished scenes
        self.days = 0
        self.unfinished = 0
        self.left = ""
        self._cards: dict[str, int] = {}
        self._working: dict[str, _Job] = {}
        self._handlers: dict[type[Event], Callable[[Any], None]] = {
            DayStarted: self._day_started,
            Moved: self._moved,
            CardTurned: self._card_turned,
            RoleTaken: self._role_taken,
            Acted: self._acted,
            Rehearsed: self._rehearsed,
            SceneWrapped: self._wrapped,
            BonusPaid: self._bonus_paid,
            Upgraded: self._upgraded,
            DayEnded: self._day_ended,
        }

    def add(self, event: Event) -> None:
        handler = self._handlers.get(type(event))
        if handler is not None:
            handler(event)

    def parts_of(self, player: str) -> list[Part]:
        return [job.part for job in self.jobs if job.player == player]

    def total(self, what: str) -> int:
        return sum(counted[what] for counted in self.counts.values())

    def each(self, what: str) -> dict[str, int]:
        return {player: counted[what] for player, counted in self.counts.items()}

    def _counts(self, player: str) -> Counter[str]:
        return self.counts.setdefault(player, Counter())

    def _day_started(self, event: DayStarted) -> None:
        self.days = event.day

    def _moved(self, event: Moved) -> None:
        self._counts(event.player)["steps"] += 1

    def _card_turned(self, event: CardTurned) -> None:
        self._cards[event.area_id] = event.card

    def _role_taken(self, event: RoleTaken) -> None:
        job = _Job(event.player, self._cards[event.area_id], event.area_id, event.role_number)
        self._working[event.player] = job
        self.jobs.append(job)

    def _acted(self, event: Acted) -> None:
        job, counts = self._working[event.player], self._counts(event.player)
        job.takes += 1
        job.hits += event.success
        counts["hits"] += event.success
        job.earned += money_points(event.dollars, event.credits)
        chance = success_chance(event.budget, event.chips)
        self.luck[event.player] = self.luck.get(event.player, Fraction(0)) + event.success - chance
        _count_run(counts, "streak", event.success)
        _count_run(counts, "misses", not event.success)

    def _rehearsed(self, event: Rehearsed) -> None:
        self._counts(event.player)["rehearsals"] += 1

    def _wrapped(self, event: SceneWrapped) -> None:
        self._counts(event.player)["wraps"] += 1
        self.budgets.append(event.budget)

    def _bonus_paid(self, event: BonusPaid) -> None:
        """A bonus comes after the wrap, so a player keeps a part until taking the next one."""
        job = self._working[event.player]
        job.earned += event.dollars
        self.bonuses.append((event.player, event.dollars, job.card))

    def _upgraded(self, event: Upgraded) -> None:
        self.ranks.append((event.player, event.rank))

    def _day_ended(self, event: DayEnded) -> None:
        self.unfinished += 1
        self.left = event.area_id


def _count_run(counts: Counter[str], what: str, goes_on: bool) -> None:
    """Count the present run, and keep the longest so far."""
    now = f"{what} now"
    counts[now] = counts[now] + 1 if goes_on else 0
    counts[what] = max(counts[what], counts[now])


def _best_first(parts: list[Part]) -> list[Part]:
    """Among equals, the earlier comes first. A part without a take has no line to quote and comes last."""
    return sorted(parts, key=lambda part: (part.takes > 0, part.earned, part.hits), reverse=True)


def _poster(winner: str, parts: list[Part], story: _Story) -> Poster:
    if not parts:
        return Poster(player=winner, part=None, cast=(), scenes=())
    best, *others = parts
    cast = {job.player: job.part for job in story.jobs if job.card == best.card and job.player != winner}
    scenes = dict.fromkeys(part.card for part in others if part.card != best.card)
    return Poster(player=winner, part=best, cast=tuple(cast.values()), scenes=tuple(scenes)[:MORE_SCENES])


def _shoot(story: _Story) -> Shoot:
    return Shoot(
        days=story.days,
        scenes=len(story.budgets),
        unfinished=story.unfinished,
        budget=sum(story.budgets),
        takes=sum(job.takes for job in story.jobs),
        hits=sum(job.hits for job in story.jobs),
        rehearsals=story.total("rehearsals"),
        steps=story.total("steps"),
        bonus=sum(dollars for _, dollars, _ in story.bonuses),
    )


def _awards(story: _Story) -> tuple[Award, ...]:
    given = (
        _best_scene("bonus", story.bonuses),
        _best_scene("scene", [(job.player, job.earned, job.card) for job in story.jobs]),
        _most("hits", story.each("hits")),
        _most("streak", story.each("streak"), LEAST_STREAK),
        _most("luck", story.luck, LEAST_LUCK),
        _most("rehearsals", story.each("rehearsals")),
        _most("wraps", story.each("wraps")),
        _first_to_the_top(story),
        _most("steps", story.each("steps")),
        _most("misses", story.each("misses"), LEAST_STREAK),
    )
    return tuple(award for award in given if award is not None)


def _most(key: AwardKey, values: Mapping[str, int | Fraction], least: int | Fraction = 1) -> Award | None:
    most = max(values.values(), default=0)
    if most < least:
        return None
    return Award(key=key, players=tuple(name for name in values if values[name] == most), value=float(most), card=None)


def _best_scene(key: AwardKey, earned: list[tuple[str, int, int]]) -> Award | None:
    """The highest earnings in one scene. If several scenes brought as much, none is named."""
    most = max((dollars for _, dollars, _ in earned), default=0)
    best = [(player, card) for player, dollars, card in earned if dollars == most]
    if not most:
        return None
    cards = {card for _, card in best}
    players = tuple(dict.fromkeys(player for player, _ in best))
    return Award(key=key, players=players, value=float(most), card=cards.pop() if len(cards) == 1 else None)


def _first_to_the_top(story: _Story) -> Award | None:
    """Who first reached the highest rank that anybody bought."""
    top = max((rank for _, rank in story.ranks), default=0)
    first = next((player for player, rank in story.ranks if rank == top), None)
    return None if first is None else Award(key="rank", players=(first,), value=float(top), card=None)
