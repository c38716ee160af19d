"""Learning from what was played: TD(lambda) targets, the PPO loss, and Adam."""

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from .. import vector
from ..neural.features import POINT_SCALE, Features
from ..neural.net import Weights, net
from .config import Settings
from .games import at_active, from_active
from .rollout import Experience, Rollout, cast

Array = jax.Array
_FAST, _SLOW, _TINY = (
    0.9,
    0.99,
    1e-6,
)  # Adam's decays of the mean and of the square, and the term that avoids a division by 0
_LONGEST_STEP = 0.5  # the norm that gradients are clipped to
_WARM_UP = 10.0  # gradients until the averaged weights forget the first ones


class Mind(NamedTuple):
    """Everything that learning changes."""

    weights: Weights
    average: Weights  # an exponential average of the weights: it plays better than they do
    mean: Weights  # Adam's
    square: Weights
    gradients: Array  # how many so far


class Pace(NamedTuple):
    """What changes during a run."""

    rate: Any
    entropy: Any


class Samples(NamedTuple):
    """What one gradient needs about decisions. Targets are counted from the active player."""

    seen: Features
    action: Array
    log_chance: Array
    advantage: Array
    wins: Array
    scores: Array
    policy_weight: Array  # 0 where the learner had no choice; 1 on average
    value_weight: Array  # 0 in games with strangers: what they do says nothing about play among equals; 1 on average


class Losses(NamedTuple):
    """The parts of the loss, and how far the policy moved."""

    policy: Array
    wins: Array
    scores: Array
    entropy: Array
    moved: Array  # an estimate of the Kullback-Leibler divergence
    clipped: Array  # share of decisions


Learn = Callable[[Mind, Rollout, vector.Table, Array, Pace], tuple[Mind, Losses]]


def new_mind(weights: Weights) -> Mind:
    """A mind that has learned nothing yet."""
    values = {name: jnp.asarray(one) for name, one in weights.items()}
    zeros = {name: jnp.asarray(np.zeros_like(one)) for name, one in weights.items()}
    return Mind(values, values, zeros, zeros, jnp.asarray(np.int32(0)))


def pace(settings: Settings, update: int) -> Pace:
    """The pace at an update; both values fall linearly."""
    left = max(0.0, 1 - update / settings.updates)
    rate = settings.last_rate + (settings.rate - settings.last_rate) * left
    entropy = settings.last_entropy + (settings.entropy - settings.last_entropy) * left
    return Pace(np.float32(rate), np.float32(entropy))


# ------------------------------------------------------------------------------------------------ targets


def returns(experience: Experience, last_wins: Array, last_scores: Array, trace: Array) -> tuple[Array, Array]:
    """TD(lambda) returns by seat: of the win, and of the final score."""
    final_scores = experience.final_scores / POINT_SCALE
    wins = traced(experience.wins, last_wins, experience.over, experience.final_shares, trace)
    return wins, traced(experience.scores, last_scores, experience.over, final_scores, trace)


def traced(values: Array, last: Array, over: Array, final: Array, trace: Array) -> Array:
    """TD(lambda) returns by seat, from what a net thought, before each decision and after the last, and the results.

    Nothing is discounted.
    """

    def back(carry: tuple[Array, Array], step: tuple[Array, Array, Array]) -> tuple[tuple[Array, Array], Array]:
        following, target = carry
        value, ended, result = step
        target = jnp.where(ended[..., None], result, (1 - trace) * following + trace * target)
        return (value, target), target

    return lax.scan(back, (last, last), (values, over, final), reverse=True)[1]


def advantages(settings: Settings, wins: Array, scores: Array, players: Array) -> Array:
    """By seat, how much better things went than expected: the win, and the margin over the mean of the others."""
    count = players[..., None]
    margin = (count * scores - scores.sum(-1, keepdims=True)) / (count - 1)
    return wins + settings.points * POINT_SCALE * margin


def samples_of(settings: Settings, tables: vector.Table, rollout: Rollout, columns: int) -> Samples:
    """What can be learned from a rollout; the first `columns` columns are self-play."""
    experience = rollout.experience
    active = experience.active.astype(jnp.int32)
    players = jnp.broadcast_to(tables.players.astype(jnp.int32)[:, None], active.shape)
    trace = (settings.trace ** (1 / tables.players.astype(jnp.float32)))[:, None, None]
    wins, scores = returns(experience, rollout.last_wins, rollout.last_scores, trace)
    better = advantages(settings, wins - experience.wins, scores - experience.scores, players)
    has_choice = experience.seen.mask.sum(-1) > 1
    policy_weight = (has_choice & experience.by_learner).astype(jnp.float32)
    value_weight = jnp.broadcast_to((jnp.arange(active.shape[-1]) < columns).astype(jnp.float32), active.shape)
    return Samples(
        seen=experience.seen,
        action=experience.action,
        log_chance=experience.log_chance,
        advantage=_normal(at_active(better, active), policy_weight),
        wins=from_active(wins, active, players),
        scores=from_active(scores, active, players),
        policy_weight=policy_weight / policy_weight.mean(),
        value_weight=value_weight / value_weight.mean(),
    )


def _normal(advantage: Array, weight: Array) -> Array:
    """Scaled separately for every table: with eight players a decision changes the chances less than with two."""
    axes = (0, 2)
    total = weight.sum(axes, keepdims=True) + 1
    mean = (advantage * weight).sum(axes, keepdims=True) / total
    spread = jnp.sqrt((jnp.square(advantage - mean) * weight).sum(axes, keepdims=True) / total)
    return (advantage - mean) / (spread + 1e-6)


# ------------------------------------------------------------------------------------------------ gradients


def loss(settings: Settings, weights: Weights, samples: Samples, entropy_weight: Array) -> tuple[Array, Losses]:
    """The PPO loss, and the errors of both values."""
    opinion = net(jnp, cast(weights, settings), samples.seen)
    log_chances = jax.nn.log_softmax(opinion.logits)
    log_chance = jnp.take_along_axis(log_chances, samples.action[..., None].astype(jnp.int32), -1)[..., 0]
    change = log_chance - samples.log_chance
    ratio = jnp.exp(change)
    clipped = jnp.clip(ratio, 1 - settings.clip, 1 + settings.clip)
    policy = -jnp.minimum(ratio * samples.advantage, clipped * samples.advantage)
    legal = samples.seen.mask
    entropy = -jnp.where(legal, jnp.exp(log_chances) * log_chances, 0).sum(-1)
    win_error = -jnp.where(samples.seen.present > 0, samples.wins * jax.nn.log_softmax(opinion.wins), 0).sum(-1)
    miss = opinion.scores - samples.scores
    score_error = jnp.where(jnp.abs(miss) < 1, jnp.square(miss) / 2, jnp.abs(miss) - 0.5).sum(-1)
    score_error = score_error / samples.seen.present.sum(-1)
    losses = Losses(
        policy=(policy * samples.policy_weight).mean(),
        wins=(win_error * samples.value_weight).mean(),
        scores=(score_error * samples.value_weight).mean(),
        entropy=(entropy * samples.policy_weight).mean(),
        moved=((ratio - 1 - change) * samples.policy_weight).mean(),
        clipped=((ratio != clipped) * samples.policy_weight).mean(),
    )
    values = settings.win_weight * losses.wins + settings.score_weight * losses.scores
    return losses.policy + values - entropy_weight * losses.entropy, losses


def gradient(settings: Settings, weights: Weights, samples: Samples, entropy_weight: Array) -> tuple[Weights, Losses]:
    """The gradient over a minibatch. The loss is a mean, so the parts of a split minibatch can be averaged.

    A weight's gradient is one long sum over the minibatch. In parts, it is several shorter sums side by side, which
    keeps a GPU busy.
    """
    slope: Any = jax.grad(lambda weights, part: loss(settings, weights, part, entropy_weight), has_aux=True)
    found: tuple[Weights, Losses]
    if settings.splits == 1:
        found = slope(weights, samples)
    else:
        parts = jax.tree.map(lambda values: values.reshape(settings.splits, -1, *values.shape[1:]), samples)
        found = jax.tree.map(lambda values: values.mean(0), jax.vmap(slope, in_axes=(None, 0))(weights, parts))
    return found


def adam(mind: Mind, slope: Weights, rate: Array, average: float) -> Mind:
    """One step of Adam with a clipped gradient, and the averaged weights after it."""
    norm = jnp.sqrt(sum(jnp.square(one).sum() for one in slope.values()))
    scale = jnp.minimum(1, _LONGEST_STEP / (norm + 1e-6))
    count = mind.gradients + 1
    steps = count.astype(jnp.float32)
    mean = {name: _FAST * old + (1 - _FAST) * scale * slope[name] for name, old in mind.mean.items()}
    square = {name: _SLOW * old + (1 - _SLOW) * jnp.square(scale * slope[name]) for name, old in mind.square.items()}
    rate = rate * jnp.sqrt(1 - _SLOW**steps) / (1 - _FAST**steps)
    weights = {name: old - rate * mean[name] / (jnp.sqrt(square[name]) + _TINY) for name, old in mind.weights.items()}
    kept = jnp.minimum(average, steps / (steps + _WARM_UP))
    averaged = {name: kept * old + (1 - kept) * weights[name] for name, old in mind.average.items()}
    return Mind(weights, averaged, mean, square, count)


def make_learn(settings: Settings, self_play_columns: int) -> Learn:
    """The function that learns from a rollout; it is pure, and compiled once."""

    def learn(mind: Mind, rollout: Rollout, tables: vector.Table, key: Array, now: Pace) -> tuple[Mind, Losses]:
        samples = samples_of(settings, tables, rollout, self_play_columns)
        flat = jax.tree.map(lambda values: values.reshape(settings.batch, *values.shape[3:]), samples)

        def step(mind: Mind, chosen: Array) -> tuple[Mind, Losses]:
            part = jax.tree.map(lambda values: values[chosen], flat)
            slope, losses = gradient(settings, mind.weights, part, now.entropy)
            return adam(mind, slope, now.rate, settings.average), losses

        def epoch(mind: Mind, one: Array) -> tuple[Mind, Losses]:
            order = jax.random.permutation(one, settings.batch).reshape(-1, settings.minibatch)
            return lax.scan(step, mind, order)

        mind, losses = lax.scan(epoch, mind, jax.random.split(key, settings.epochs))
        return mind, jax.tree.map(lambda values: values.mean(), losses)

    return learn


def as_numbers(values: Any) -> dict[str, float]:
    """A named tuple of scalars as plain numbers."""
    return {name: float(value) for name, value in values._asdict().items()}
