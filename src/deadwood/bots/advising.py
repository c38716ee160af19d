"""Advice: how a bot values every legal action, and why. Front ends show it as a hint."""

from collections.abc import Sequence
from typing import Literal, Protocol, runtime_checkable

from msgspec import Struct

from ..engine.actions import Action
from ..engine.legality import legal_actions
from ..engine.state import State
from ..narration import BotReason
from .registry import decision, make

Unit = Literal["chance", "points"]


class Advice(Struct, frozen=True):
    """A legal action, its value to the bot (higher is better), and a reason for `narrate`."""

    action: Action
    value: float
    reason: BotReason


@runtime_checkable
class Explainer(Protocol):
    """A bot that explains itself. Its values are points, unless its `unit` says that they are chances."""

    def explain(self, state: State, actions: Sequence[Action]) -> list[Advice]:
        """Advice about each of the active player's legal actions."""


def advice(name: str, state: State, seed: int | None = None, *, seconds: float | None = None) -> list[Advice]:
    """What the bot with that name thinks of every legal action, the best first; nothing when the game is over."""
    actions = legal_actions(state)
    bot = make(name, seed, seconds=seconds)
    if not actions:
        return []
    if isinstance(bot, Explainer):
        return sorted(bot.explain(state, actions), key=lambda one: -one.value)
    chosen = decision(bot, name, state, actions)
    others = [Advice(one, 0.0, BotReason("not_chosen", {"bot": name})) for one in actions if one != chosen]
    return [Advice(chosen, 1.0, BotReason("chosen", {"bot": name})), *others]


def unit(name: str) -> Unit:
    """What the values of that bot's advice are. A bot that explains nothing gives the chance that it acts so."""
    bot = make(name)
    given = getattr(bot, "unit", "points") if isinstance(bot, Explainer) else "chance"
    return "chance" if given == "chance" else "points"
