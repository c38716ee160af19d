"""The facts of a run, and the command that makes it again."""

import shlex
from pathlib import Path

from ...bots import DECISION_LIMIT
from ...engine.board import built_in_board
from ...engine.deck import BUILT_IN_DECKS
from ...engine.options import Options, usual_days
from .run_file import Known
from .wording import counted, listed, whole


def facts(known: Known, games: int, cut_off: int, missing: int) -> list[tuple[str, str]]:
    """What was played, as names and values."""
    days = known.days or usual_days(len(known.seats))
    unfinished = f"{counted(cut_off, 'game')} of {whole(games)}, after {whole(known.limit)} decisions each"
    return [
        ("Games", whole(games) + (f", {whole(missing)} more were asked for and not played" if missing else "")),
        ("Cut off", unfinished if cut_off else "none"),
        ("Seats", ", ".join(known.seats)),
        ("Seed", str(known.seed)),
        ("Days", f"{days} a game"),
        *((name.capitalize(), str(getattr(known, name))) for name in ("deck", "layout", "first", "ties", "bonus")),
        *([("Board", f"custom:{known.board}")] if _has_own_board(known) else []),
        ("Played by", f"Deadwood {known.version}"),
    ]


def command(known: Known, games: int, file: Path) -> str:
    """What makes the same run again."""
    words = ["deadwood", "simulate", "--seats", ",".join(known.seats), "--games", str(games), "--seed", str(known.seed)]
    usual = Options()
    for name in ("deck", "layout", "first", "ties", "bonus", "days"):
        value = getattr(known, name)
        if value != getattr(usual, name):
            words += [f"--{name}", "FILE" if name == "deck" and value not in BUILT_IN_DECKS else str(value)]
    words += ["--board", "FILE"] if _has_own_board(known) else []
    words += ["--limit", str(known.limit)] if known.limit != DECISION_LIMIT else []
    words += ["--decisions"] if known.decisions else []
    words += ["--vector"] if known.vector else []
    return shlex.join([*words, "--out", file.name if file.is_absolute() else str(file)])


def needs(known: Known) -> str:
    """What the command needs besides this program."""
    files = [f"the deck {known.deck}"] if known.deck not in BUILT_IN_DECKS else []
    files += [f"the board custom:{known.board}"] if _has_own_board(known) else []
    return f"FILE stands for {listed(files)}." if files else ""


def _has_own_board(known: Known) -> bool:
    return known.board != built_in_board().fingerprint
