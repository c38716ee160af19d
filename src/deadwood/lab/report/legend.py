"""Legends of plots, made from their traces. They are HTML above the plot, so that they wrap on a phone."""

from typing import Any

from .palette import DASHES, PAIRS, SYMBOLS
from .plots import Figure, Trace

_GLYPHS = dict(zip(SYMBOLS, "●■◆▲✚▼★⬢✖", strict=True))
_STROKES = dict(zip(DASHES[:6], ("none", "5 3", "2 2", "5 2 2 2", "9 3", "9 2 2 2"), strict=True))
_NAMES = {pair.light: name for name, pair in PAIRS.items()}


def legend(figure: Figure) -> str:
    """A list of symbols and names; empty if the plot needs no legend."""
    if not figure["layout"]["showlegend"]:
        return ""
    entries = [trace for trace in figure["data"] if trace.get("showlegend", True)]
    items = "".join(f"<li>{_symbol(trace)} {trace['name']}</li>" for trace in entries)  # names are escaped already
    return f'<ul class="legend">{items}</ul>\n'


def _symbol(trace: Trace) -> str:
    mode = trace.get("mode", "")
    line = _stroke(trace["line"]) if "lines" in mode else ""
    return line + ("" if mode == "lines" else _mark(trace["marker"]))


def _mark(marker: dict[str, Any]) -> str:
    glyph = _GLYPHS[marker.get("symbol", "square")]
    return f'<span aria-hidden="true" style="color:{_variable(marker["color"])}">{glyph}</span>'


def _stroke(line: dict[str, Any]) -> str:
    style = f"stroke:{_variable(line['color'])};stroke-dasharray:{_STROKES[line['dash']]}"
    return f'<svg width="28" height="8" aria-hidden="true"><line x2="28" y1="4" y2="4" style="{style}"/></svg>'


def _variable(colour: str) -> str:
    return f"var(--{_NAMES[colour]})"
