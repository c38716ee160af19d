"""Exact counts of the paths that actions and chance can take, as chess engines count moves."""

from collections.abc import Iterator

from deadwood.engine import rules
from deadwood.engine.actions import Action
from deadwood.engine.state import State


class Fork(Exception):
    """Chance must choose among `count` results."""

    def __init__(self, count: int) -> None:
        self.count = count


class ForkingDice:
    """Gives scripted results, then forks."""

    def __init__(self, results: tuple[int, ...]) -> None:
        self._results = list(results)

    def roll(self, count: int) -> tuple[int, ...]:
        return tuple(self.pick(6) + 1 for _ in range(count))

    def pick(self, count: int) -> int:
        if not self._results:
            raise Fork(count)
        return self._results.pop(0)


def outcomes(state: State, action: Action) -> Iterator[State]:
    """The states that an action can lead to, one for every sequence of chance results."""
    paths: list[tuple[int, ...]] = [()]
    while paths:
        results = paths.pop()
        try:
            yield rules.apply(state, action, ForkingDice(results))[0]
        except Fork as fork:
            paths.extend((*results, result) for result in range(fork.count))


def perft(state: State, depth: int) -> int:
    """The number of paths of `depth` actions, with all their chance results."""
    if depth == 0:
        return 1
    return sum(
        perft(following, depth - 1) for action in rules.legal_actions(state) for following in outcomes(state, action)
    )
