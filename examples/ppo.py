"""Learning two-player Deadwood by self-play: PPO with a masked policy, on the vector engine, in one file.

    python examples/ppo.py --minutes 12 --weights champion.npz --curve curve.json

Without `--weights`, the weights are saved as ppo_weights.npz in the current folder. `PPOBot` uses the file beside this
one by default; running the script in another folder does not overwrite it.

The same net plays both seats. With two players the game is zero-sum, so one value serves both: what is good for the
active player is bad for the other. `PPOBot` plays any two-player game.
"""

import argparse
import json
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax

from deadwood import encoding, vector
from deadwood.encoding import BLOCKS, part
from deadwood.engine.actions import Action
from deadwood.engine.state import State

PLAYERS = 2
WEIGHTS = Path(__file__).with_name("ppo_weights.npz")
Array = jax.Array
Params = dict[str, Array]


class Settings(NamedTuple):
    """The hyperparameters; each is also a command-line option."""

    updates: int = 600
    minutes: float = 14.0  # stop after this time
    seed: int = 1
    measured: int = 20  # number of measurements during training; the last one is always at the end
    measured_games: int = 2_000  # against each rival, per measurement
    games: int = 8192  # played in parallel
    decisions: int = 64  # in each game per update
    minibatches: int = 16
    epochs: int = 2
    width: int = 256
    learning_rate: float = 6e-4
    entropy: float = 0.01
    discount: float = 0.999
    trace: float = 0.95
    clip: float = 0.2
    points: float = 1 / 30  # the reward for a point of the margin; a win is 1

    def problem(self) -> str | None:
        """Why these settings cannot work; None if they can."""
        lessons = self.games * self.decisions
        if self.minibatches < 1 or lessons % self.minibatches:
            return f"{lessons} decisions (games times decisions) cannot be divided into {self.minibatches} minibatches"
        return None


# ------------------------------------------------------------------------------------------------ the net

SCALE = np.minimum(encoding.HIGHEST, 40).astype(np.float32)  # larger sums of money are rare
AREA_COLUMNS = {name: BLOCKS["areas"].column(name) for name in BLOCKS["areas"].columns}
RANKS = [column for name, column in AREA_COLUMNS.items() if name.endswith("_rank")]
HOLDERS = [column for name, column in AREA_COLUMNS.items() if name.endswith("_by")]
PLAYER_COLUMNS = {name: BLOCKS["players"].column(name) for name in BLOCKS["players"].columns}


def features(observation: Array, mask: Array) -> tuple[Array, Array]:
    """What the net sees: a row for every area, and one for everything else."""
    scaled = observation / SCALE
    players = part(observation, "players")[..., :PLAYERS, :]
    areas = _area_rows(part(observation, "areas"), part(scaled, "areas"), players)
    here = jnp.take_along_axis(areas, _column(players[..., 0, :], "area")[..., None, None].astype(jnp.int32), -2)
    rest = [
        part(scaled, "game")[..., 0, :],
        part(scaled, "players")[..., :PLAYERS, :].reshape(*mask.shape[:-1], -1),
        part(scaled, "unseen_budgets")[..., 0, :] * 4,
        jax.nn.one_hot(_column(players, "rank"), 7).reshape(*mask.shape[:-1], -1),
        jax.nn.one_hot(_column(players, "role"), 8).reshape(*mask.shape[:-1], -1),
        here[..., 0, :],
        mask,
    ]
    return areas, jnp.concatenate(rest, -1)


def _column(players: Array, name: str) -> Array:
    return players[..., PLAYER_COLUMNS[name]]


def _area_rows(areas: Array, scaled: Array, players: Array) -> Array:
    """The encoding's row, its categories as one-hot columns, the roles open to each player, and who is there."""
    ranks, holders = areas[..., RANKS], areas[..., HOLDERS]
    free = (ranks > 0) & (holders == 0) & (areas[..., [AREA_COLUMNS["scene"]]] == encoding.TURNED_UP)
    numbers = jnp.arange(encoding.AREAS)
    columns = [scaled, jax.nn.one_hot(areas[..., AREA_COLUMNS["scene"]], 3)]
    columns.append(jax.nn.one_hot(areas[..., AREA_COLUMNS["budget"]], 7))
    columns.append(jax.nn.one_hot(areas[..., AREA_COLUMNS["distance"]], 5))
    columns.append(jnp.broadcast_to(jax.nn.one_hot(numbers, encoding.AREAS), (*areas.shape[:-1], encoding.AREAS)))
    for seat in range(PLAYERS):
        rank, area = (_column(players[..., seat, :], name)[..., None] for name in ("rank", "area"))
        columns.append((free & (ranks <= rank[..., None])).astype(jnp.float32))
        columns.append((holders == seat + 1).astype(jnp.float32))
        columns.append((numbers == area).astype(jnp.float32)[..., None])
    return jnp.concatenate(columns, -1)


@partial(jax.jit, static_argnames="width")
def init_params(key: Array, width: int) -> Params:
    """An untrained net."""
    blank = jnp.zeros((1, encoding.SIZE), jnp.int16)
    areas, rest = features(blank, jnp.zeros((1, encoding.ACTIONS)))
    shapes = {
        "area": (areas.shape[-1], width // 2),
        "rest": (rest.shape[-1], width),
        "pooled": (width, width),
        "trunk": (width, width),
        "move": (width // 2, width // 2),
        "context": (width, width // 2),
        "move_out": (width // 2, 1),
        "action_out": (width, encoding.ACTIONS - encoding.AREAS),
        "value_out": (width, 1),
    }
    keys = jax.random.split(key, len(shapes))
    params = {}
    for one, (name, shape) in zip(keys, shapes.items(), strict=True):
        gain = 0.01 if name.endswith("_out") else 2**0.5
        params[name] = jax.nn.initializers.orthogonal(gain)(one, shape)
        params[f"{name}_bias"] = jnp.zeros(shape[1])
    return params


def net(params: Params, observation: Array, mask: Array) -> tuple[Array, Array]:
    """Logits of all actions, illegal ones masked out, and the value for the observer."""

    def layer(name: str, inputs: Array) -> Array:
        return inputs @ params[name] + params[f"{name}_bias"]

    areas, rest = features(observation, mask.astype(jnp.float32))
    places = jax.nn.relu(layer("area", areas))
    pooled = jnp.concatenate([places.mean(-2), places.max(-2)], -1)
    trunk = jax.nn.relu(layer("rest", rest) + layer("pooled", pooled))
    trunk = jax.nn.relu(layer("trunk", trunk))
    ways = jax.nn.relu(layer("move", places) + layer("context", trunk)[..., None, :])
    logits = jnp.concatenate([layer("move_out", ways)[..., 0], layer("action_out", trunk)], -1)
    return jnp.where(mask, logits, -1e9), layer("value_out", trunk)[..., 0]


# ------------------------------------------------------------------------------------------------ playing


class Moves(NamedTuple):
    """One decision of every game, with what the loss needs."""

    observation: Array
    mask: Array
    action: Array
    log_chance: Array
    value: Array
    reward: Array  # for the player who acted
    over: Array  # the game ended
    same: Array  # 1 if the same player decides next, else -1


def margin(state: vector.State) -> Array:
    """The first seat's lead in points."""
    scores = vector.scores(state)
    return scores[..., 0] - scores[..., 1]


def play(settings: Settings, params: Params, state: vector.State, key: Array) -> tuple[vector.State, Moves]:
    """Play `settings.decisions` decisions in every game, both seats with the net; a new game starts when one ends."""
    table = state.table

    def decide(moment: Any, key: Array) -> tuple[Any, Moves]:
        state = vector.State(table, *moment)
        choosing, stepping, starting = jax.random.split(key, 3)
        observation, mask = vector.observe(state), vector.legal_mask(state)
        logits, value = net(params, observation, mask)
        action = jax.random.categorical(choosing, logits)
        after = vector.step(state, action, stepping)
        side = 1 - 2 * state.game.active.astype(jnp.float32)
        won = 2 * vector.win_shares(after)[..., 0] - 1
        reward = side * (settings.points * (margin(after) - margin(state)) + jnp.where(after.over, won, 0))
        log_chance = jnp.take_along_axis(jax.nn.log_softmax(logits), action[:, None], -1)[:, 0]
        same = jnp.where(after.game.active == state.game.active, 1.0, -1.0)
        fresh = vector.start(starting, table, state.shape, PLAYERS)
        following = vector.renew(after, fresh)[1:]
        return following, Moves(observation, mask, action, log_chance, value, reward, after.over, same)

    moment, moves = jax.lax.scan(decide, state[1:], jax.random.split(key, settings.decisions))
    return vector.State(table, *moment), moves


def advantages(settings: Settings, moves: Moves, last_value: Array) -> Array:
    """Generalised advantages; after a change of turn, the other player's gains count as losses."""

    def back(carry: tuple[Array, Array], move: Moves) -> tuple[tuple[Array, Array], Array]:
        advantage, following = carry
        goes_on = jnp.where(move.over, 0.0, move.same) * settings.discount
        surprise = move.reward + goes_on * following - move.value
        advantage = surprise + goes_on * settings.trace * advantage
        return (advantage, move.value), advantage

    return jax.lax.scan(back, (jnp.zeros_like(last_value), last_value), moves, reverse=True)[1]


# ------------------------------------------------------------------------------------------------ learning


def loss(settings: Settings, params: Params, moves: Moves, advantage: Array) -> Array:
    """The PPO loss: a clipped policy gradient, the value error, and a small entropy bonus."""
    logits, value = net(params, moves.observation, moves.mask)
    log_chances = jax.nn.log_softmax(logits)
    log_chance = jnp.take_along_axis(log_chances, moves.action[:, None], -1)[:, 0]
    ratio = jnp.exp(log_chance - moves.log_chance)
    normal = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
    clipped = jnp.clip(ratio, 1 - settings.clip, 1 + settings.clip)
    policy = -jnp.minimum(ratio * normal, clipped * normal).mean()
    error = 0.5 * jnp.square(value - (moves.value + advantage)).mean()
    chances = jnp.exp(log_chances)
    entropy = -jnp.where(moves.mask, chances * log_chances, 0).sum(-1).mean()
    return policy + 0.5 * error - settings.entropy * entropy


def make_update(settings: Settings, optimizer: optax.GradientTransformation) -> Any:
    """One compiled function that plays for a while and learns from it."""

    def learn(carry: Any, batch: tuple[Moves, Array]) -> tuple[Any, None]:
        params, memory = carry
        gradient = jax.grad(partial(loss, settings))(params, *batch)
        change, memory = optimizer.update(gradient, memory, params)
        return (optax.apply_updates(params, change), memory), None

    def update(params: Params, memory: Any, state: vector.State, key: Array) -> tuple[Params, Any, vector.State]:
        playing, *shuffling = jax.random.split(key, 1 + settings.epochs)
        state, moves = play(settings, params, state, playing)
        _, last_value = net(params, vector.observe(state), vector.legal_mask(state))
        lessons = moves, advantages(settings, moves, last_value)
        flat = jax.tree.map(lambda values: values.reshape(-1, *values.shape[2:]), lessons)
        for one in shuffling:
            order = jax.random.permutation(one, settings.games * settings.decisions)
            batches = jax.tree.map(
                lambda values, order=order: values[order].reshape(settings.minibatches, -1, *values.shape[1:]), flat
            )
            (params, memory), _ = jax.lax.scan(learn, (params, memory), batches)
        return params, memory, state

    return jax.jit(update, donate_argnums=(0, 1))


# ------------------------------------------------------------------------------------------------ measuring

SHARPNESS = 2.0  # outside training, likely actions are chosen even more often
MOST_DECISIONS = 5_000


@partial(jax.jit, static_argnames=("rival", "games"))
def wins(params: Params, key: Array, rival: str, games: int) -> Array:
    """The share of games that the net wins against a vector bot, with half of them from each seat.

    A game that does not end, or in which somebody earns more dollars than can be counted, counts as lost.
    """
    beginning, playing = jax.random.split(key)
    begun = vector.init(beginning, PLAYERS, shape=(games,))
    own_seat = jnp.arange(games) % PLAYERS

    def decide(carry: tuple[Any, Array]) -> tuple[Any, Array]:
        moment, number = carry
        state = vector.State(begun.table, *moment)
        choosing, other, stepping = jax.random.split(jax.random.fold_in(playing, number), 3)
        logits, _ = net(params, vector.observe(state), vector.legal_mask(state))
        own = jax.random.categorical(choosing, SHARPNESS * logits)
        others = vector.VECTOR_BOTS[rival](state, jax.random.bits(other, (games,)))
        action = jnp.where(state.game.active == own_seat, own, others.astype(own.dtype))
        return vector.step(state, action, stepping)[1:], number + 1

    def goes_on(carry: tuple[Any, Array]) -> Array:
        moment, number = carry
        return ~vector.State(begun.table, *moment).over.all() & (number < MOST_DECISIONS)

    moment, _ = jax.lax.while_loop(goes_on, decide, (begun[1:], jnp.uint32(0)))
    ended = vector.State(begun.table, *moment)
    shares = jnp.take_along_axis(vector.win_shares(ended), own_seat[:, None], -1)[:, 0]
    counted = ended.over & ~ended.game.saturated
    return jnp.where(counted, shares, 0).mean()


class PPOBot:
    """The net as a bot for two-player games, in arenas and front ends: `ppo:PPOBot` with `examples` on the path."""

    level = 4

    def __init__(self, seed: int | None = None, weights: Path = WEIGHTS) -> None:
        self._random = np.random.default_rng(seed)
        self._params = {name: jnp.asarray(values, jnp.float32) for name, values in np.load(weights).items()}
        self._net = jax.jit(net)

    def decide(self, state: State, actions: Sequence[Action]) -> Action:
        if len(state.players) != PLAYERS:
            raise ValueError(f"this net plays games of {PLAYERS} players, not of {len(state.players)}")
        if len(actions) == 1:
            return actions[0]
        logits, _ = self._net(self._params, encoding.observe(state), encoding.action_mask(state))
        chances = np.asarray(jax.nn.softmax(SHARPNESS * logits), np.float64)
        number = self._random.choice(encoding.ACTIONS, p=chances / chances.sum())
        return encoding.action_of(int(number), state.table)


# ------------------------------------------------------------------------------------------------ all together


class Learner:
    """The parameters, the optimiser, the games, and the curve of measurements."""

    def __init__(self, settings: Settings) -> None:
        self._key = jax.random.key(settings.seed)
        steps = settings.updates * settings.epochs * settings.minibatches
        rate = optax.linear_schedule(settings.learning_rate, settings.learning_rate / 20, steps)
        optimizer = optax.chain(optax.clip_by_global_norm(0.5), optax.adam(rate, eps=1e-5))
        self.params = init_params(self._next_key(), settings.width)
        self._memory = optimizer.init(self.params)
        self._state = jax.jit(lambda key: vector.init(key, PLAYERS, shape=(settings.games,)))(self._next_key())
        self._update = make_update(settings, optimizer)
        self._per_update = settings.games * settings.decisions
        self.updates = 0
        self.curve: list[dict[str, float]] = []

    def _next_key(self) -> Array:
        self._key, key = jax.random.split(self._key)
        return key

    def learn(self) -> None:
        self.params, self._memory, self._state = self._update(self.params, self._memory, self._state, self._next_key())
        self.updates += 1

    def check(self) -> None:
        """Raise an error if somebody earned more dollars than can be counted in a training game."""
        if bool(self._state.game.saturated.any()):
            raise ValueError("somebody earned more dollars than can be counted, so the training data is wrong")

    def measure(self, began: float, games: int) -> None:
        """Add a point to the curve: how often the net wins now, and how long it has trained."""
        self.check()
        jax.block_until_ready(self.params)
        seconds = round(time.perf_counter() - began, 1)
        point = {"seconds": seconds, "updates": self.updates, "decisions": self.updates * self._per_update}
        for rival in ("random", "hopeful"):
            point[rival] = round(float(wins(self.params, self._next_key(), rival, games)), 4)
        self.curve.append(point)
        print(json.dumps(point), flush=True)

    def save(self, path: Path) -> None:
        np.savez_compressed(path, **{name: np.asarray(values, np.float16) for name, values in self.params.items()})


def train(settings: Settings) -> Learner:
    """Learn until the updates or the minutes run out; the last measurement is of the final weights."""
    learner, began = Learner(settings), time.perf_counter()
    every = max(1, settings.updates // settings.measured) if settings.measured > 0 else settings.updates
    while learner.updates < settings.updates and time.perf_counter() - began < 60 * settings.minutes:
        learner.learn()
        if learner.updates % every == 0:
            learner.measure(began, settings.measured_games)
    if not learner.curve or learner.curve[-1]["updates"] != learner.updates:
        learner.measure(began, settings.measured_games)
    return learner


def main(arguments: Sequence[str] | None = None) -> None:
    """Learn, and save the weights and the curve."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, default=Path(WEIGHTS.name), help="where to save the weights")
    parser.add_argument("--curve", type=Path, help="where to save the measurements; not saved by default")
    for name, value in Settings()._asdict().items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(value), default=value)
    chosen = vars(parser.parse_args(arguments))
    settings = Settings(**{name: chosen[name] for name in Settings._fields})
    if (problem := settings.problem()) is not None:
        parser.error(problem)
    learner = train(settings)
    learner.save(chosen["weights"])
    if chosen["curve"]:
        chosen["curve"].write_text(json.dumps(learner.curve, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
