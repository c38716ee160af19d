"""The settings of a run, and the command that reproduces it."""

import shlex
from pathlib import Path

from msgspec.structs import fields

from ...engine.board import built_in_board
from ...engine.deck import BUILT_IN_DECKS
from ...engine.options import usual_days
from ...phrases import counted
from ..run_file import RunHeader
from .wording import listed, whole

_FLAGS = ("deck", "layout", "first", "ties", "bonus", "days", "limit", "decisions", "vector")  # of `deadwood simulate`
_USUAL = {field.name: field.default for field in fields(RunHeader)}


def facts(header: RunHeader, games: int, cut_off: int, missing: int) -> list[tuple[str, str]]:
    """What was played, as pairs of name and value."""
    days = header.days or usual_days(len(header.seats))
    unfinished = f"{whole(cut_off)} of {counted(games, 'game')}, after {whole(header.limit)} decisions each"
    return [
        ("Games", whole(games) + (f"; {whole(missing)} more requested but not played" if missing else "")),
        ("Cut off", unfinished if cut_off else "none"),
        ("Seats", ", ".join(header.seats)),
        ("Seed", str(header.seed)),
        ("Days", f"{days} a game"),
        *((name.capitalize(), str(getattr(header, name))) for name in ("deck", "layout", "first", "ties", "bonus")),
        *([("Board", f"custom:{header.board}")] if _has_custom_board(header) else []),
        ("Played with", f"Deadwood {header.version}"),
    ]


def command(header: RunHeader, games: int, file: Path) -> str:
    """The command that reproduces the run."""
    words = ["deadwood", "simulate", "--seats", ",".join(header.seats), "--games", str(games)]
    words += ["--seed", str(header.seed)]
    for name in _FLAGS:
        value = getattr(header, name)
        if value != _USUAL[name]:
            words += [f"--{name}"] if value is True else [f"--{name}", _argument(name, value)]
    words += ["--board", "FILE"] if _has_custom_board(header) else []
    return shlex.join([*words, "--out", file.name if file.is_absolute() else str(file)])


def _argument(name: str, value: object) -> str:
    return "FILE" if name == "deck" and value not in BUILT_IN_DECKS else str(value)


def needs(header: RunHeader) -> str:
    """The files that the command needs."""
    files = [f"the deck {header.deck}"] if header.deck not in BUILT_IN_DECKS else []
    files += [f"the board custom:{header.board}"] if _has_custom_board(header) else []
    return f"FILE stands for {listed(files)}." if files else ""


def _has_custom_board(header: RunHeader) -> bool:
    return header.board != built_in_board().fingerprint
