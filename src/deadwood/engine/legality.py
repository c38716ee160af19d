"""What the active player may do, and why not: `legal_actions`, `plausible_actions` and `refusal`."""

from collections.abc import Callable
from typing import Any

from .actions import ACT, END_TURN, REHEARSE, Act, Action, EndTurn, Move, Rehearse, TakeRole, Upgrade
from .board import UPGRADE_RANKS
from .deck import HIGHEST_RANK
from .refusal import Refusal, shortened
from .state import Player, State
from .table import FACE_DOWN, FIRST_EXTRA

_END = (END_TURN,)
_MUST_ACT = (ACT,)
_ACT_OR_REHEARSE = (ACT, REHEARSE)


def legal_actions(state: State) -> tuple[Action, ...]:
    """The active player's actions: moves, roles, act, rehearse, upgrades, end, each in a fixed order."""
    if state.over:  # R9.3
        return ()
    player = state.players[state.active]
    if player.role is not None:  # R3.3
        return _MUST_ACT if success_is_certain(state, player) else _ACT_OR_REHEARSE
    table = state.table
    actions: tuple[Action, ...] = (
        _END if state.scenes[player.area] < 0 else open_roles(state, player.area, player.rank) + _END
    )
    if player.area == table.office:
        actions = affordable(state, player) + actions
    return actions if state.moved else table.moves[player.area] + actions  # R4.1


def plausible_actions(state: State) -> tuple[Action, ...]:
    """Every action that the active player might think of here, legal or not, in a fixed order (R13.3).

    Act, rehearse, the roles of this set, a move to every area, every upgrade, end.
    """
    if state.over:
        return ()
    table, player = state.table, state.players[state.active]
    card = state.card(player.area)
    stars = table.star_takes[state.scenes[player.area]][HIGHEST_RANK] if card else ()
    extras = table.extra_takes[player.area][HIGHEST_RANK]
    moves = (Move(area) for area in table.area_ids)
    return *_ACT_OR_REHEARSE, *stars, *extras, *moves, *table.prices, END_TURN


def success_is_certain(state: State, player: Player) -> bool:
    """Whether a working player cannot fail (R6.7)."""
    return player.chips >= state.table.most_chips[state.scenes[player.area]]


def role_number(action: TakeRole) -> int:
    """The role's number, as Player.role counts."""
    return action.number - 1 + (FIRST_EXTRA if action.kind == "extra" else 0)


def open_roles(state: State, area: int, rank: int) -> tuple[TakeRole, ...]:
    """The roles that a player of that rank could take on a set whose card is face up (R5.3)."""
    table = state.table
    takes = table.star_takes[state.scenes[area]][rank] + table.extra_takes[area][rank]
    taken = [one.role for one in state.players if one.area == area and one.role is not None]
    return tuple([take for take in takes if role_number(take) not in taken]) if taken else takes


def affordable(state: State, player: Player) -> tuple[Upgrade, ...]:
    """The upgrades that a player could pay for in the Casting Office (R8.2, R8.4)."""
    purse = {"dollars": player.dollars, "credits": player.credits}
    return tuple([upgrade for upgrade, price in state.table.upgrades[player.rank] if price <= purse[upgrade.currency]])


def refusal(state: State, action: Action) -> Refusal | None:
    """Why the active player may not do that now, or None."""
    if state.over:
        return Refusal("R9.3", "game_over")
    try:
        check = _CHECKS[type(action)]
    except KeyError:
        raise TypeError(f"{action!r} is not an action") from None
    return check(state, state.players[state.active], action)


def _move_refusal(state: State, player: Player, action: Move) -> Refusal | None:
    table = state.table
    if player.role is not None:
        return _working(state, player, "R4.1", "move_while_working")
    if state.moved:
        return Refusal("R4.1", "moved_already", {"area": table.areas[player.area].name})
    target = table.area_numbers.get(action.area)
    if target is None:
        choices = tuple(area.id for area in table.areas)
        return Refusal("R4.1", "no_such_area", {"area": shortened(action.area), "choices": choices})
    if target in table.neighbours[player.area]:
        return None
    values = {
        "area": table.areas[target].name,
        "here": table.areas[player.area].name,
        "choices": tuple(table.areas[number].name for number in table.neighbours[player.area]),
    }
    return Refusal("R4.1", "already_there" if target == player.area else "not_next_door", values)


def _take_refusal(state: State, player: Player, action: TakeRole) -> Refusal | None:
    if player.role is not None:
        return _working(state, player, "R5.5", "take_while_working")
    area, scene = player.area, state.scenes[player.area]
    if scene < 0:
        return _no_scene(state, area)
    roles = {"star": state.table.cards[scene].roles, "extra": state.table.areas[area].extras}.get(action.kind, ())
    if not 1 <= action.number <= len(roles):
        values = {"kind": action.kind, "number": action.number, "area": state.table.areas[area].name}
        return Refusal("R5.1", "no_such_role", {**values, "count": len(roles)})
    role = roles[action.number - 1]
    if role.rank > player.rank:
        values = {"rank": player.rank, "role_rank": role.rank, "role": role.name}
        return Refusal("R5.3", "rank_too_low", values)
    for seat, other in enumerate(state.players):
        if other.area == area and other.role == role_number(action):
            return Refusal("R5.3", "role_taken", {"role": role.name, "player": state.table.names[seat]})
    return None


def _no_scene(state: State, area: int) -> Refusal:
    values = {"area": state.table.areas[area].name}
    if state.table.areas[area].kind != "set":
        return Refusal("R5.1", "not_a_set", values)
    if state.scenes[area] == FACE_DOWN:
        return Refusal("R5.1", "card_face_down", values)
    return Refusal("R5.2", "scene_wrapped", values)


def _act_refusal(_state: State, player: Player, _action: Act) -> Refusal | None:
    return Refusal("R6.1", "not_working") if player.role is None else None


def _end_refusal(state: State, player: Player, _action: EndTurn) -> Refusal | None:
    if player.role is None:
        return None
    key = "end_while_certain" if success_is_certain(state, player) else "end_while_working"
    return _working(state, player, "R3.3", key)


def _rehearse_refusal(state: State, player: Player, _action: Rehearse) -> Refusal | None:
    if player.role is None:
        return Refusal("R6.6", "not_working")
    if not success_is_certain(state, player):
        return None
    card = state.table.cards[state.scenes[player.area]]
    return Refusal("R6.7", "success_certain", {"chips": player.chips, "budget": card.budget, "title": card.title})


def _upgrade_refusal(state: State, player: Player, action: Upgrade) -> Refusal | None:
    table = state.table
    if player.role is not None:
        return _working(state, player, "R8.1", "upgrade_while_working")
    if player.area != table.office:
        here, office = table.areas[player.area].name, table.areas[table.office].name
        return Refusal("R8.1", "not_in_the_office", {"here": here, "office": office})
    if action.rank <= player.rank:
        return Refusal("R8.4", "rank_not_higher", {"rank": action.rank, "present": player.rank})
    price = table.prices.get(action)
    if price is None:
        values = {"rank": action.rank, "currency": action.currency}
        return Refusal("R8.4", "not_for_sale", {**values, "least": UPGRADE_RANKS[0], "most": UPGRADE_RANKS[-1]})
    purse = player.dollars if action.currency == "dollars" else player.credits
    if price <= purse:
        return None
    values = {"rank": action.rank, "price": price, "currency": action.currency, "purse": purse}
    return Refusal("R8.4", "cannot_afford", values)


def _working(state: State, player: Player, rule: str, key: str) -> Refusal:
    assert player.role is not None
    role = state.table.role(player.area, state.scenes[player.area], player.role)
    return Refusal(rule, key, {"role": role.name, "area": state.table.areas[player.area].name})


# A look-up and not `match`: a failing isinstance with a Struct costs 80 ns an arm, and this runs at every decision.
_CHECKS: dict[type[Action], Callable[[State, Player, Any], Refusal | None]] = {
    Move: _move_refusal,
    TakeRole: _take_refusal,
    Act: _act_refusal,
    Rehearse: _rehearse_refusal,
    Upgrade: _upgrade_refusal,
    EndTurn: _end_refusal,
}
