"""The game itself: `start`, `legal_actions`, `refusal`, `apply`. Pure functions of frozen states."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from .actions import Act, Action, EndTurn, Move, Rehearse, TakeRole, Upgrade
from .board import Board
from .chance import FACES, Dice, OutcomeKind, OutcomeNeeded, TableDice
from .deck import Deck
from .events import (
    Acted,
    CardTurned,
    DayEnded,
    DayStarted,
    Event,
    Events,
    GameEnded,
    GameStarted,
    Moved,
    PlayerAfter,
    Rehearsed,
    RoleTaken,
    SceneWrapped,
    Upgraded,
)
from .layout import RANDOM_PLACEMENTS, Layout, parse_layout, random_layout
from .legality import legal_actions, plausible_actions, refusal, role_number, success_is_certain
from .options import CHIPS_PER_REHEARSAL, PAY, Options, beginning
from .refusal import IllegalAction, Refusal, SetupError
from .scoring import standings, winners
from .seats import check_names, find_name
from .state import NOBODY, Player, State
from .table import FACE_DOWN, NO_SCENE, Table, choose_board, choose_deck, make_table, purse_after, role_kind
from .wrap import wrap

__all__ = ["apply", "legal_actions", "open_table", "outcome_needed", "plausible_actions", "refusal", "start"]

T = TypeVar("T")
Applied = tuple[State, Events]


def start(
    names: Iterable[str],
    options: Options,
    dice: Dice,
    *,
    board: Board | None = None,
    deck: Deck | None = None,
    kept_names: bool = False,
) -> Applied:
    """A new game (RULES section 2); the first player is drawn before the layout, if they are random."""
    checked = check_names(names, kept=kept_names)
    board, deck = choose_board(board), choose_deck(options, deck)
    drawn = options.drawn
    first = dice.pick(len(checked)) if "first" in drawn else _seat_of(options.first, checked)
    layout = _random_layout(board, dice) if "layout" in drawn else parse_layout(options.layout, board)
    return open_table(make_table(checked, options, board=board, deck=deck, layout=layout, first=first, drawn=drawn))


def _seat_of(name: str, names: Sequence[str]) -> int:
    seat = find_name(name, names)
    if seat is None:
        raise SetupError(Refusal("R12.3", "first_unknown", {"name": name, "choices": tuple(names)}))
    return seat


def _random_layout(board: Board, dice: Dice) -> Layout:
    return random_layout(dice.pick(RANDOM_PLACEMENTS), board)


def open_table(table: Table) -> Applied:
    """The first morning: everybody in the Trailers, a face-down card on every set (R2.4, R2.5)."""
    start_with = beginning(len(table.names))
    player = Player(area=table.trailers, rank=start_with.rank, credits=start_with.credits)
    state = State(
        table=table,
        players=(player,) * len(table.names),
        scenes=table.new_scenes,
        shots=table.new_shots,
        unseen=tuple(range(len(table.cards))),
        scenes_left=table.scenes_a_day,
        day=1,
        active=table.first,
    )
    first = table.names[table.first]
    options = table.options
    opening = GameStarted(table.names, first, options.layout, options.deck, table.days, table.drawn)
    return state, (opening, _day_started(state))


def apply(state: State, action: Action, dice: Dice) -> Applied:
    """The state after the action, and its events. Raises IllegalAction if it is refused (R3.6)."""
    problem = refusal(state, action)
    if problem is not None:
        raise IllegalAction(problem)
    return _EFFECTS[type(action)](state, action, dice)


class OutcomeNeed(Struct, frozen=True):
    """What people must roll or turn for an action at a table with real dice (R12.7).

    `wraps` says whether a success would wrap the scene; `bonus_dice` more are then rolled. Each die has `faces` faces.
    """

    kind: OutcomeKind
    count: int
    wraps: bool = False
    bonus_dice: int = 0
    faces: int = FACES


def outcome_needed(state: State, action: Action) -> OutcomeNeed | None:
    """What people must roll or turn for this legal action; None with fair dice, or if nothing is rolled or turned."""
    if state.table.options.dice == "fair":
        return None
    events, missing = _tried(state, action, ())
    if missing is None or missing.kind == "card":
        return missing
    events, bonus = _tried(state, action, (FACES,))
    wraps = bonus is not None or any(isinstance(event, SceneWrapped) for event in events)
    return replace(missing, wraps=wraps, bonus_dice=bonus.count if bonus else 0)


def _tried(state: State, action: Action, results: tuple[int, ...]) -> tuple[Events, OutcomeNeed | None]:
    """The events with these results, or what is missing. `apply` is pure, so trying is safe."""
    try:
        return apply(state, action, TableDice(results))[1], None
    except OutcomeNeeded as needed:
        return (), OutcomeNeed(needed.kind, needed.count)


def _move(state: State, action: Move, dice: Dice) -> Applied:
    table, player = state.table, state.players[state.active]
    area = table.area_numbers[action.area]
    origin = player.area
    event = Moved(
        table.names[state.active],
        table.area_names[origin],
        table.area_names[area],
        table.area_ids[origin],
        action.area,
    )
    players = _with(state.players, state.active, replace(player, area=area))
    state = replace(state, players=players, moved=True)
    if state.scenes[area] != FACE_DOWN:
        return state, (event,)
    state, turned = _turn_card(state, area, dice)
    return state, (event, turned)


def _turn_card(state: State, area: int, dice: Dice) -> tuple[State, CardTurned]:
    """R4.2; the card is drawn now, from all cards never turned (R10.6)."""
    table, unseen = state.table, state.unseen
    drawn = dice.pick(len(unseen))
    scene = unseen[drawn]
    card = table.cards[scene]
    event = CardTurned(
        table.names[state.active],
        table.area_names[area],
        card.number,
        card.title,
        card.scene,
        card.description,
        card.budget,
        table.area_ids[area],
    )
    scenes = _with(state.scenes, area, scene)
    return replace(state, scenes=scenes, unseen=unseen[:drawn] + unseen[drawn + 1 :]), event


def _take_role(state: State, action: TakeRole, _dice: Dice) -> Applied:
    table, player = state.table, state.players[state.active]
    number = role_number(action)
    scene = state.scenes[player.area]
    role = table.role(player.area, scene, number)
    event = RoleTaken(
        table.names[state.active],
        table.area_names[player.area],
        table.cards[scene].title,
        action.kind,
        action.number,
        role.name,
        role.rank,
        table.area_ids[player.area],
        number,
    )
    players = _with(state.players, state.active, replace(player, role=number))
    return _next_turn(state, players, state.shots), (event, table.turn_ends[state.active])  # R3.2


def _act(state: State, _action: Act, dice: Dice) -> Applied:
    (die,) = dice.roll(1)
    acted = _performance(state, die)
    player = state.players[state.active]
    paid = replace(player, dollars=acted.dollars_after, credits=acted.credits_after)
    players = _with(state.players, state.active, paid)
    shots = _with(state.shots, player.area, acted.shots_left) if acted.success else state.shots
    if acted.shots_left:
        return _next_turn(state, players, shots), (acted, state.table.turn_ends[state.active])
    state, wrapped = wrap(replace(state, players=players, shots=shots), player.area, dice)  # R6.5, after the pay (R6.4)
    if state.scenes_left > 1:
        return _end_turn(state, (acted, *wrapped))
    return _end_day(state, (acted, *wrapped))  # R7.6


def _performance(state: State, die: int) -> Acted:
    """What a die brings the active player (R6.1 to R6.3)."""
    table, player = state.table, state.players[state.active]
    area, scene = player.area, state.scenes[player.area]
    assert player.role is not None
    card, role, kind = table.cards[scene], table.role(area, scene, player.role), role_kind(player.role)
    success = die + player.chips >= card.budget
    pay = PAY[kind][success]
    return Acted(
        table.names[state.active],
        table.area_names[area],
        card.title,
        kind,
        role.name,
        role.line,
        die,
        player.chips,
        card.budget,
        success,
        pay.dollars,
        pay.credits,
        state.shots[area] - success,
        table.area_ids[area],
        player.dollars + pay.dollars,
        player.credits + pay.credits,
    )


def _rehearse(state: State, _action: Rehearse, _dice: Dice) -> Applied:
    table, player = state.table, state.players[state.active]
    assert player.role is not None
    scene = state.scenes[player.area]
    rehearsed = replace(player, chips=player.chips + CHIPS_PER_REHEARSAL)
    event = Rehearsed(
        table.names[state.active],
        table.area_names[player.area],
        table.role(player.area, scene, player.role).name,
        rehearsed.chips,
        table.cards[scene].budget,
        success_is_certain(state, rehearsed),
        table.area_ids[player.area],
        CHIPS_PER_REHEARSAL,
    )
    players = _with(state.players, state.active, rehearsed)
    return _next_turn(state, players, state.shots), (event, table.turn_ends[state.active])


def _upgrade(state: State, action: Upgrade, _dice: Dice) -> Applied:
    player, price = state.players[state.active], state.table.prices[action]
    dollars, credits = purse_after(player.dollars, player.credits, action, price)
    upgraded = replace(player, rank=action.rank, dollars=dollars, credits=credits)
    event = Upgraded(
        state.table.names[state.active],
        player.rank,
        action.rank,
        price,
        action.currency,
        upgraded.dollars,
        upgraded.credits,
    )
    return replace(state, players=_with(state.players, state.active, upgraded)), (event,)  # R3.2


def _end(state: State, _action: EndTurn, _dice: Dice) -> Applied:
    return _next_turn(state, state.players, state.shots), (state.table.turn_ends[state.active],)


def _end_turn(state: State, events: Events) -> Applied:
    return _next_turn(state, state.players, state.shots), (*events, state.table.turn_ends[state.active])


def _next_turn(state: State, players: tuple[Player, ...], shots: tuple[int, ...]) -> State:
    """R3.5, with the players and shots that the turn left; a single `replace`, because this is a hot path."""
    following = state.active + 1
    if following == len(players):
        following = 0
    return replace(state, players=players, shots=shots, active=following, moved=False)


def _end_day(state: State, events: Events) -> Applied:
    """RULES section 9: the last scene does not finish, everybody goes back to the Trailers."""
    table = state.table
    state, ended = _send_home(state)
    if state.day == table.days:
        return _end_game(state, (*events, ended))
    state = replace(
        state,
        scenes=table.new_scenes,
        shots=table.new_shots,
        scenes_left=table.scenes_a_day,
        day=state.day + 1,
    )
    state, all_events = _end_turn(state, (*events, ended))  # R9.4
    return state, (*all_events, _day_started(state))


def _send_home(state: State) -> tuple[State, DayEnded]:
    """R9.1 and R9.2"""
    table = state.table
    area = next(area for area, scene in enumerate(state.scenes) if scene != NO_SCENE)
    card = state.card(area)
    ended = DayEnded(
        state.day,
        table.days,
        table.area_names[area],
        card.title if card else None,
        table.area_ids[area],
        tuple([PlayerAfter(name, table.area_ids[table.trailers], None, 0) for name in table.names]),
        table.empty_sets,
    )
    players = tuple(replace(one, area=table.trailers, role=None, chips=0) for one in state.players)
    return replace(state, players=players), ended


def _end_game(state: State, events: Events) -> Applied:
    """R9.3"""
    state = replace(
        state,
        scenes=(NO_SCENE,) * len(state.scenes),
        shots=(0,) * len(state.shots),
        scenes_left=0,
        active=NOBODY,
        over=True,
    )
    table = standings(state)
    return state, (*events, GameEnded(table, winners(table)))


def _day_started(state: State) -> Event:
    table = state.table
    return DayStarted(state.day, table.days, state.scenes_left, table.names[state.active], table.new_sets)


def _with(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    changed = list(values)
    changed[index] = value
    return tuple(changed)


_EFFECTS: dict[type[Action], Callable[[State, Any, Dice], Applied]] = {
    Move: _move,
    TakeRole: _take_role,
    Act: _act,
    Rehearse: _rehearse,
    Upgrade: _upgrade,
    EndTurn: _end,
}
