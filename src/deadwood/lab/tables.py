"""Results as text."""

from collections.abc import Iterable, Sequence

from .ranking import Adjusted, Ranking, Rung
from .runs import Run, Summary
from .statistics import ShareEstimate


def text_table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table as text: the first column left-aligned, the others right-aligned."""
    lines = [tuple(heads), *(tuple(row) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(_line(line, widths) for line in lines)


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = zip(cells, widths, strict=True)
    return "  ".join([first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in others)]).rstrip()


def percent(share: ShareEstimate) -> str:
    """A share with its interval, as in `61.2% (58.1-64.2)`."""
    return f"{share.share:.1%} ({100 * share.low:.1f}-{100 * share.high:.1f})"


_WITHOUT_LUCK = ("without luck", "a game counts as")


def _without_luck(adjusted: Adjusted | None) -> tuple[str, str]:
    """The share without luck, and how many games one is worth, as far as they are known."""
    if adjusted is None:
        return "-", "-"
    return percent(adjusted.share), "-" if adjusted.games is None else f"{adjusted.games:.1f}"


def run_text(summary: Summary, run: Run) -> str:
    """The summary of a run, and how often each seat won."""
    if not summary.kept:
        return "Stopped before the first game was finished."
    kept = f"{summary.kept:,} of {summary.games:,}" if summary.stopped else f"{summary.kept:,}"
    lines = [f"{kept} games are in {run.file}."]
    if run.plan.decisions:
        lines.append(f"Their decisions are in {run.decisions_file}.")
    if summary.cut_off:
        lines.append(
            f"{summary.cut_off:,} of them reached {run.plan.limit:,} decisions and were cut off; nobody won those."
        )
    if summary.stopped:
        lines.append("Stopped; run the same command to continue.")
    if summary.kept and not summary.played:
        lines.append("All of them had already been played.")
    if summary.kept == summary.cut_off:
        return "\n".join(lines)
    seats = [(f"{one.seat + 1} {one.bot}", percent(one.won), f"{one.score:.1f}") for one in summary.seats]
    return "\n".join([*lines, "", text_table(("seat", "win share", "score"), seats)])


def ranking_text(ranking: Ranking) -> str:
    """A ranking, and how often each bot finished ahead of each other bot."""
    tables = f"tables of {ranking.players}" if ranking.players else "all tables"
    heads = ("bot", "rating", "win share", *_WITHOUT_LUCK, "fair share", "score", "seats", "ms a decision")
    rows = [
        (
            line.bot,
            f"{line.rating:.1f}",
            percent(line.share),
            *_without_luck(line.adjusted),
            f"{line.fair_share:.1%}",
            f"{line.score:.1f}",
            f"{line.games:,}",
            f"{line.milliseconds:.3f}",
        )
        for line in ranking.lines
    ]
    return "\n".join(
        [
            f"{tables.capitalize()}: {ranking.games:,} games{_cut_off(ranking.cut_off)}; win shares are per seat",
            "",
            text_table(heads, rows),
            "",
            _cross(ranking),
        ]
    )


def _cross(ranking: Ranking) -> str:
    ahead = {(one.bot, one.other): one.ahead for one in ranking.meetings}
    names = [line.bot for line in ranking.lines]
    heads = ("ends ahead of", *names)
    rows = [(bot, *(percent(ahead[bot, other]) if (bot, other) in ahead else "-" for other in names)) for bot in names]
    return text_table(heads, rows)


def arena_text(results: Sequence[Ranking] | Sequence[Rung]) -> str:
    """Rankings one after another, or a ladder."""
    rungs = [one for one in results if isinstance(one, Rung)]
    rankings = [one for one in results if isinstance(one, Ranking)]
    return ladder_text(rungs) if rungs else "\n\n".join(map(ranking_text, rankings))


def ladder_text(rungs: Sequence[Rung]) -> str:
    """A ladder, with the probability of doing as well by luck alone."""
    heads = ("stronger", "weaker", "players", "games", "win share", *_WITHOUT_LUCK, "by luck alone")
    rows = [
        (
            one.stronger,
            one.weaker,
            str(one.players),
            f"{one.games:,}{_cut_off(one.cut_off)}",
            percent(one.share),
            *_without_luck(one.adjusted),
            f"{one.luck:.2g}",
        )
        for one in rungs
    ]
    return text_table(heads, rows)


def _cut_off(games: int) -> str:
    return f", {games:,} cut off" if games else ""
