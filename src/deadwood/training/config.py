"""The settings of a training run. Each is also an option of `deadwood train`."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct, structs

from ..engine.options import PLAYERS
from ..engine.refusal import DeadwoodError
from ..neural.shape import Shape

Whole = Annotated[int, Meta(ge=1, le=1 << 30)]
Share = Annotated[float, Meta(ge=0, le=1)]
Positive = Annotated[float, Meta(gt=0)]


class SettingsUnusable(DeadwoodError):
    """Settings that do not fit together, or do not fit the run that is resumed."""


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How to train. A checkpoint keeps them."""

    seed: Annotated[int, Meta(ge=0, lt=1 << 32, description="Seed of everything random.")] = 1
    width: Annotated[Whole, Meta(description="Width of the net's trunk.")] = 384
    row_width: Annotated[Whole, Meta(description="Width of its layers for areas and seats.")] = 128
    blocks: Annotated[Whole, Meta(description="Residual blocks of the trunk.")] = 2
    updates: Annotated[Whole, Meta(description="How many updates the run has; rates fall towards the last one.")] = 6000
    envs: Annotated[Whole, Meta(description="Games side by side.")] = 16384
    decisions: Annotated[Whole, Meta(description="Decisions of every game per update.")] = 64
    minibatch: Annotated[Whole, Meta(description="Decisions per gradient.")] = 32768
    epochs: Annotated[Whole, Meta(description="How often each decision is learned from.")] = 1
    splits: Annotated[Whole, Meta(description="Parts of a minibatch whose gradients are computed side by side.")] = 1
    tables: Annotated[Whole, Meta(description="Kinds of table that share the games.")] = 128
    players: Annotated[tuple[int, ...], Meta(description="Numbers of players, as in 2,4.")] = tuple(PLAYERS)
    standard: Annotated[Share, Meta(description="Share of games with the standard layout.")] = 0.5
    usual: Annotated[Share, Meta(description="Share of tables with the usual deck and options.")] = 0.5
    rate: Annotated[Positive, Meta(description="Learning rate at the start.")] = 6e-4
    last_rate: Annotated[Positive, Meta(description="Learning rate at the end.")] = 3e-5
    entropy: Annotated[float, Meta(ge=0, description="Weight of the entropy at the start.")] = 0.01
    last_entropy: Annotated[float, Meta(ge=0, description="Weight of the entropy at the end.")] = 0.002
    clip: Annotated[Positive, Meta(description="How far PPO lets a chance change.")] = 0.2
    trace: Annotated[Share, Meta(description="Lambda of TD(lambda), for a whole round of the table.")] = 0.82
    points: Annotated[float, Meta(ge=0, description="What a point of the margin counts, in chances to win.")] = 0.01
    win_weight: Annotated[float, Meta(ge=0, description="Weight of the win chances in the loss.")] = 0.5
    score_weight: Annotated[float, Meta(ge=0, description="Weight of the expected scores in the loss.")] = 0.25
    average: Annotated[float, Meta(ge=0, lt=1, description="Decay of the averaged weights, per gradient.")] = 0.9995
    pool: Annotated[Whole, Meta(description="Earlier nets that are kept as opponents.")] = 4
    pool_every: Annotated[Whole, Meta(description="Updates from one kept net to the next.")] = 100
    pool_share: Annotated[Share, Meta(description="Share of games against earlier nets.")] = 0.12
    bots_share: Annotated[Share, Meta(description="Share of games against vector bots.")] = 0.04
    rivals_share: Annotated[Share, Meta(description="Share of games against the nets given with --rival.")] = 0.2
    half: Annotated[bool, Meta(description="Compute in bfloat16; good on GPUs.")] = True
    every: Annotated[Whole, Meta(description="Updates from one evaluation to the next.")] = 500
    judged: Annotated[Whole, Meta(description="Games per kind of table in an evaluation.")] = 256

    @property
    def shape(self) -> Shape:
        """The net's shape."""
        return Shape(self.width, self.row_width, self.blocks)

    @property
    def batch(self) -> int:
        """Decisions per update."""
        return self.envs * self.decisions

    @property
    def columns(self) -> int:
        """Games at every kind of table."""
        return self.envs // self.tables

    def check(self) -> None:
        """Raise SettingsUnusable if these settings do not fit together."""
        if not self.players or not set(self.players) <= set(PLAYERS):
            raise SettingsUnusable(f"players: choose from {PLAYERS[0]} to {PLAYERS[-1]}.")
        for name, whole, part in (
            ("envs", self.envs, "tables"),
            ("envs times decisions", self.batch, "minibatch"),
            ("minibatch", self.minibatch, "splits"),
        ):
            if whole % getattr(self, part):
                raise SettingsUnusable(f"{name} ({whole:,}) must be a multiple of {part} ({getattr(self, part):,}).")
        if self.pool_share + self.bots_share + self.rivals_share > 0.9:
            raise SettingsUnusable("At least a tenth of the games must be self-play; lower the shares of the others.")


FIXED = (  # settings that cannot change once a run has begun, because all shapes depend on them
    "seed",
    "width",
    "row_width",
    "blocks",
    "envs",
    "decisions",
    "tables",
    "players",
    "usual",
    "pool",
)


def settings_from(given: dict[str, Any], before: Settings | None = None) -> Settings:
    """The given settings; the rest comes from the run that is resumed, or from the defaults."""
    if before is not None:
        changed = [name for name in FIXED if name in given and given[name] != getattr(before, name)]
        if changed:
            raise SettingsUnusable(
                f"A run that is resumed keeps its {changed[0]} ({getattr(before, changed[0])}); leave that option out."
            )
    known = structs.asdict(before) if before is not None else {}
    try:
        settings = msgspec.convert({**known, **given}, Settings)
    except msgspec.ValidationError as error:
        raise SettingsUnusable(f"These settings cannot be used: {error}.") from error
    settings.check()
    return settings
