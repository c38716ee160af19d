"""The game itself, for many games at once: `step`, and `apply` with given chance results.

Elementwise: what each kind of action would do is computed for every game, and kept where it is the game's action.
"""

from typing import NamedTuple

import jax.numpy as jnp

from ..encoding import (
    ACT_NUMBER,
    END_NUMBER,
    FIRST_CREDIT_UPGRADE,
    FIRST_DOLLAR_UPGRADE,
    FIRST_TAKE,
    REHEARSE_NUMBER,
)
from ..engine.board import UPGRADE_RANKS
from ..engine.deck import MOST_STARS
from ..engine.options import PAY
from .bits import count_bits, look_up, nth_bit
from .chance import Chance, chance_from, words
from .legality import Here, look_around
from .state import NO_ROLE, Place, Player, State, choose, place_at, put_place
from .table import FACE_DOWN, NO_SCENE
from .words import WORD_BITS, Array, first_of, where
from .wrap import STARS, all_bonuses

CHANCE_WORDS = 3
WRAPPED = Place.pack(scene=NO_SCENE, shots=0)


class Kind(NamedTuple):
    """Which kind of action each game's is; to end the turn is none of these."""

    move: Array
    take: Array
    act: Array
    rehearse: Array
    upgrade: Array


class Shot(NamedTuple):
    """How acting went, where somebody acted."""

    success: Array
    wraps: Array


def step(state: State, action: Array, key: Array) -> State:
    """The games after their active players' actions, which must be legal. A game that is over stays as it is."""
    chance = chance_from(words(key, state.shape, CHANCE_WORDS), unseen_count(state))
    return choose(state.over, state, apply(state, action, chance))


def apply(state: State, action: Array, chance: Chance) -> State:
    """The games after legal actions that brought these chance results; none of them may be over."""
    action = action.astype(jnp.uint32)
    kind, here = kind_of(action), look_around(state)
    shot = _shoot(here, kind.act, chance.die)
    after = _change_set(state, here, action, kind, shot, chance)
    after, too_much = _change_player(after, here, action, kind, shot)
    after, far_too_much = _wrap(state, after, here, shot.wraps, chance)
    after = _note_saturation(after, too_much | far_too_much)
    after = _end_day(after, shot.wraps & (after.game.scenes_left == 1))  # R7.6
    return _end_turn(after, kind)


def unseen_count(state: State) -> Array:
    """How many cards were never turned."""
    low, high = state.unseen
    return count_bits(low) + count_bits(high)


def kind_of(action: Array) -> Kind:
    """The kinds of actions by their numbers."""
    return Kind(
        move=action < FIRST_TAKE,
        take=(action >= FIRST_TAKE) & (action < ACT_NUMBER),
        act=action == ACT_NUMBER,
        rehearse=action == REHEARSE_NUMBER,
        upgrade=(action >= FIRST_DOLLAR_UPGRADE) & (action < END_NUMBER),
    )


def _shoot(here: Here, acts: Array, die: Array) -> Shot:
    """R6.1, R6.5"""
    success = acts & (die + here.player.chips >= here.card.budget)
    return Shot(success, success & (here.place.shots == 1))


# ------------------------------------------------------------------------------------------------ one set


def _change_set(state: State, here: Here, action: Array, kind: Kind, shot: Shot, chance: Chance) -> State:
    """Turn the card where somebody comes (R4.2), or take a shot counter off, with the last one the scene (R7.5)."""
    area = jnp.where(kind.move, action, here.player.area)
    place = place_at(state.sets, area)
    turns = kind.move & (place.scene == FACE_DOWN)
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
    """R10.5; a bit shifted beyond a word is gone."""
    low, high = unseen
    bit = jnp.where(turns, jnp.uint32(1) << (card % WORD_BITS), 0)
    is_high = card >= WORD_BITS
    return low & ~jnp.where(is_high, 0, bit), high & ~jnp.where(is_high, bit, 0)


# ------------------------------------------------------------------------------------------------ the active player


def _change_player(state: State, here: Here, action: Array, kind: Kind, shot: Shot) -> tuple[State, Array]:
    """What the action does to the one who does it; also whether it paid more than can be counted."""
    player = here.player
    paid, too_much = _paid(player, shot.success)
    player = first_of(
        [
            (kind.move, player.replace(area=action)),
            (kind.take, player.replace(role=action - FIRST_TAKE)),
            (kind.act, paid),
            (kind.rehearse, player.plus(chips=jnp.uint32(1))),  # R6.6
            (kind.upgrade, _upgraded(state, player, action)),
        ],
        player,
    )
    seats = enumerate(state.players)
    players = tuple(where(state.game.active == seat, player, other) for seat, other in seats)
    return state._replace(players=players), kind.act & too_much


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
    """The player with more dollars, and whether there are more than can be counted.

    Dollars are topmost in the word, so a sum that is too large runs over its end and is smaller than before.
    """
    richer = player.plus(dollars=dollars)
    too_much = richer.bits < player.bits
    return where(too_much, Player(player.bits | jnp.uint32(Player.dollars.mask)), richer), too_much


def _note_saturation(state: State, too_much: Array) -> State:
    return state._replace(game=state.game.replace(saturated=state.game.saturated | too_much.astype(jnp.uint32)))


def _upgraded(state: State, player: Player, action: Array) -> Player:
    """R8.2; one currency (R8.3)."""
    in_dollars = action < FIRST_CREDIT_UPGRADE
    number = action - FIRST_DOLLAR_UPGRADE
    price = look_up(state.table.prices.reshape(-1), jnp.minimum(number, END_NUMBER - FIRST_DOLLAR_UPGRADE - 1))
    rank = jnp.where(in_dollars, number, action - FIRST_CREDIT_UPGRADE) + UPGRADE_RANKS[0]
    dollars, credits = jnp.where(in_dollars, price, 0), jnp.where(in_dollars, 0, price)
    return player.minus(dollars=dollars, credits=credits).replace(rank=rank)


# ------------------------------------------------------------------------------------------------ what may follow


def _wrap(before: State, after: State, here: Here, wraps: Array, chance: Chance) -> tuple[State, Array]:
    """R7.1 to R7.5, the set itself is cleared already; also whether somebody got more than can be counted.

    Who is where on which role is asked of the state before, where the same was asked for legality: acting changes
    none of it.
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
    nothing = jnp.uint32(sum(WRAPPED << shift for shift in range(0, WORD_BITS, WORD_BITS // 4)))
    sets = tuple(
        jnp.where(ends, jnp.where(over, nothing, table.new_sets[number]), word)
        for number, word in enumerate(state.sets)
    )
    morning = game.replace(scenes_left=table.new_scenes, day=game.day + 1)
    evening = game.replace(scenes_left=jnp.uint32(0), over=jnp.uint32(1))
    return state._replace(players=tuple(home), sets=sets, game=first_of([(over, evening), (ends, morning)], game))


def _end_turn(state: State, kind: Kind) -> State:
    """R3.2, R3.5"""
    game = state.game
    following = jnp.where(game.active == len(state.players) - 1, 0, game.active + 1)
    following = jnp.where(state.over, 0, following)
    ended = game.replace(active=following, moved=jnp.uint32(0))
    return state._replace(
        game=first_of([(kind.move, game.replace(moved=jnp.uint32(1))), (kind.upgrade, game)], ended)
    )
