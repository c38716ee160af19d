"""The curve of a run: what every evaluation found."""

import json
from pathlib import Path

from msgspec import Struct

from ..files import replacing


class Point(Struct, frozen=True, kw_only=True):
    """One evaluation. A strength is a win share divided by a fair one: 1 is as good as the opponents."""

    update: int
    decisions: int
    minutes: float
    strength: float  # against the best net until then
    hopeful: float  # against the vector bot
    is_best: bool
    star: dict[str, float] = {}  # win shares against `star`, by table, if they were measured

    def line(self) -> str:
        """The point as a line of progress."""
        best = ", the best so far" if self.is_best else ""
        star = "".join(f", {table} {share:.1%}" for table, share in self.star.items())
        return (
            f"evaluation after {self.decisions / 1e6:,.0f} M decisions: {self.strength:.3f} against the best net, "
            f"{self.hopeful:.3f} against hopeful{star}{best}"
        )


def save_curve(path: Path, points: list[dict[str, object]]) -> None:
    """Write the curve as JSON, one point a line."""
    lines = ",\n".join(json.dumps(point) for point in points)
    with replacing(path) as draft:
        draft.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
