"""Who wins, and with how many points."""

from collections.abc import Iterable

from ..counts import Counts, quantile
from ..estimates import Estimate, evened, ratio, wilson
from ..plots import Series, dots, hills
from ..section import Findings, NumberTable, Section, cells
from ..wording import Named, compared_with_even, decimal, highest, leader, listed, ordinal, percent, whole

_MOST_BINS = 40
_ALL_NAMED = 4  # with more bots, only the best one's scores are given
_CHANCE = "Seats have equal weight at each position, so a strong bot that often went first by chance adds no bias."
_CHOICE = "The same seat went first in every game, so this adds nothing to the shares by seat."
_WIDTHS = (1, 2, 5, 10, 20, 50, 100, 200, 500)


def sections(findings: Findings) -> list[Section]:
    """Wins by seat, by bot if one has several seats, and by turn order; then the scores."""
    several = [_bots(findings)] if 1 < len(findings.header.bots) < len(findings.header.seats) else []
    return [_seats(findings), *several, _positions(findings), _scores(findings)]


def _even(findings: Findings) -> float:
    return 1 / len(findings.header.seats)


def _seats(findings: Findings) -> Section:
    seats = findings.header.seats
    rows = findings.rows("wins by seat")
    shares = [wilson(row["y"], findings.finished) for row in rows]
    labels = [f"{seat} {bot}" for seat, bot in enumerate(seats, 1)]
    series = [
        Series(bot, [(at, shares[at]) for at in range(len(seats)) if seats[at] == bot], findings.style(bot))
        for bot in findings.header.bots
    ]
    figure = dots(labels, series, "games won", percent, _even(findings))
    named = [(f"seat {seat} ({bot})", share) for (seat, bot), share in zip(enumerate(seats, 1), shares, strict=True)]
    note = "A shared win counts as a fraction." if findings.header.ties == "shared" else ""
    return Section(
        "seats",
        "Who wins?",
        compared_with_even(named, _even(findings)),
        figure,
        _share_table("Games won by seat", named),
        note,
    )


def _share_table(caption: str, named: Named) -> NumberTable:
    rows = [[name, *cells(share, percent)] for name, share in named]
    return NumberTable(caption, ("", "games won", "95% interval"), rows)


def _bots(findings: Findings) -> Section:
    bots = findings.header.bots
    won = {row["bot"]: wilson(row["y"], findings.finished) for row in findings.rows("wins by bot")}
    shares = [won[bot].scaled(1 / findings.seats_of(bot)) for bot in bots]
    series = [Series(bot, [(at, share)], at) for at, (bot, share) in enumerate(zip(bots, shares, strict=True))]
    figure = dots(bots, series, "games won by each seat", percent, _even(findings))
    named = [(f"each {bot}", share) for bot, share in zip(bots, shares, strict=True)]
    finding = compared_with_even(named, _even(findings))
    return Section("bots", "Which bot wins?", finding, figure, _share_table("Games won by each seat of a bot", named))


def _positions(findings: Findings) -> Section:
    shares = [_at(findings, position) for position in range(len(findings.header.seats))]
    names = [ordinal(place) for place in range(1, len(shares) + 1)]
    figure = dots(names, [Series("", list(enumerate(shares)), 1)], "games won", percent, _even(findings))
    named = [(f"the {name} player", share) for name, share in zip(names, shares, strict=True)]
    table = _share_table("Games won by turn order", named)
    note = _CHANCE if findings.header.first == "random" else _CHOICE
    return Section(
        "order", "Is it better to go first?", compared_with_even(named, _even(findings)), figure, table, note
    )


def _at(findings: Findings, position: int) -> Estimate:
    """Games won from a position in turn order. Seats have equal weight, since some go first more often by chance.

    Each game has only one seat in this position, so the seats cover different games and are independent.
    """
    rows = [row for row in findings.rows("wins by seat and position") if row["position"] == position]
    if len(rows) == len(findings.header.seats):
        return evened([(row["y"], row["x"]) for row in rows])
    return wilson(sum(row["y"] for row in rows), findings.finished)


def _scores(findings: Findings) -> Section:
    means = {row["bot"]: ratio(row) for row in findings.rows("scores")}
    named = [(bot, means[bot]) for bot in findings.header.bots]
    counts = {bot: _counts(findings, bot) for bot in findings.header.bots}
    width = _width(counts.values(), findings.finished)
    series = [
        Series(bot, _binned(counts[bot], width, findings.finished), findings.style(bot)) for bot in findings.header.bots
    ]
    figure = hills(series, f"points, in steps of {width}" if width > 1 else "points")
    return Section(
        "scores", "How many points do they score?", _scores_finding(named, counts), figure, _scores_table(named, counts)
    )


def _counts(findings: Findings, bot: str) -> Counts:
    return [(row["score"], row["count"]) for row in findings.rows("score counts") if row["bot"] == bot]


def _width(all_counts: Iterable[Counts], games: int) -> int:
    """The narrowest bins that this many games can fill."""
    bins = min(3 * games ** (1 / 3), _MOST_BINS)
    values = [value for counts in all_counts for value, _ in counts]
    span = max(values) - min(values)
    return next((width for width in _WIDTHS if span / width <= bins), _WIDTHS[-1])


def _binned(counts: Counts, width: int, games: int) -> list[tuple[float, Estimate]]:
    """Shares by bin, with an empty bin at each end. Intervals count games, not players."""
    total = sum(count for _, count in counts)
    first, last = counts[0][0] // width - 1, counts[-1][0] // width + 1
    sums = dict.fromkeys(range(first, last + 1), 0)
    for value, count in counts:
        sums[value // width] += count
    return [
        ((at + 0.5) * width if width > 1 else at, wilson(count / total * games, games)) for at, count in sums.items()
    ]


def _scores_finding(named: Named, counts: dict[str, Counts]) -> str:
    shown = [bot for bot, _ in named] if len(named) <= _ALL_NAMED else [highest(named)[0]]
    middles = [f"{quantile(counts[bot], 0.25)} to {quantile(counts[bot], 0.75)} for {bot}" for bot in shown]
    best = leader(named, "scores", "scores the most", " points on average")
    return f"{best}. The middle half of the scores is {listed(middles)}."


def _scores_table(named: Named, counts: dict[str, Counts]) -> NumberTable:
    head = ("bot", "mean", "95% interval", "lowest", "10%", "median", "90%", "highest")
    rows = [
        [bot, *cells(mean, decimal), *(whole(quantile(counts[bot], share)) for share in (0, 0.1, 0.5, 0.9, 1))]
        for bot, mean in named
    ]
    return NumberTable("Points by bot: means and quantiles", head, rows)
