"""Saved games as a list shows them: when, how they stand or who won, who plays, and unusual options."""

import shutil
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from ..engine.board import built_in_board
from ..engine.game import Game
from ..engine.options import Options, usual_days
from ..engine.refusal import DeadwoodError
from ..narration import option_label, value_label
from .saved_games import Saved, saved_games
from .summary import players_text
from .wording import language, phrase


def heading(saved: Saved) -> str:
    """When it was saved, how it stands, and who plays."""
    return f"{saved.when:%Y-%m-%d %H:%M}  {_standing(saved):24}  {_players(saved)}"


def details(saved: Saved) -> str:
    """Every option that differs from the default."""
    return "; ".join(_unusual(saved.options, len(saved.players))) if saved.options else ""


def matching(games: Iterable[Saved], words: Sequence[str]) -> list[Saved]:
    """The games whose lines have all these words."""
    wanted = [word.casefold() for word in words]
    return [saved for saved in games if all(word in _searched(saved) for word in wanted)]


def numbered_lines() -> Iterator[str]:
    """All games, with numbers to choose one by."""
    games = saved_games()
    for number, saved in enumerate(games, 1):
        yield f"{number:>3}  {heading(saved)}  {details(saved)}".rstrip()
    if not games:
        yield phrase("saved.none")


def numbered_file(text: str) -> Path | None:
    """The game with this number in the list. None if the list has no such number."""
    games = saved_games()
    numbered = text.isdecimal() and len(text) < 6 and 0 < int(text) <= len(games)
    return games[int(text) - 1].file if numbered else None


def export(saved: Saved, folder: Path) -> Path:
    """Copy the record of a game into a folder; raises FileExistsError rather than replace a file."""
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / saved.file.name
    with saved.file.open("rb") as source, target.open("xb") as copy:
        shutil.copyfileobj(source, copy)
    return target


def _searched(saved: Saved) -> str:
    state = phrase("saved.finished" if saved.finished else "saved.to_continue")
    return f"{heading(saved)} {details(saved)} {state} {saved.file.name}".casefold()


def _players(saved: Saved) -> str:
    if not saved.players:
        return phrase("saved.not_a_record", file=saved.file.name)
    return players_text(saved.players, saved.seats) if saved.seats else ", ".join(saved.players)


def _standing(saved: Saved) -> str:
    if not saved.players:
        return ""
    if saved.winners:
        return phrase("saved.won", winners=saved.winners)
    if saved.finished:
        return phrase("saved.called_off")
    day = _day(saved.file, saved.when.timestamp())
    if day is None:
        return phrase("saved.to_continue")
    return phrase("table.day", day=day[0], days=day[1])


@lru_cache(maxsize=4096)
def _day(file: Path, _changed: float) -> tuple[int, int] | None:
    """The day of a game and its number of days; None if it cannot be replayed. Opening it says why."""
    try:
        state = Game.load(file).state
    except (DeadwoodError, OSError):
        return None
    return state.day, state.table.days


def _unusual(options: Options, players: int) -> Iterator[str]:
    spoken, usual = language(), Options()
    if options.deck.startswith("custom:"):
        yield phrase("saved.own_deck")
    elif options.deck != usual.deck:
        yield value_label("deck", options.deck, spoken)
    for option, value in (("layout", built_in_board().layouts["standard"]), ("days", usual_days(players))):
        if getattr(options, option) != value:
            yield f"{option_label(option, spoken)}: {getattr(options, option)}"
    for option in ("ties", "bonus", "dice"):
        if getattr(options, option) != getattr(usual, option):
            yield value_label(option, getattr(options, option), spoken)
