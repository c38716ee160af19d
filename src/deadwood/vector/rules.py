"""The game itself, for many games at once: `step`, and `apply` with given chance results.

All of it is elementwise: the result of each kind of action is computed for every game, and kept where it was played.
"""

from typing import NamedTuple

import jax.numpy as jnp
import numpy as np

from ..engine.deck import MOST_STARS
from ..engine.options import PAY
from .bits import count_bits, look_up, nth_bit
from .chance import Chance, chance_from, words
from .legality import Here, look_around
from .state import NO_ROLE, PLACE_BITS, PLACES_PER_WORD, Place, Player, State, choose, place_at, put_place
from .table import FACE_DOWN, NO_SCENE, Deed
from .words import WORD_BITS, Array, first_of, where
from .wrap import STARS, all_bonuses

CHANCE_WORDS = 3
WRAPPED = Place.pack(scene=NO_SCENE, shots=0)
ALL_WRAPPED = np.uint32(sum(WRAPPED << PLACE_BITS * number for number in range(PLACES_PER_WORD)))


class Shot(NamedTuple):
    """The result of acting, in games where somebody acted."""

    success: Array
    wraps: Array


def step(state: State, action: Array, key: Array) -> State:
    """The games after one action each. Actions must be legal; the result of an illegal one is undefined.

    A game that is over does not change.
    """
    chance = chance_from(words(key, state.shape, CHANCE_WORDS), unseen_count(state))
    return choose(state.over, state, apply(state, action, chance))


def apply(state: State, action: Array, chance: Chance) -> State:
    """The games after legal actions with these chance results; no game may be over."""
    deed, here = Deed(look_up(state.table.deeds, action.astype(jnp.uint32))), look_around(state)
    shot = _shoot(here, deed.act, chance.die)
    after = _change_set(state, here, deed, shot, chance)
    after, too_much = _change_player(after, here, deed, shot)
    after, far_too_much = _wrap(state, after, here, shot.wraps, chance)
    after = after._replace(game=after.game.raising(saturated=too_much | far_too_much))
    after = _end_day(after, shot.wraps & (after.game.scenes_left == 1))  # R7.6
    return _end_turn(after, deed)


def unseen_count(state: State) -> Array:
    """The number of cards never turned."""
    low, high = state.unseen
    return count_bits(low) + count_bits(high)


def _shoot(here: Here, acts: Array, die: Array) -> Shot:
    """R6.1, R6.5"""
    success = acts & (die + here.player.chips >= here.card.budget)
    return Shot(success, success & (here.place.shots == 1))


# ------------------------------------------------------------------------------------------------ one set


def _change_set(state: State, here: Here, deed: Deed, shot: Shot, chance: Chance) -> State:
    """Turn the card where somebody arrives (R4.2), or remove a shot counter, and with the last one the scene (R7.5)."""
    area = jnp.where(deed.move, deed.about, here.player.area)
    place = place_at(state.sets, area)
    turns = deed.move & (place.scene == FACE_DOWN)
    card = _unseen_card(state.unseen, chance.card)
    place = first_of(
        [
            (turns, place.replace(scene=card)),
            (shot.wraps, Place(jnp.uint32(WRAPPED))),
            (shot.success, place.minus(shots=jnp.uint32(1))),
        ],
        place,
    )
    return state._replace(sets=put_place(state.sets, area, place), unseen=_without(state.unseen, card, turns))


def _unseen_card(unseen: tuple[Array, ...], number: Array) -> Array:
    """The card with this number among those never turned (R10.6)."""
    low, high = unseen
    in_low = count_bits(low)
    is_high = number >= in_low
    bit = nth_bit(jnp.where(is_high, high, low), jnp.where(is_high, number - in_low, number))
    return jnp.where(is_high, bit + WORD_BITS, bit)


def _without(unseen: tuple[Array, ...], card: Array, turns: Array) -> tuple[Array, ...]:
    """The unseen cards without `card`, in games where it is turned (R10.5)."""
    low, high = unseen
    bit = jnp.where(turns, jnp.uint32(1) << (card % WORD_BITS), 0)
    is_high = card >= WORD_BITS
    return low & ~jnp.where(is_high, 0, bit), high & ~jnp.where(is_high, bit, 0)


# ------------------------------------------------------------------------------------------------ the active player


def _change_player(state: State, here: Here, deed: Deed, shot: Shot) -> tuple[State, Array]:
    """What the action does to the active player; also whether it paid more than can be counted."""
    player = here.player
    paid, too_much = _paid(player, shot.success)
    player = first_of(
        [
            (deed.move, _moved(player, deed)),
            (deed.take, _employed(player, deed)),
            (deed.act, paid),
            (deed.rehearse, _rehearsed(player)),
            (deed.upgrade, _upgraded(player, deed)),
        ],
        player,
    )
    seats = enumerate(state.players)
    players = tuple(where(state.game.active == seat, player, other) for seat, other in seats)
    return state._replace(players=players), deed.act & too_much


def _moved(player: Player, deed: Deed) -> Player:
    """R4.1"""
    return player.replace(area=deed.about)


def _employed(player: Player, deed: Deed) -> Player:
    """R5.1"""
    return player.replace(role=deed.about)


def _rehearsed(player: Player) -> Player:
    """R6.6"""
    return player.plus(chips=jnp.uint32(1))


def _upgraded(player: Player, deed: Deed) -> Player:
    """R8.2, R8.3"""
    return player.minus(dollars=deed.dollars, credits=deed.credits).replace(rank=deed.about)


def _paid(player: Player, success: Array) -> tuple[Player, Array]:
    """R6.2, R6.3"""
    stars = player.role < MOST_STARS
    dollars, credits = (
        jnp.where(stars, _by_success("star", purse, success), _by_success("extra", purse, success))
        for purse in ("dollars", "credits")
    )
    return earn(player.plus(credits=credits), dollars)


def _by_success(kind: str, purse: str, success: Array) -> Array:
    good, bad = (jnp.uint32(getattr(PAY[kind][well], purse)) for well in (True, False))
    return jnp.where(success, good, bad)


def earn(player: Player, dollars: Array) -> tuple[Player, Array]:
    """The player with more dollars, and whether they exceed what can be counted.

    Dollars are the topmost field of the word, so an overflow makes the word smaller.
    """
    richer = player.plus(dollars=dollars)
    too_much = richer.bits < player.bits
    return where(too_much, Player(player.bits | jnp.uint32(Player.dollars.mask)), richer), too_much


# ------------------------------------------------------------------------------------------------ what may follow


def _wrap(before: State, after: State, here: Here, wraps: Array, chance: Chance) -> tuple[State, Array]:
    """R7.1 to R7.5; the set is already cleared. Also returns whether somebody earned more than can be counted.

    Roles and areas come from the state before the action. Acting changes none of them, and they were computed there
    for legality already.
    """
    bonuses = all_bonuses(here.card, here.area, here.taken & STARS, before.table.bonus_actors, chance.dice)
    too_much, players = jnp.zeros_like(wraps), []
    for player, present, worker in zip(after.players, here.present, before.players, strict=True):
        leaves = wraps & present & (worker.role != NO_ROLE)
        paid, over = earn(player, bonuses.of(worker))
        players.append(where(leaves, _freed(paid), player))
        too_much = too_much | (leaves & over)
    game = after.game.minus(scenes_left=wraps.astype(jnp.uint32))
    return after._replace(players=tuple(players), game=game), too_much


def _freed(player: Player, **others: Array) -> Player:
    """R7.5, R6.8"""
    return player.replace(role=jnp.uint32(NO_ROLE), chips=jnp.uint32(0), **others)


def _end_day(state: State, ends: Array) -> State:
    """RULES section 9."""
    table, game = state.table, state.game
    over = ends & (game.day == table.days)
    home = [where(ends, _freed(player, area=table.trailers), player) for player in state.players]
    sets = tuple(
        jnp.where(ends, jnp.where(over, ALL_WRAPPED, table.new_sets[number]), word)
        for number, word in enumerate(state.sets)
    )
    morning = game.replace(scenes_left=table.new_scenes, day=game.day + 1)
    evening = game.replace(scenes_left=jnp.uint32(0), over=jnp.uint32(1))
    game = first_of([(over, evening), (ends, morning)], game)
    return state._replace(players=tuple(home), sets=sets, game=game)


def _end_turn(state: State, deed: Deed) -> State:
    """R3.2, R3.5"""
    game = state.game
    following = jnp.where(game.active == state.table.players - 1, 0, game.active + 1)
    following = jnp.where(state.over, 0, following)
    ended = game.replace(active=following, moved=jnp.uint32(0))
    return state._replace(game=first_of([(deed.move, game.replace(moved=jnp.uint32(1))), (deed.upgrade, game)], ended))
