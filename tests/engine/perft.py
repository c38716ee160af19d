"""Exact counts of the paths that actions and chance can take, as chess engines count moves."""

from collections.abc import Iterable, Iterator
from itertools import product

from msgspec.structs import astuple

from deadwood.engine import rules
from deadwood.engine.actions import Action
from deadwood.engine.state import State

Result = int | tuple[int, ...]  # a pick, or all dice of a roll


class Fork(Exception):
    """Chance must choose one of `results`."""

    def __init__(self, results: Iterable[Result]) -> None:
        self.results = results


class ForkingDice:
    """Gives scripted results, then forks."""

    def __init__(self, results: tuple[Result, ...]) -> None:
        self._results = iter(results)

    def roll(self, count: int) -> tuple[int, ...]:
        rolled = next(self._results, None)
        if rolled is None:
            raise Fork(product(range(1, 7), repeat=count))
        assert isinstance(rolled, tuple)
        assert len(rolled) == count
        return rolled

    def pick(self, count: int) -> int:
        picked = next(self._results, None)
        if picked is None:
            raise Fork(range(count))
        assert isinstance(picked, int)
        assert picked < count
        return picked


def outcomes(state: State, action: Action) -> Iterator[State]:
    """The states that an action can lead to, one for every sequence of chance results."""
    paths: list[tuple[Result, ...]] = [()]
    while paths:
        results = paths.pop()
        try:
            yield rules.apply(state, action, ForkingDice(results))[0]
        except Fork as fork:
            paths.extend((*results, result) for result in fork.results)


def perft(state: State, depth: int) -> list[int]:
    """The numbers of paths of 1, 2, ... `depth` actions, with all their chance results.

    Different results often lead to the same state, which is followed only once.
    """
    if depth == 0:
        return []
    following = [after for action in rules.legal_actions(state) for after in outcomes(state, action)]
    counts = [len(following), *[0] * (depth - 1)]
    if depth > 1:
        equal: dict[object, list[State]] = {}
        for after in following:
            equal.setdefault(_contents(after), []).append(after)
        for states in equal.values():
            for more, count in enumerate(perft(states[0], depth - 1), 1):
                counts[more] += len(states) * count
    return counts


def _contents(state: State) -> tuple[object, ...]:
    """Everything in a state except its table, which stays the same and cannot be hashed."""
    return astuple(state)[1:]
