"""Wrapping a scene (RULES section 7)."""

from collections.abc import Sequence
from functools import cache

from msgspec.structs import replace

from .chance import Dice
from .deck import Card, Role
from .events import BonusPaid, Events, PlayerAfter, SceneWrapped, SetAfter, Share
from .state import State
from .table import FIRST_EXTRA, NO_SCENE, role_kind

Cast = dict[int, int]  # role -> seat of the player on it
Hands = dict[int, tuple[int, ...]]  # starring role -> its dice


def wrap(state: State, area: int, dice: Dice) -> tuple[State, Events]:
    """Pay the bonuses, discard the card and free everybody who worked on the set."""
    cast = cast_of(state, area)
    hands = _rolled_hands(state, area, cast, dice)
    bonuses = tuple(_bonus(state, area, role, cast[role], hands.get(role, ())) for role in cast) if hands else ()
    return _discard(state, area, bonuses), (_wrapped(state, area, cast, hands), *bonuses)


def deal(dice: tuple[int, ...], places: int) -> tuple[tuple[int, ...], ...]:
    """The dice, highest first, as they are dealt to these places; the first is the best role's (R7.2)."""
    return _round_and_round(sorted(dice, reverse=True), places)


def _round_and_round(dealt: Sequence[int], places: int) -> tuple[tuple[int, ...], ...]:
    """What each place gets of all that is dealt in this order (R7.2)."""
    return tuple(tuple(dealt[place::places]) for place in range(places))


@cache
def _orders(dice: int, places: int) -> tuple[tuple[int, ...], ...]:
    """When the dice of each place are dealt, counted from 0."""
    return _round_and_round(range(dice), places)


def best_first(card: Card) -> range:
    """The starring roles of a card in the order of dealing, which is from right to left (R7.2)."""
    return range(len(card.roles) - 1, -1, -1)


def paid_roles(state: State, area: int, cast: Cast) -> list[int]:
    """The starring roles that dice are dealt to, best first (R7.2, R12.5)."""
    roles = best_first(state.table.cards[state.scenes[area]])
    return [role for role in roles if state.table.options.bonus == "roles" or role in cast]


def cast_of(state: State, area: int) -> Cast:
    """Everybody on a role of the set: stars from the best role down, then extras from the left."""
    seats = {one.role: seat for seat, one in enumerate(state.players) if one.area == area and one.role is not None}
    stars = sorted((role for role in seats if role < FIRST_EXTRA), reverse=True)
    extras = sorted(role for role in seats if role >= FIRST_EXTRA)
    return {role: seats[role] for role in (*stars, *extras)}


def _rolled_hands(state: State, area: int, cast: Cast, dice: Dice) -> Hands:
    """R7.2; no dice are rolled when nobody is on the card (R7.1)."""
    if all(role >= FIRST_EXTRA for role in cast):
        return {}
    roles = paid_roles(state, area, cast)
    rolled = dice.roll(state.table.cards[state.scenes[area]].budget)
    return dict(zip(roles, deal(rolled, len(roles)), strict=True))


def _wrapped(state: State, area: int, cast: Cast, hands: Hands) -> SceneWrapped:
    table = state.table
    card = table.cards[state.scenes[area]]
    orders = _orders(card.budget, len(hands))
    shares = tuple(
        Share(
            card.roles[role].name,
            card.roles[role].rank,
            table.names[cast[role]] if role in cast else None,
            hand,
            role,
            order,
            star_bonus(hand) if role in cast else 0,
        )
        for (role, hand), order in zip(hands.items(), orders, strict=True)
    )
    return SceneWrapped(
        table.names[state.active],
        table.area_names[area],
        card.number,
        card.title,
        card.budget,
        tuple(sorted((die for hand in hands.values() for die in hand), reverse=True)),
        shares,
        state.scenes_left - 1,
        table.area_ids[area],
        tuple([PlayerAfter(table.names[seat], table.area_ids[area], None, 0) for seat in cast.values()]),  # R7.5
        (SetAfter(table.area_ids[area], None, 0),),
    )


def star_bonus(hand: tuple[int, ...]) -> int:
    """What the dice dealt to a star pay (R7.3)."""
    return sum(hand)


def extra_bonus(role: Role) -> int:
    """What an extra gets if somebody starred (R7.4)."""
    return role.rank


def _bonus(state: State, area: int, number: int, seat: int, hand: tuple[int, ...]) -> BonusPaid:
    table, scene = state.table, state.scenes[area]
    role, kind = table.role(area, scene, number), role_kind(number)
    dollars = star_bonus(hand) if kind == "star" else extra_bonus(role)
    return BonusPaid(
        table.names[seat],
        table.area_names[area],
        table.cards[scene].title,
        kind,
        role.name,
        role.rank,
        hand,
        dollars,
        table.area_ids[area],
        state.players[seat].dollars + dollars,
        number,
    )


def _discard(state: State, area: int, bonuses: tuple[BonusPaid, ...]) -> State:
    """R7.5"""
    purses = {bonus.player: bonus.dollars_after for bonus in bonuses}
    players = tuple(
        replace(one, role=None, chips=0, dollars=purses.get(name, one.dollars))
        if one.area == area and one.role is not None
        else one
        for name, one in zip(state.table.names, state.players, strict=True)
    )
    scenes = tuple(NO_SCENE if number == area else scene for number, scene in enumerate(state.scenes))
    return replace(state, players=players, scenes=scenes, scenes_left=state.scenes_left - 1)
