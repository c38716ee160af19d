"""Writes the report of a run."""

from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import polars as pl

from ...files import replacing
from ...phrases import counted, first_line
from ..run_file import RunError, RunHeader, open_run
from .facts import command, facts, needs
from .names import names_of
from .page import Top, page
from .questions import Answers, all_questions, answer
from .section import Findings, Section
from .topics import ALWAYS, RESULTS_ONLY, TOPICS
from .wording import listed, whole

PAGES = (".html", ".htm")
_STEPS = 25  # points on the plot of ranks over time


def write_report(run: Path, out: Path) -> Path:
    """Write an HTML page about a run. Raises RunError if the file cannot be used or contains no games."""
    if out.suffix.casefold() not in PAGES:
        raise RunError(f"'{out}' should end in .html; a report is an HTML page.")
    header, wanted, games = open_run(run)
    try:
        answers = answer(games, all_questions(_moments(games)))
        last = int(games.select(pl.col("game").max()).collect().item())
    except pl.exceptions.PolarsError as error:
        raise RunError(f"'{run}' is damaged: {first_line(error)}") from error
    text = page(_top(header, answers, max(last + 1, wanted), run), _sections(header, answers))
    out.parent.mkdir(parents=True, exist_ok=True)
    with replacing(out) as draft:
        draft.write_text(text, encoding="utf-8")
    return out


def _moments(games: pl.LazyFrame) -> list[int]:
    """A player's turns at which ranks are measured, evenly spaced up to the mean length of a game."""
    finished = games.filter(~pl.col("cut_off"))
    end = finished.select(pl.col("turns").list.max().mean()).collect().item() or 1
    step = max(1, round(end / _STEPS))
    return list(range(step, max(step, round(end)) + 1, step))


def _sections(header: RunHeader, answers: Answers) -> list[Section]:
    finished = _finished(answers)
    findings = Findings(header, names_of(header), answers, finished)
    topics: Sequence[ModuleType] = (*TOPICS, *ALWAYS) if finished else ALWAYS
    if header.vector:
        topics = RESULTS_ONLY if finished else ()
    return [section for topic in topics for section in topic.sections(findings)]


def _finished(answers: Answers) -> int:
    games, cut_off = answers["games"].row(0)
    return int(games - cut_off)


def _top(header: RunHeader, answers: Answers, wanted: int, run: Path) -> Top:
    games, cut_off = answers["games"].row(0)
    return Top(
        title=f"{counted(games, 'game')} of {listed(_cast(header))}",
        facts=facts(header, games, cut_off, wanted - games),
        command=command(header, wanted, run),
        needs=needs(header),
        warning=_warning(header, games, cut_off),
    )


def _cast(header: RunHeader) -> list[str]:
    """The bots, with their numbers of seats if any has several."""
    counts = {bot: header.seats.count(bot) for bot in header.bots}
    return [f"{count} {bot}" if max(counts.values()) > 1 else bot for bot, count in counts.items()]


def _warning(header: RunHeader, games: int, cut_off: int) -> str:
    if not cut_off:
        return ""
    verb = "was" if cut_off == 1 else "were"
    text = f"{whole(cut_off)} of {counted(games, 'game')} {verb} cut off after {whole(header.limit)} decisions."
    if cut_off == games:
        return f"{text} No game finished, so only the dice can be reported."
    return f"{text} Everything except the dice covers only finished games, which may differ from the others."
