"""Attendance: who plays for absent people, the clock, votes, and chairs that wait for somebody."""

from collections.abc import Iterable
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from .log import (
    Entry,
    HandedOver,
    Invited,
    Left,
    Paused,
    Resumed,
    Returned,
    Sat,
    StoodIn,
    TakenOver,
    Voted,
)

K = TypeVar("K")
V = TypeVar("V")
HANDOVER_SECONDS = 600.0  # how long a chair can be taken over
INVITATION_SECONDS = 86_400.0  # how long an invitation keeps a chair


class Clock(Struct, frozen=True):
    """The time for a turn: `left` seconds at `since`. Only time while a server is running counts."""

    since: float
    left: float


class ChairHandover(Struct, frozen=True):
    """A chair that anybody with the secret behind this hash may take over, `until` the secret expires.

    `by` is the chair that handed it over; once somebody has `taken` it, the secret is worth nothing.
    """

    secret: str
    by: int
    until: float
    taken: bool = False


class Attendance(Struct, frozen=True):
    """All of this follows from the log. It does not include who is connected."""

    away: dict[int, str] = {}  # by chair: the bots that play until their people return
    overtime: str | None = None  # the bot that plays the rest of this turn, because its time is up
    clock: Clock | None = None  # of the active chair, while a person plays it
    paused: bool = False
    pause: frozenset[int] = frozenset()  # the chairs that agree to it
    end: frozenset[int] = frozenset()
    handovers: dict[int, ChairHandover] = {}  # by chair: the latest one
    invitations: dict[str, float] = {}  # by the hash of a secret: when they end

    def taken(self, entry: Entry) -> "Attendance":
        """The attendance after an entry, except for the clock of a new turn."""
        match entry.body:
            case StoodIn(_, bot, "time"):
                return replace(self, overtime=bot)
            case StoodIn(chair, bot):
                return replace(self, away=self.away | {chair: bot})
            case Returned(chairs):
                return replace(self, away=_without(self.away, chairs))
            case HandedOver(chair, secret):
                handover = ChairHandover(secret, entry.by, entry.at + HANDOVER_SECONDS)
                return replace(self, handovers=self.handovers | {chair: handover})
            case TakenOver(chair):
                return self._taken_over(chair)
            case Voted(chairs, to, agrees):
                return self._voted(chairs, to, agrees)
            case Paused(left):
                clock = self.clock if left is None else Clock(entry.at, left)
                return replace(self, paused=True, pause=frozenset(), clock=clock)
            case Resumed():
                clock = None if self.clock is None else replace(self.clock, since=entry.at)
                return replace(self, paused=False, clock=clock)
            case Invited(invitation):
                until = entry.at + INVITATION_SECONDS
                kept = {} if invitation is None else self.open_invitations(entry.at) | {invitation: until}
                return replace(self, invitations=kept)
            case Sat(_, invitation):
                return replace(self, invitations=_without(self.invitations, [invitation]))
            case Left(chair):
                return self.withdrawn(chair)._left(chair)
            case _:
                return self

    @property
    def calm(self) -> bool:
        """Whether everybody plays for themselves, and nobody has proposed anything."""
        return not (self.away or self.pause or self.end or self.paused)

    def withdrawn(self, chair: int) -> "Attendance":
        """Withdraw the votes of somebody who plays on or leaves."""
        if chair not in self.pause and chair not in self.end:
            return self
        return replace(self, pause=self.pause - {chair}, end=self.end - {chair})

    def open_invitations(self, now: float) -> dict[str, float]:
        """The invitations that still keep a chair."""
        return {secret: until for secret, until in self.invitations.items() if now < until}

    def _left(self, chair: int) -> "Attendance":
        return replace(self, away=_without(self.away, [chair]), handovers=_without(self.handovers, [chair]))

    def _taken_over(self, chair: int) -> "Attendance":
        """The handover stays, so that somebody who comes too late learns why."""
        handovers = {id: replace(one, taken=one.taken or id == chair) for id, one in self.handovers.items()}
        return replace(self, away=_without(self.away, [chair]), handovers=handovers)

    def _voted(self, chairs: Iterable[int], to: str, agrees: bool) -> "Attendance":
        """A single vote against ends the whole proposal."""
        before = self.pause if to == "pause" else self.end
        after = before.union(chairs) if agrees else frozenset[int]()
        return replace(self, pause=after) if to == "pause" else replace(self, end=after)


def _without(mapping: dict[K, V], keys: Iterable[K | None]) -> dict[K, V]:
    gone = set(keys)
    return {key: value for key, value in mapping.items() if key not in gone}
