"""The curve of a run: what every evaluation found."""

import json
from math import hypot
from pathlib import Path

from msgspec import Struct

from ..files import replacing

CLEARLY = 2.0  # standard errors


class Strength(Struct, frozen=True, array_like=True):
    """A win share divided by a fair one, and its standard error. All nets play by the same rule, so 1 is as good as the
    opponents.
    """

    mean: float
    error: float

    def is_clearly_below(self, other: "Strength") -> bool:
        """Whether it is worse by more than luck explains."""
        return other.mean - self.mean > CLEARLY * hypot(self.error, other.error)

    def __str__(self) -> str:
        return f"{self.mean:.3f} ± {self.error:.3f}"


class Point(Struct, frozen=True, kw_only=True):
    """One evaluation. A strength is a win share divided by a fair one.

    Points without an `error` are from versions in which the net did what it liked best and the best net drew its
    actions: there, 1 was less than as good as the opponents.
    """

    update: int
    decisions: int
    minutes: float
    strength: float  # against the best net until then
    error: float | None = None  # the standard error of that
    hopeful: float  # against the vector bot
    is_best: bool
    others: dict[str, Strength] = {}  # against earlier nets and vector bots
    best_others: dict[str, Strength] = {}  # of the best net until then, against the same
    star: dict[str, float] = {}  # win shares against `star`, by table, if they were measured

    @property
    def weaker_against(self) -> list[str]:
        """Those against whom it is clearly worse than the best net until then: it forgot how to beat them."""
        return [
            name
            for name, strength in self.others.items()
            if name in self.best_others and strength.is_clearly_below(self.best_others[name])
        ]

    @property
    def is_better(self) -> bool:
        """Whether it beat the best net until then by more than a standard error, and is not clearly weaker against
        anybody.
        """
        return self.strength - 1 > (self.error or 0) and not self.weaker_against

    def line(self) -> str:
        """The point as a line of progress."""
        margin = "" if self.error is None else f" ± {self.error:.3f}"
        others = "".join(f", {strength.mean:.3f} against {name}" for name, strength in self.others.items())
        star = "".join(f", {table} {share:.1%}" for table, share in self.star.items())
        best = ", the best so far" if self.is_best else ""
        weaker = f"; weaker than the best net against {', '.join(self.weaker_against)}" if self.weaker_against else ""
        return (
            f"evaluation after {self.decisions / 1e6:,.0f} M decisions: "
            f"{self.strength:.3f}{margin} against the best net{others}{star}{best}{weaker}"
        )


def save_curve(path: Path, points: list[dict[str, object]]) -> None:
    """Write the curve as JSON, one point a line."""
    lines = ",\n".join(json.dumps(point) for point in points)
    with replacing(path) as draft:
        draft.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
