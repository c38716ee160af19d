"""How a game progresses: ranks and days."""

from ....engine.options import beginning
from ....phrases import counted
from ..counts import mean, quantile
from ..estimates import Estimate, per_game
from ..plots import Series, lines, spans
from ..section import Findings, NumberTable, Section, cells
from ..wording import capital, decimal, leader, whole, with_margin


def sections(findings: Findings) -> list[Section]:
    """Ranks over time, and the length of days."""
    return [_ranks(findings), _days(findings)]


def _ranks(findings: Findings) -> Section:
    title = "How fast do ranks rise?"
    gained = findings.rows("ranks gained")
    if not gained:
        return Section("ranks", title, f"Nobody bought a rank in {counted(findings.finished, 'finished game')}.")
    turns = sorted({row["turn"] for row in gained})
    courses = {bot: [(0.0, _start(findings)), *_course(findings, bot, turns)] for bot in findings.header.bots}
    figure = lines(
        [Series(bot, points, findings.style(bot)) for bot, points in courses.items()],
        "turns taken",
        "mean rank",
        decimal,
    )
    last = [(bot, points[-1][1]) for bot, points in courses.items()]
    when = f"after taking {counted(turns[-1], 'turn')}"
    finding = f"{leader(last, 'has rank', 'has the highest rank', f' on average {when}')}."
    note = "If a game ended earlier, the final rank is used."
    return Section("ranks", title, finding, figure, _ranks_table(courses), note)


def _start(findings: Findings) -> Estimate:
    rank = beginning(len(findings.header.seats)).rank
    return Estimate(rank, rank, rank)


def _course(findings: Findings, bot: str, turns: list[int]) -> list[tuple[float, Estimate]]:
    rows = {row["turn"]: row for row in findings.rows("ranks gained") if row["bot"] == bot}
    zero = {"y": 0.0, "yy": 0.0}
    return [(turn, _rank(findings, bot, rows.get(turn, zero))) for turn in turns]


def _rank(findings: Findings, bot: str, sums: dict[str, float]) -> Estimate:
    start = _start(findings).value
    gained = per_game(sums, findings.finished).scaled(1 / findings.seats_of(bot))
    return Estimate(start + gained.value, start + gained.low, start + gained.high)


def _ranks_table(courses: dict[str, list[tuple[float, Estimate]]]) -> NumberTable:
    rows = [
        [f"{bot}, turn {whole(turn)}", *cells(rank, decimal)]
        for bot, points in courses.items()
        for turn, rank in points
    ]
    return NumberTable("Mean rank at the end of a turn", ("bot and turn", "mean rank", "95% interval"), rows)


def _days(findings: Findings) -> Section:
    days: dict[int, list[tuple[int, int]]] = {}
    for row in findings.rows("day turns"):
        days.setdefault(row["day"], []).append((row["turns"], row["count"]))
    means = [(f"day {day}", mean(counts)) for day, counts in days.items()]
    middles = [(float(quantile(counts, 0.1)), float(quantile(counts, 0.9))) for counts in days.values()]
    series = Series("", list(enumerate(mean for _, mean in means)), 1)
    figure = spans([name for name, _ in means], series, middles, "turns of all players")
    if len(means) == 1:
        finding = f"The only day takes {with_margin(means[0][1])} turns of all players on average."
    else:
        finding = f"{capital(leader(means, 'takes', 'takes longest', ' turns of all players'))}."
    rows = [
        [name, *cells(mean, decimal), *map(whole, middle)] for (name, mean), middle in zip(means, middles, strict=True)
    ]
    table = NumberTable("Turns a day", ("day", "mean", "95% interval", "10th percentile", "90th percentile"), rows)
    return Section("days", "How long is a day?", finding, figure, table, "The wide bar spans the middle 80% of days.")
