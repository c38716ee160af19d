"""The colours of the page: sand and ink, rust, dusk and sage. Plots are drawn in LIGHT; the page swaps in DARK."""

from typing import NamedTuple


class Pair(NamedTuple):
    """A colour in the light and in the dark."""

    light: str
    dark: str


PAIRS = {
    "page": Pair("#faf5ea", "#1b1613"),
    "card": Pair("#fffdf8", "#26201b"),
    "line": Pair("#e4d8c3", "#41372e"),
    "ink": Pair("#2a2019", "#f1e7d8"),
    "muted": Pair("#6a5a4a", "#bcab95"),
    "rust": Pair("#a63f20", "#f08a5d"),
    "dusk": Pair("#2f5f8f", "#86b6e8"),
    "sage": Pair("#6d8a3c", "#b4d07a"),
    "gold": Pair("#b57a08", "#f0c244"),
    "plum": Pair("#74406c", "#d69acb"),
    "teal": Pair("#2a8c84", "#63d0c4"),
    "clay": Pair("#8a6a52", "#c9ab90"),
    "night": Pair("#3b3f57", "#a9aed0"),
}
LIGHT = {name: pair.light for name, pair in PAIRS.items()}
SERIES = tuple(LIGHT[name] for name in ("rust", "dusk", "gold", "sage", "plum", "teal", "clay", "night", "muted"))
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "triangle-down", "star", "hexagon", "x")
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot", "solid", "dash", "dot")
REFERENCE = 8  # the style of what the others are compared with; there are never more than eight of them


def faint(colour: str) -> str:
    """The same colour, for what lies behind."""
    return colour + "2e"


def variables(theme: int) -> str:
    """The colours as CSS variables; theme 0 is light, 1 dark."""
    return " ".join(f"--{name}: {pair[theme]};" for name, pair in PAIRS.items())


def darkened() -> dict[str, str]:
    """Which colour stands in the dark for which in the light."""
    return dict(PAIRS.values())
