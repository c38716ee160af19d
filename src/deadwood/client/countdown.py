"""Countdowns at a table: the server says how much time is left, and we count down from there."""

from msgspec import Struct

from ..server.protocol.views import ClockView


class Countdown(Struct, frozen=True):
    """The seconds that a chair had left at a moment of the event loop's clock, and whether the countdown runs."""

    chair: int
    seconds: float
    runs: bool
    heard: float

    def left(self, now: float) -> float:
        """The seconds left now."""
        return max(0.0, self.seconds - (now - self.heard)) if self.runs else self.seconds


def countdown(clock: ClockView | None, now: float) -> Countdown | None:
    """The countdown that the server has just sent."""
    return None if clock is None else Countdown(clock.chair, clock.seconds, clock.runs, now)
