"""Where points come from, and what each set pays."""

from ..estimates import Estimate, per_game, ratio
from ..plots import Series, dots, stacks
from ..section import Findings, NumberTable, Section, cells
from ..wording import capital, decimal, highest, indistinguishable, leader, listed, with_margin
from .roles import A_TURN, KINDS

_SOURCES = {
    "star pay": "star pay",
    "star bonus": "star bonuses",
    "extra pay": "extra pay",
    "extra bonus": "extra bonuses",
    "ranks": "ranks bought",
    "start": "start",
    "prices": "prices paid",
}
_NOT_EARNED = ("start", "prices")


def sections(findings: Findings) -> list[Section]:
    """The sources of points and, if anybody worked, the sets."""
    return [_sources(findings), *([_sets(findings)] if findings.rows("pay by set") else [])]


def _sources(findings: Findings) -> Section:
    bots = findings.header.bots
    sources = {bot: _sources_of(findings, bot) for bot in bots}
    totals = [sum(estimate.value for estimate in estimates.values()) for estimates in sources.values()]
    parts = [(name, [sources[bot][key].value for bot in bots]) for key, name in _SOURCES.items()]
    figure = stacks(bots, [part for part in parts if any(part[1])], totals)
    note = "The sources add up to the score. A rank is worth five points; prices paid are negative."
    table = _sources_table(sources, totals)
    return Section(
        "sources", "Where do the points come from?", f"The largest source is {_largest(sources)}.", figure, table, note
    )


def _sources_of(findings: Findings, bot: str) -> dict[str, Estimate]:
    rows = {row["source"]: row for row in findings.rows("sources") if row["bot"] == bot}
    zero = {"y": 0.0, "yy": 0.0}
    each = 1 / findings.seats_of(bot)
    return {key: per_game(rows.get(key, zero), findings.finished).scaled(each) for key in _SOURCES}


def _largest(sources: dict[str, dict[str, Estimate]]) -> str:
    """The largest source of each bot; bots with the same answer are grouped."""
    groups: dict[tuple[str, str], list[str]] = {}
    for bot, estimates in sources.items():
        earned = [(_SOURCES[key], estimate) for key, estimate in estimates.items() if key not in _NOT_EARNED]
        name, estimate, others = highest(earned)
        alike = indistinguishable(estimate, others)
        certainty = f"not distinguishable from {alike}" if alike else "ahead of all others"
        groups.setdefault((name, certainty), []).append(f"{bot} with {with_margin(estimate)} points")
    return "; ".join(f"{name}, {certainty}, for {listed(bots)}" for (name, certainty), bots in groups.items())


def _sources_table(sources: dict[str, dict[str, Estimate]], totals: list[float]) -> NumberTable:
    rows = [
        [f"{bot}, {_SOURCES[key]}", *cells(estimate, decimal)]
        for bot, estimates in sources.items()
        for key, estimate in estimates.items()
    ]
    rows += [[f"{bot}, score", decimal(total), "see scores"] for bot, total in zip(sources, totals, strict=True)]
    return NumberTable("Points per player and game, by source", ("bot and source", "points", "95% interval"), rows)


def _sets(findings: Findings) -> Section:
    overall = [(findings.names.set(row["area"]), ratio(row)) for row in findings.rows("pay by set")]
    overall.sort(key=lambda named: -named[1].value)
    labels = [name for name, _ in overall]
    series = [_of_kind(findings, kind, labels, style) for style, kind in enumerate(KINDS)]
    figure = dots(labels, series, "points a turn", decimal, None)
    jobs = findings.rows("jobs by set")
    often = [(findings.names.set(row["area"]), per_game(row, findings.finished)) for row in jobs]
    best = leader(overall, "pays", "pays the most", " points a turn")
    busiest = leader(often, "has", "is busiest", " jobs a game")
    finding = f"{capital(best)}. {capital(busiest)}."
    return Section("sets", "Which set pays best?", finding, figure, _sets_table(findings), A_TURN)


def _of_kind(findings: Findings, kind: str, labels: list[str], style: int) -> Series:
    values = {
        findings.names.set(row["area"]): ratio(row)
        for row in findings.rows("pay by set and kind")
        if row["kind"] == kind
    }
    return Series(KINDS[kind], [(at, values[label]) for at, label in enumerate(labels) if label in values], style)


def _sets_table(findings: Findings) -> NumberTable:
    jobs = findings.rows("jobs by set and kind")
    often = {(row["area"], row["kind"]): per_game(row, findings.finished) for row in jobs}
    rows = [
        [
            f"{findings.names.set(row['area'])}, {KINDS[row['kind']]}",
            *cells(ratio(row), decimal),
            *cells(often[row["area"], row["kind"]], decimal),
        ]
        for row in findings.rows("pay by set and kind")
    ]
    head = ("set and kind of role", "points a turn", "95% interval", "jobs a game", "95% interval")
    return NumberTable("Sets by kind of role", head, rows)
