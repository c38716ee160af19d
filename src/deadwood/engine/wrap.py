"""Wrapping a scene (RULES section 7)."""

from msgspec.structs import replace

from .chance import Dice
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
    """The dice, highest first, dealt round and round; the first place is the best role's (R7.2)."""
    ordered = sorted(dice, reverse=True)
    return tuple(tuple(ordered[place::places]) for place in range(places))


def paid_roles(state: State, area: int, cast: Cast) -> list[int]:
    """The starring roles that dice are dealt to, best first, which is from right to left (R7.2, R12.5)."""
    roles = reversed(range(len(state.table.cards[state.scenes[area]].roles)))
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
    shares = tuple(
        Share(
            card.roles[role].name,
            card.roles[role].rank,
            table.names[cast[role]] if role in cast else None,
            hand,
            role,
        )
        for role, hand in hands.items()
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


def _bonus(state: State, area: int, number: int, seat: int, hand: tuple[int, ...]) -> BonusPaid:
    """R7.3 for a star, R7.4 for an extra."""
    table, scene = state.table, state.scenes[area]
    role, kind = table.role(area, scene, number), role_kind(number)
    dollars = sum(hand) if kind == "star" else role.rank
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
