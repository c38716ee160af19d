"""`champion`: a learned player. A net proposes, one ply of search decides, and it knows every seat's chance to win.

`deadwood train` makes its weights. Without weights, or without numpy, the bot is not offered. numpy and the weights are
loaded when it first decides.
"""

import os
import random
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from math import log
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from ..engine import rules
from ..engine.actions import Act, Action, EndTurn, Move, Upgrade
from ..engine.chance import FACES, Dice
from ..engine.deck import BUDGETS
from ..engine.odds import success_chance
from ..engine.state import State
from ..engine.table import FACE_DOWN
from ..extras import ExtraMissing
from ..narration import BotReason
from .advising import Advice
from .regular import Valuation
from .star import Given, StarBot

if TYPE_CHECKING:
    from ..neural.judge import Judge, Judgement

WEIGHTS_VARIABLE = "DEADWOOD_CHAMPION"  # the environment variable that names other weights
OWN_WEIGHTS = Path(__file__).with_name("champion.npz")
CARDS = 8  # cards to try when a move turns one
WRAPS = 8  # rolls of bonus dice to try when an act may wrap a scene
LEAST_LIKELY = 0.02  # actions that the net would choose less often are not searched
TRUST = 0.01  # bonus in chances to win for an action that the net finds e times as likely
RESTLESS = 0.1  # how often it plays like `star`, which never waits, where the game might otherwise not end
_EQUAL = 0.05  # percentage points: smaller differences would be shown as 0.0
_DIGITS = 6  # smaller differences depend on the processor, and decisions must not


class Outlook(Struct, frozen=True):
    """What the champion expects for one seat."""

    chance: float  # to win
    score: float  # at the end


class ChampionBot:
    """Plays the action with the best chance to win, among those that the net would choose, and explains it."""

    level = 5
    unit = "chance"

    def __init__(self, seed: int | None = None) -> None:
        self._temperature = 0.0
        self._random = random.Random(seed)
        self._star = StarBot(seed)

    @property
    def temperature(self) -> float:
        """0 plays as well as it can, 1 as the net's policy says; the higher, the weaker."""
        return self._temperature

    @temperature.setter
    def temperature(self, value: float) -> None:
        if not value >= 0:  # nor not a number
            raise ValueError(f"A temperature is 0 or more, not {value}.")
        self._temperature = value

    @staticmethod
    def offered() -> bool:
        """Whether there are weights. Without numpy it cannot compute, and the error says what to install."""
        if find_spec("numpy") is None:
            raise ExtraMissing("The bot 'champion'", "terminal")
        return weights_path().exists()

    @staticmethod
    def data_files() -> tuple[Path, ...]:
        """The files that its decisions depend on, besides the code."""
        return (weights_path(),)

    def decide(self, state: State, actions: Sequence[Action]) -> Action:
        if len(actions) == 1:
            return actions[0]
        if not can_see(state):
            return self._star.decide(state, actions)
        policy = self._policy(state, actions)
        chosen = self._drawn(policy) if self.temperature > 0 else self._best(state, policy)
        if _may_wait_for_ever(state, chosen) and self._random.random() < RESTLESS:
            return self._star.decide(state, actions)
        return chosen

    def _best(self, state: State, policy: dict[Action, float]) -> Action:
        likely = [action for action, chance in policy.items() if chance >= LEAST_LIKELY]
        if len(likely) == 1:
            return likely[0]
        found = self._search(state, likely)
        return max(likely, key=lambda one: round(found[one].chance + TRUST * log(policy[one]), _DIGITS))

    def outlook(self, state: State) -> tuple[Outlook, ...]:
        """Everybody's chance to win and expected final score, by seat.

        Raises EncodingError at a table that the net cannot see, where the bot only plays like `star`.
        """
        (judgement,) = _judge().judge([state])
        return tuple(map(Outlook, judgement.wins, judgement.scores))

    def explain(self, state: State, actions: Sequence[Action]) -> list[Advice]:
        if not can_see(state):
            return self._star.explain(state, actions)
        chosen = self._best(state, self._policy(state, actions))
        found, reasons = self._search(state, actions), _reasons(state, actions)
        first = sorted(found, key=lambda action: action != chosen)  # of equals, the one that it would play
        return [_advice(action, found[action], found[chosen], reasons[action]) for action in first]

    def _policy(self, state: State, actions: Sequence[Action]) -> dict[Action, float]:
        from ..encoding import number_of  # noqa: PLC0415 - it needs numpy

        (judgement,) = _judge().judge([state])
        return {action: float(judgement.policy[number_of(action, state.table)]) for action in actions}

    def _drawn(self, policy: dict[Action, float]) -> Action:
        most = max(policy.values())  # the weight of that is 1, so that not all become 0 at a low temperature
        weights = [(chance / most) ** (1 / self.temperature) for chance in policy.values()]
        return self._random.choices(list(policy), weights)[0]

    def _search(self, state: State, actions: Sequence[Action]) -> dict[Action, Outlook]:
        """The active player's outlook after every action, over all possible outcomes or a sample of them."""
        branches = list(Ply(state, self._random).branches(actions))
        judged = _judge().judge([branch.state for branch in branches])
        return {action: _mean(action, branches, judged, state.active) for action in actions}


class QuickChampionBot(ChampionBot):
    """The champion without search: what the net would choose most often."""

    def _best(self, _state: State, policy: dict[Action, float]) -> Action:
        return max(policy, key=lambda action: round(policy[action], _DIGITS))


class Branch(NamedTuple):
    """A possible result of an action, and how likely it is."""

    action: Action
    likely: float
    state: State


class Ply:
    """Everything that actions may lead to, with the same cards and dice for all of them."""

    def __init__(self, state: State, chance: random.Random, cards: int = CARDS, wraps: int = WRAPS) -> None:
        unseen = len(state.unseen)
        self._state = state
        self._cards = chance.sample(range(unseen), min(cards, unseen))
        self._wraps = [chance.choices(range(1, FACES + 1), k=BUDGETS[-1]) for _ in range(wraps)]

    def branches(self, actions: Sequence[Action]) -> Iterator[Branch]:
        """Every result of every action."""
        for action in actions:
            for dice, likely in self._results(action):
                yield Branch(action, likely, rules.apply(self._state, action, dice)[0])

    def _results(self, action: Action) -> list[tuple[Dice, float]]:
        state = self._state
        if isinstance(action, Act):
            return self._acts()
        if isinstance(action, Move) and state.scenes[state.table.area_numbers[action.area]] == FACE_DOWN:
            return [(Given(card=card), 1 / len(self._cards)) for card in self._cards]
        return [(Given(), 1.0)]

    def _acts(self) -> list[tuple[Dice, float]]:
        state = self._state
        player = state.players[state.active]
        card = state.card(player.area)
        assert card is not None
        likely = float(success_chance(card.budget, player.chips))
        wraps = self._wraps if state.is_last_shot(player.area) else self._wraps[:1]
        successes: list[tuple[Dice, float]] = [(Given(FACES, bonus), likely / len(wraps)) for bonus in wraps]
        return successes if likely == 1 else [*successes, (Given(die=1), 1 - likely)]


def weights_path() -> Path:
    """The file of the weights: the champion's own, unless the environment names another one."""
    named = os.environ.get(WEIGHTS_VARIABLE)
    return Path(named) if named else OWN_WEIGHTS


def _judge() -> "Judge":
    from ..neural.judge import judge_from  # noqa: PLC0415 - it needs numpy, which takes long to import

    return judge_from(weights_path())


def can_see(state: State) -> bool:
    """Whether the net can represent the table; a custom deck or custom prices may not fit."""
    from ..encoding import EncodingError, sheet_of  # noqa: PLC0415 - it needs numpy

    try:
        sheet_of(state.table)
    except EncodingError:
        return False
    return True


def _may_wait_for_ever(state: State, action: Action) -> bool:
    """Whether the game may never end: in its last scene, two champions may each wait for the other to work."""
    is_last_scene = state.day == state.table.days and state.wraps_left == 1
    return is_last_scene and isinstance(action, Move | EndTurn)


def _mean(action: Action, branches: Sequence[Branch], judged: Sequence["Judgement"], seat: int) -> Outlook:
    own = [(branch.likely, one) for branch, one in zip(branches, judged, strict=True) if branch.action == action]
    return Outlook(
        sum(likely * one.wins[seat] for likely, one in own), sum(likely * one.scores[seat] for likely, one in own)
    )


def _reasons(state: State, actions: Sequence[Action]) -> dict[Action, BotReason]:
    """What work brings, as `regular` estimates it; for all other actions, where the champion itself would go next."""
    from .follow_up import follow_ups  # noqa: PLC0415 - only explanations need it

    valuation = Valuation(state)
    plans = [action for action in actions if isinstance(action, Move | Upgrade | EndTurn)]
    work = {action: valuation.reason(action) for action in actions if action not in plans}
    return work | dict(zip(plans, follow_ups(_judge(), state, plans), strict=True))


def _advice(action: Action, found: Outlook, chosen: Outlook, because: BotReason) -> Advice:
    """Advice about an action, with its estimated chance to win.

    An alternative may look as good as the chosen action or better. The net may find it too unlikely, and the search
    samples chance. Then the sentence says so; the value, which tells what the bot prefers, is not above that of the
    chosen action.
    """
    values = {"chance": found.chance, "score": found.score, "because": because}
    if found is chosen:
        return Advice(action, chosen.chance, BotReason("champion", values))
    cost = 100 * (chosen.chance - found.chance)
    if cost >= _EQUAL:
        key, more = "champion_instead", {"cost": cost}
    elif cost > -_EQUAL:
        key, more = "champion_equal", {}
    else:
        key, more = "champion_doubted", {"gain": -cost}
    return Advice(action, min(found.chance, chosen.chance), BotReason(key, values | more))
