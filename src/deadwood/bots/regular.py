"""`regular`: a plan. Which role is worth walking to, when to act or rehearse, when to go for which rank."""

from collections.abc import Sequence
from functools import cache, lru_cache

from msgspec.structs import replace

from ..engine.actions import ACT, REHEARSE, Action, Move, TakeRole, Upgrade
from ..engine.legality import legal_actions, role_number
from ..engine.odds import Distribution, dealt_dice, expectation, wrap_bonus
from ..engine.options import POINTS_PER_RANK
from ..engine.state import State
from ..engine.table import FACE_DOWN, FIRST_EXTRA, Table
from .worth import Work, acting, rehearsing, worth

TURN = 1.0  # points that a turn is worth elsewhere
STAR_COMES = 0.35  # the chance that somebody will star in a scene where nobody does yet
TURNS_PER_SCENE = 3.2  # how many turns of all players together a scene takes
UNSTUCK = 30.0  # points that any rank is worth to somebody for whom there is no work
RATES = {1: 0.0, 2: 0.14, 3: 0.26, 4: 0.38, 5: 0.46, 6: 0.52}  # points a turn that a rank brings over rank 1


class RegularBot:
    """Weighs every role and rank within reach by what it brings, less the turns it takes."""

    level = 3

    def __init__(self, seed: int | None = None) -> None:
        del seed  # this one leaves nothing to chance

    def decide(self, state: State, actions: Sequence[Action]) -> Action:
        if ACT in actions:
            return ACT if REHEARSE not in actions or _better_to_act(state) else REHEARSE
        return max(actions, key=lambda action: value(state, action))


def value(state: State, action: Action) -> float:
    """Points that an action promises the active player who has no role."""
    here = state.players[state.active].area
    match action:
        case TakeRole():
            return worth(_work(state, here, role_number(action)), TURN)
        case Upgrade():
            return _upgrade_gain(state, action) + _best_from(state, here)
        case Move():
            return _best_from(state, state.table.area_numbers[action.area])
        case _:
            return _best_from(state, here) - TURN


def _better_to_act(state: State) -> bool:
    player = state.players[state.active]
    assert player.role is not None
    work = _work(state, player.area, player.role)._replace(chips=player.chips)
    return acting(work, TURN) >= rehearsing(work, TURN)


def _best_from(state: State, here: int) -> float:
    """The best that can be reached from a place, less the turns to get there."""
    far = state.table.distances[here]
    best = _best_upgrade(state) - TURN * far[state.table.office]
    for area, scene in enumerate(state.scenes):
        if scene >= FACE_DOWN:
            best = max(best, _scene_worth(state, area) - TURN * far[area])
    return max(best, 0.0)


def _standing(state: State, area: int) -> tuple[Action, ...]:
    """What the active player could do next, standing there."""
    players = list(state.players)
    players[state.active] = replace(players[state.active], area=area)
    return legal_actions(replace(state, players=tuple(players), moved=True))


def _scene_worth(state: State, area: int) -> float:
    if state.scenes[area] == FACE_DOWN:
        rank = state.players[state.active].rank
        promises = [_unseen_worth(state.table, card, area, rank) for card in state.unseen]
        return sum(promises) / len(promises)
    roles = (role_number(action) for action in _standing(state, area) if isinstance(action, TakeRole))
    return max((worth(_work(state, area, role), TURN) for role in roles), default=0.0)


def _work(state: State, area: int, role: int) -> Work:
    """A role with what is left to do; others on the set do some of it."""
    card = state.card(area)
    assert card is not None
    others = sum(one.area == area and one.role not in (None, role) for one in state.players)
    shots = max(1, round(state.shots[area] / (1 + others / 2)))
    bonus = _mean(wrap_bonus(state, area, role))
    if role >= FIRST_EXTRA and not bonus:
        bonus = STAR_COMES * state.table.role(area, state.scenes[area], role).rank
    return Work(role < FIRST_EXTRA, card.budget, shots, 0, bonus)


@lru_cache(maxsize=4096)
def _unseen_worth(table: Table, scene: int, area: int, rank: int) -> float:
    """What a set promises to the first one there, if a certain card lies on it."""
    card, place = table.cards[scene], table.areas[area]
    promises = [0.0]
    for take in table.star_takes[scene][rank]:
        bonus = _mean(dealt_dice(card.budget, len(card.roles), len(card.roles) - take.number))
        promises.append(worth(Work(True, card.budget, place.shots, 0, bonus), TURN))
    for take in table.extra_takes[area][rank]:
        bonus = STAR_COMES * place.extras[take.number - 1].rank
        promises.append(worth(Work(False, card.budget, place.shots, 0, bonus), TURN))
    return max(promises)


def _mean(distribution: Distribution) -> float:
    if len(distribution) == 1:
        return float(next(iter(distribution)))
    return _cached_mean(tuple(distribution.items()))


@cache
def _cached_mean(items: tuple[tuple[int, object], ...]) -> float:
    return float(expectation(dict(items)))  # type: ignore[arg-type]


def _best_upgrade(state: State) -> float:
    upgrades = (action for action in _standing(state, state.table.office) if isinstance(action, Upgrade))
    return max((_upgrade_gain(state, upgrade) for upgrade in upgrades), default=0.0)


def _upgrade_gain(state: State, upgrade: Upgrade) -> float:
    """Points at the end, and better roles until then, less the price."""
    table, rank = state.table, state.players[state.active].rank
    scenes = state.scenes_left + (table.days - state.day) * table.new_scenes.count(FACE_DOWN)
    turns = scenes * TURNS_PER_SCENE / len(state.players)
    better = (RATES[upgrade.rank] - RATES[rank]) * turns + UNSTUCK * _is_stuck(state)
    return POINTS_PER_RANK * (upgrade.rank - rank) - table.prices[upgrade] + better


def _is_stuck(state: State) -> bool:
    """Whether no scene has a role for the active player's rank; then only a rank gets the game on."""
    return not any(_scene_worth(state, area) > 0 for area, scene in enumerate(state.scenes) if scene >= FACE_DOWN)
