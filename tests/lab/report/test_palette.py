"""The colours of the page."""

import pytest

from deadwood.lab.report.palette import PAIRS


def _luminance(colour):
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def _contrast(one, other):
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", [0, 1])
def test_colours_are_legible_in_both_themes(theme):
    """WCAG: 4.5 for text, 3 for what is drawn."""
    colours = {name: pair[theme] for name, pair in PAIRS.items()}
    for background in (colours.pop("page"), colours.pop("card")):
        for name in colours.keys() - {"line"}:
            needed = 4.5 if name in ("ink", "muted", "rust", "dusk") else 3
            assert _contrast(colours[name], background) >= needed, name
