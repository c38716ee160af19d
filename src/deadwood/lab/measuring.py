"""Collects statistics from a game's events."""

from collections.abc import Callable
from typing import Any

from ..engine.chance import FACES
from ..engine.events import (
    Acted,
    BonusPaid,
    CardTurned,
    DayEnded,
    Event,
    Events,
    Rehearsed,
    RoleTaken,
    SceneWrapped,
    TurnEnded,
    Upgraded,
)
from ..engine.state import State
from .rows import Job, Promotion


class Measures:
    """The statistics of one game. Call `add` with all its events, in order."""

    def __init__(self, state: State) -> None:
        self._table = state.table
        self._seats = {name: seat for seat, name in enumerate(state.table.names)}
        self._ids = {area.name: area.id for area in state.table.areas}
        self._ranks = [player.rank for player in state.players]
        self._cards: dict[str, CardTurned] = {}
        self._working: dict[str, Job] = {}
        self._day = 1
        self._turns_before = 0
        self._wrapper = ""
        self._day_is_over = False
        self.turns = [0] * len(state.players)
        self.day_turns: list[int] = []
        self.act_dice = [0] * FACES
        self.bonus_dice = [0] * FACES
        self.jobs: list[Job] = []
        self.promotions: list[Promotion] = []
        self._handlers: dict[type[Event], Callable[[Any], None]] = {
            CardTurned: self._card_turned,
            RoleTaken: self._role_taken,
            Rehearsed: self._rehearsed,
            Acted: self._acted,
            SceneWrapped: self._wrapped,
            BonusPaid: self._bonus_paid,
            Upgraded: self._upgraded,
            DayEnded: self._day_ended,
            TurnEnded: self._turn_ended,
        }

    def add(self, events: Events) -> None:
        """Count these events."""
        handlers = self._handlers
        for event in events:
            handler = handlers.get(type(event))
            if handler is not None:
                handler(event)

    def close(self) -> None:
        """Count the unfinished day of a game that was cut off."""
        if sum(self.turns) > self._turns_before:
            self._end_day()

    def _card_turned(self, event: CardTurned) -> None:
        self._cards[event.area] = event

    def _role_taken(self, event: RoleTaken) -> None:
        seat, card = self._seats[event.player], self._cards[event.area]
        job = Job(
            seat,
            self._day,
            self.turns[seat] + 1,
            self._ids[event.area],
            card.card,
            event.kind,
            event.number,
            event.rank,
            self._ranks[seat],
            card.budget,
        )
        self._working[event.player] = job
        self.jobs.append(job)

    def _rehearsed(self, event: Rehearsed) -> None:
        self._working[event.player].rehearsals += 1

    def _acted(self, event: Acted) -> None:
        self.act_dice[event.die - 1] += 1
        job = self._working[event.player]
        job.acts += 1
        job.successes += event.success
        job.dollars += event.dollars
        job.credits += event.credits

    def _bonus_paid(self, event: BonusPaid) -> None:
        self._working[event.player].bonus += event.dollars

    def _wrapped(self, event: SceneWrapped) -> None:
        """Bonuses come after this event, so jobs stay in `_working` until the player's next role."""
        for die in event.dice:
            self.bonus_dice[die - 1] += 1
        self._wrapper = event.player
        area = self._ids[event.area]
        for job in self._working.values():
            if job.area == area and job.end == "cut off":
                job.end = "wrapped"

    def _day_ended(self, _event: DayEnded) -> None:
        """Count the turn that ends the day here: its TurnEnded comes after DayEnded, or not at all (R9.3)."""
        for job in self._working.values():
            if job.end == "cut off":
                job.end = "day ended"
        self.turns[self._seats[self._wrapper]] += 1
        self._end_day()
        self._day += 1
        self._day_is_over = True

    def _upgraded(self, event: Upgraded) -> None:
        seat = self._seats[event.player]
        self._ranks[seat] = event.rank
        self.promotions.append(
            Promotion(seat, self._day, self.turns[seat] + 1, event.old_rank, event.rank, event.currency, event.price)
        )

    def _turn_ended(self, event: TurnEnded) -> None:
        if not self._day_is_over:
            self.turns[self._seats[event.player]] += 1
        self._day_is_over = False

    def _end_day(self) -> None:
        turns = sum(self.turns)
        self.day_turns.append(turns - self._turns_before)
        self._turns_before = turns
