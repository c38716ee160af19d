"""The rows of a run's files as data frames; separate from the rows, so that the arena does not need polars."""

from typing import Any, get_args

import polars as pl
from msgspec import Struct, to_builtins

from ..engine.actions import Currency, RoleKind
from .rows import Job, JobEnd, Promotion, SimulatedDecision, SimulatedGame

_TYPES: dict[object, Any] = {
    int: pl.Int32,
    str: pl.String,
    bool: pl.Boolean,
    RoleKind: pl.Enum(get_args(RoleKind)),
    Currency: pl.Enum(get_args(Currency)),
    JobEnd: pl.Enum(get_args(JobEnd)),
    list[int]: pl.List(pl.Int32),
    list[str]: pl.List(pl.String),
    list[float]: pl.List(pl.Float64),
}


def _schema(kind: type[Struct]) -> dict[str, Any]:
    return {name: _TYPES[type_] for name, type_ in kind.__annotations__.items()}


_TYPES |= {list[Job]: pl.List(pl.Struct(_schema(Job))), list[Promotion]: pl.List(pl.Struct(_schema(Promotion)))}
GAMES = _schema(SimulatedGame)
DECISIONS = _schema(SimulatedDecision)


def games_frame(rows: list[SimulatedGame]) -> pl.DataFrame:
    """Games as a data frame."""
    return pl.DataFrame(to_builtins(rows), schema=GAMES)


def decisions_frame(rows: list[SimulatedDecision]) -> pl.DataFrame:
    """Decisions as a data frame."""
    return pl.DataFrame(to_builtins(rows), schema=DECISIONS)
