"""What a game remembers of an action."""

from msgspec import Struct

from .actions import Action
from .events import Events, OutcomeCorrected
from .rules import OutcomeNeed
from .state import State


class Step(Struct, frozen=True, gc=False):
    """An action, the seat that played it, its events, the bot that decided it if the player did not, and its turn."""

    seat: int
    action: Action
    events: Events
    by: str | None = None
    turn: int = 1

    @property
    def corrected(self) -> tuple[str, ...]:
        """The outcomes that were entered before and corrected, in order (R12.7)."""
        return next((event.earlier for event in self.events[:2] if isinstance(event, OutcomeCorrected)), ())


class LastOutcome(Struct, frozen=True):
    """What came up for the last action, the state before it, and what had to be rolled or turned (R12.7)."""

    before: State
    action: Action
    outcome: str
    needed: OutcomeNeed
