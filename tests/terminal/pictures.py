"""Pictures of the main screens for the documents: `python -m tests.terminal.pictures` redraws them.

The tests draw them again and compare, so that they stay up to date.
"""

import asyncio
import os
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

from deadwood import Game, Options
from deadwood.engine.notation import format_outcome
from deadwood.terminal.app import DeadwoodApp
from deadwood.terminal.session import Session

from .journeys import patient_pilot

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "pictures"
GOLDEN = ROOT / "tests" / "engine" / "golden"
SIZES = {"small": (80, 24), "large": (120, 40)}


async def picture(name: str, size: tuple[int, int], folder: Path) -> str:
    """One screen as an SVG text without outside fonts."""
    session, replay, keys = SCREENS[name](folder)
    app = DeadwoodApp(session, replay, pace=0)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        await pilot.press(*keys)
        await pilot.pause()
        return plain_svg(app.export_screenshot(title="Deadwood"))


def plain_svg(svg: str) -> str:
    svg = re.sub(r"<!--.*?-->\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    return re.sub(r"font-family: Fira Code", "font-family: DejaVu Sans Mono, Menlo, Consolas", svg) + "\n"


def _middle(record: str, actions: int, folder: Path) -> Session:
    (path,) = GOLDEN.glob(f"{record}-*")
    header, _, body = path.read_text("utf-8").partition("\n\n")
    file = folder / f"{record}.deadwood"
    file.write_text("\n".join([header.replace(" bot random", " person"), "", *body.split("\n")[:actions], ""]), "utf-8")
    return Session.resume(file)


def _wrap(folder: Path) -> tuple[Session, None, list[str]]:
    """Somebody is about to wrap a scene with stars at a table with real dice; the keys enter what was rolled."""
    (path,) = GOLDEN.glob("25-*")
    steps = Game.load(path).steps
    place, outcome = next(
        (number, outcome)
        for number, step in enumerate(steps)
        if (outcome := format_outcome(step.events)).count(" ") > 4
    )
    die, _, bonus = outcome.partition(" / ")
    typed = ["space" if char == " " else char for char in bonus]
    return _middle("25", place, folder), None, ["a", die, "enter", *typed, "enter"]


def _replayed(_folder: Path) -> Game:
    (path,) = GOLDEN.glob("10-*")
    return Game.load(path)


SCREENS: dict[str, Callable[[Path], tuple[Session | None, Game | None, list[str]]]] = {
    "menu": lambda _folder: (None, None, []),
    "set-up": lambda _folder: (None, None, ["n"]),
    "table": lambda folder: (_middle("05", 300, folder), None, []),
    "first-turn": lambda folder: (
        Session.new(["Ada", "Bo", "Cy"], Options(first="Ada"), seed=7, file=folder / "first.deadwood"),
        None,
        ["2"],
    ),
    "replay": lambda folder: (None, _replayed(folder), ["d"]),
    "wrap": _wrap,
    "help": lambda folder: (_middle("05", 300, folder), None, ["question_mark"]),
}


def draw(screen: str) -> dict[str, str]:
    """The pictures of a screen by file name."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        kept = {variable: os.environ.get(variable) for variable in ("XDG_DATA_HOME", "HOME")}
        os.environ.update(dict.fromkeys(kept, name))
        try:
            with patient_pilot():
                return {
                    f"{screen}-{label}.svg": asyncio.run(picture(screen, size, folder)) for label, size in SIZES.items()
                }
        finally:
            for variable, value in kept.items():
                os.environ.pop(variable) if value is None else os.environ.update({variable: value})


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for screen in SCREENS:
        for file, svg in draw(screen).items():
            (FOLDER / file).write_text(svg, encoding="utf-8")
