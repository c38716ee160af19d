"""What the champion thinks of every first turn of a new game, over every card that may come up."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import NamedTuple, TypeVar

from msgspec.structs import asdict

from ..bots.champion import Ply, weights_path
from ..engine import rules
from ..engine.actions import END_TURN, Action, Move, RoleKind, TakeRole
from ..engine.chance import FastDice
from ..engine.options import PLAYERS, RANDOM, Options
from ..engine.state import State
from ..neural.judge import Judge, judge_from
from .luck import can_be_judged
from .playing import seat_name

STANDARD = "standard"  # the layout to use in place of a random one
_AT_ONCE = 512  # states that are judged together
_OPTIONS = Options.__struct_fields__
KeyT = TypeVar("KeyT", bound=Hashable)


class FirstTurn(NamedTuple):
    """A first turn: where to go, or nowhere, and which role to take there. All starring roles count as one."""

    place: str | None = None
    kind: RoleKind | None = None
    number: int = 0


class Line(NamedTuple):
    """A first turn that one card allows."""

    turn: FirstTurn
    card: int  # counts the cards that may come up
    budget: int | None
    likely: float  # that this card comes up
    state: State  # after the turn


class Opinion(NamedTuple):
    """The chance to win after a turn, and how many of the cards allow that turn."""

    chance: float
    possible: float = 1.0


class Openings(NamedTuple):
    """The first player's chances to win at one number of players."""

    turns: dict[FirstTurn, Opinion]
    places: dict[str, Opinion]  # with the best turn that every card allows
    budgets: dict[tuple[str, int], Opinion]  # the same, by the budget of the card that comes up

    @property
    def stay(self) -> float:
        """The chance to win without going anywhere."""
        return self.turns[FirstTurn()].chance

    @property
    def best_place(self) -> str:
        """Where the chances are best."""
        return max(self.places, key=lambda place: self.places[place].chance)


def game_options(options: Options) -> Options:
    """The same options without random choices: the first player in turn order begins, on the standard layout."""
    fields = {name: value for name, value in asdict(options).items() if name in _OPTIONS}
    layout = STANDARD if options.layout.strip().casefold() == RANDOM else options.layout
    return Options(**(fields | {"first": seat_name(0), "layout": layout}))


def openings(options: Options, players: int) -> Openings | None:
    """What the champion thinks of every first turn; None if it cannot judge such tables."""
    return _openings(game_options(options), players, weights_path())


@lru_cache(maxsize=len(PLAYERS) * 4)
def _openings(options: Options, players: int, weights: Path) -> Openings | None:
    state, _ = rules.start([seat_name(seat) for seat in range(players)], options, FastDice(0))
    return judged(state, judge_from(weights)) if can_be_judged(state) else None


def judged(state: State, judge: Judge) -> Openings:
    """What a judge thinks of every turn that the active player of a new game may take."""
    lines = list(_lines(state))
    chances = _chances(judge, [line.state for line in lines], state.active)
    places = _mean_of_best(lines, chances, lambda line: line.turn.place)
    budgets = _mean_of_best(lines, chances, _place_and_budget)
    return Openings(_mean_of_best(lines, chances, lambda line: line.turn), places, budgets)


def _place_and_budget(line: Line) -> tuple[str, int] | None:
    return (line.turn.place, line.budget) if line.turn.place is not None and line.budget is not None else None


def _lines(state: State) -> Iterator[Line]:
    moves = [action for action in rules.legal_actions(state) if isinstance(action, Move)]
    yield Line(FirstTurn(), 0, None, 1.0, rules.apply(state, END_TURN, FastDice(0))[0])
    for move in moves:
        every_card = Ply(state, Random(0), cards=len(state.unseen))
        for number, branch in enumerate(every_card.branches([move])):
            there = branch.state
            card = there.card(there.players[there.active].area)
            budget = card.budget if card else None
            for action in rules.legal_actions(there):
                after, _ = rules.apply(there, action, FastDice(0))
                yield Line(_turn(move, action), number, budget, branch.likely, after)


def _turn(move: Move, action: Action) -> FirstTurn:
    if not isinstance(action, TakeRole):
        return FirstTurn(move.area)
    return FirstTurn(move.area, action.kind, 0 if action.kind == "star" else action.number)


def _chances(judge: Judge, states: Sequence[State], seat: int) -> list[float]:
    batches = (states[first : first + _AT_ONCE] for first in range(0, len(states), _AT_ONCE))
    return [judgement.wins[seat] for batch in batches for judgement in judge.judge(batch)]


def _mean_of_best(
    lines: Sequence[Line], chances: Sequence[float], key: Callable[[Line], KeyT | None]
) -> dict[KeyT, Opinion]:
    """For each key, the best chance that each card allows, averaged over the cards that allow any turn."""
    best: dict[KeyT, dict[int, tuple[float, float]]] = {}
    for line, chance in zip(lines, chances, strict=True):
        what = key(line)
        if what is not None:
            cards = best.setdefault(what, {})
            cards[line.card] = max(cards.get(line.card, (0.0, 0.0)), (chance, line.likely))
    return {what: _mean(list(cards.values())) for what, cards in best.items()}


def _mean(cards: Sequence[tuple[float, float]]) -> Opinion:
    possible = sum(likely for _, likely in cards)
    return Opinion(sum(chance * likely for chance, likely in cards) / possible, possible)
