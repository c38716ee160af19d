"""`star`: search. Tries every way to play its turn, averages over chance, and takes the best chance to win."""

import random
from collections.abc import Sequence
from time import perf_counter

from ..engine import rules
from ..engine.actions import Act, Action, Move, Upgrade
from ..engine.chance import FACES, Dice
from ..engine.deck import BUDGETS
from ..engine.odds import success_chance
from ..engine.state import State
from ..engine.table import FACE_DOWN
from ..narration import BotReason
from .advising import Advice
from .evaluation import Evaluation
from .regular import Valuation

CARDS = 6  # cards to try when a move turns one
WRAPS = 6  # rolls of bonus dice to try when an act may wrap a scene


class StarBot:
    """Searches what every action may lead to by the end of its turn."""

    level = 4
    unit = "chance"

    def __init__(self, seed: int | None = None) -> None:
        self.seconds: float | None = None  # for each decision; None means one search
        self._random = random.Random(seed)

    def decide(self, state: State, actions: Sequence[Action]) -> Action:
        if len(actions) == 1:
            return actions[0]
        chances = self._chances(state, actions)
        return max(actions, key=lambda action: chances[action])

    def explain(self, state: State, actions: Sequence[Action]) -> list[Advice]:
        valuation = Valuation(state)
        return [
            Advice(action, chance, BotReason("win", {"chance": chance, "because": valuation.reason(action)}))
            for action, chance in self._chances(state, actions).items()
        ]

    def _chances(self, state: State, actions: Sequence[Action]) -> dict[Action, float]:
        """The mean of as many searches as time allows, each with other cards and dice."""
        began, searches = perf_counter(), 0
        sums = dict.fromkeys(actions, 0.0)
        while True:
            search = Search(state, self._random)
            for action in actions:
                sums[action] += search.chance(state, action)
            searches += 1
            if search.is_exact or not self._has_time(perf_counter() - began, searches):
                return {action: total / searches for action, total in sums.items()}

    def _has_time(self, elapsed: float, searches: int) -> bool:
        """Whether one more search of average length would end in time."""
        return self.seconds is not None and elapsed * (searches + 1) / searches <= self.seconds


class Search:
    """Expected results over one turn of one seat, with the same cards and dice for all actions."""

    def __init__(self, state: State, chance: random.Random) -> None:
        self.is_exact = True  # until chance is sampled
        self._seat = state.active
        self._evaluation = Evaluation(state)
        unseen = len(state.unseen)
        self._cards = chance.sample(range(unseen), min(CARDS, unseen))
        self._wraps = [chance.choices(range(1, FACES + 1), k=BUDGETS[-1]) for _ in range(WRAPS)]

    def chance(self, state: State, action: Action) -> float:
        """How likely the seat is to win after its action."""
        if isinstance(action, Act):
            return self._after_act(state, action)
        if isinstance(action, Move) and state.scenes[state.table.area_numbers[action.area]] == FACE_DOWN:
            self.is_exact &= len(self._cards) == len(state.unseen)
            after = [self._after(state, action, Given(card=card)) for card in self._cards]
            return sum(after) / len(after)
        return self._after(state, action, Given())

    def _after_act(self, state: State, action: Act) -> float:
        player, card = state.players[self._seat], state.card(state.players[self._seat].area)
        assert card is not None
        likely = float(success_chance(card.budget, player.chips))
        wraps = self._wraps if state.is_last_shot(player.area) else self._wraps[:1]
        self.is_exact &= len(wraps) == 1
        success = sum([self._after(state, action, Given(FACES, bonus)) for bonus in wraps]) / len(wraps)
        if likely == 1:
            return success
        return likely * success + (1 - likely) * self._after(state, action, Given(die=1))

    def _after(self, state: State, action: Action, dice: Dice) -> float:
        """The best continuation of the turn, or the evaluation if the turn is over."""
        after, _ = rules.apply(state, action, dice)
        if after.active != self._seat:
            return self._evaluation.win_chance(after, self._seat)
        following = rules.legal_actions(after)
        if isinstance(action, Upgrade):  # two upgrades are never better than the second alone (R8.2)
            following = tuple([one for one in following if not isinstance(one, Upgrade)])
        return max([self.chance(after, one) for one in following])


class Given:
    """Hypothetical results: a card, the die of an act, and the bonus dice of a wrap."""

    def __init__(self, die: int = 1, bonus: Sequence[int] = (), card: int = 0) -> None:
        self._die, self._bonus, self._card = die, bonus, card
        self._has_acted = False

    def roll(self, count: int) -> tuple[int, ...]:
        if self._has_acted:
            return tuple(self._bonus[:count])
        self._has_acted = True
        return (self._die,)

    def pick(self, _count: int) -> int:
        return self._card

    def copy(self) -> "Given":
        return Given(self._die, self._bonus, self._card)
