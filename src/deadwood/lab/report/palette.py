"""The colours of the page: sand and ink, rust, dusk and sage. Plots use the light ones; the page swaps in the dark."""

from typing import NamedTuple


class Pair(NamedTuple):
    """A colour in the light and in the dark theme."""

    light: str
    dark: str


PAIRS = {
    "page": Pair("#faf5ea", "#1b1613"),
    "card": Pair("#fffdf8", "#26201b"),
    "line": Pair("#e4d8c3", "#41372e"),
    "ink": Pair("#2a2019", "#f1e7d8"),
    "muted": Pair("#6a5a4a", "#bcab95"),
    "rust": Pair("#b0502a", "#d8714c"),
    "dusk": Pair("#3162a0", "#669be8"),
    "sage": Pair("#2f4a1a", "#d6f4b8"),
    "gold": Pair("#b5821f", "#eab231"),
    "plum": Pair("#6d2472", "#a570ac"),
    "teal": Pair("#28968e", "#79d2d0"),
    "clay": Pair("#927456", "#bf9d89"),
    "night": Pair("#4d536b", "#9795b4"),
}
LIGHT = {name: pair.light for name, pair in PAIRS.items()}
SERIES = tuple(LIGHT[name] for name in ("rust", "dusk", "gold", "sage", "plum", "teal", "clay", "night", "muted"))
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "triangle-down", "star", "hexagon", "x")
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot", "solid", "dash", "dot")
REFERENCE = 8  # the style of a reference series, after those of up to eight bots


def faint(colour: str) -> str:
    """The same colour with low opacity, for backgrounds."""
    return colour + "2e"


def variables(theme: int) -> str:
    """The colours as CSS variables; theme 0 is light, 1 dark."""
    return " ".join(f"--{name}: {pair[theme]};" for name, pair in PAIRS.items())


def darkened() -> dict[str, str]:
    """The dark colour for each light one."""
    return dict(PAIRS.values())
