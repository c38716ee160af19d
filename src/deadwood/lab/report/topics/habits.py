"""Habits of acting and rehearsing."""

from fractions import Fraction

from ....engine.deck import BUDGETS, most_chips
from ....engine.odds import success_chance
from ....phrases import counted
from ..estimates import Estimate, share
from ..palette import REFERENCE
from ..plots import Series, heat, lines
from ..section import Findings, NumberTable, Section, cells
from ..wording import Named, highest, indistinguishable, leader, listed, percent, with_margin


def sections(findings: Findings) -> list[Section]:
    """Empty if nobody ever worked."""
    if not findings.rows("rehearsals by bot"):
        return []
    chips = [_chips(findings)] if findings.rows("more chips") else []
    acts = [_successes(findings)] if findings.rows("successes by bot") else []
    return [_rehearsals(findings), *chips, *acts]


def _by_budget(findings: Findings, question: str) -> list[Series]:
    rows = findings.rows(question)
    return [
        Series(bot, [(row["budget"], share(row)) for row in rows if row["bot"] == bot], findings.style(bot))
        for bot in findings.header.bots
    ]


def _by_bot(findings: Findings, question: str) -> list[tuple[str, Estimate]]:
    shares = {row["bot"]: share(row) for row in findings.rows(question)}
    return [(bot, shares[bot]) for bot in findings.header.bots if bot in shares]


def _rehearsals(findings: Findings) -> Section:
    series = _by_budget(findings, "rehearsals by budget")
    unit = " of its turns on a role"
    figure = lines(series, "budget of the scene, in millions", "turns rehearsed", percent, steps=True)
    finding = f"{leader(_by_bot(findings, 'rehearsals by bot'), 'rehearses', 'rehearses the most', unit, percent)}."
    table = _table("Turns rehearsed, of all turns on a role", "turns rehearsed", series)
    return Section("rehearsals", "When do they rehearse?", finding, figure, table)


def _successes(findings: Findings) -> Section:
    series = _by_budget(findings, "successes by budget")
    reference = Series("without chips", [(budget, _exact(success_chance(budget, 0))) for budget in BUDGETS], REFERENCE)
    figure = lines([*series, reference], "budget of the scene, in millions", "acts that succeed", percent, steps=True)
    finding = (
        f"{leader(_by_bot(findings, 'successes by bot'), 'succeeds in', 'succeeds most', ' of its acts', percent)}."
    )
    table = _table("Acts that succeed, of all acts", "acts that succeed", series)
    return Section("successes", "How often does acting succeed?", finding, figure, table)


def _exact(chance: Fraction) -> Estimate:
    return Estimate(float(chance), float(chance), float(chance))


def _table(caption: str, measure: str, series: list[Series]) -> NumberTable:
    rows = [
        [f"{one.name}, budget {int(budget)}", *cells(value, percent)] for one in series for budget, value in one.points
    ]
    return NumberTable(caption, ("bot and budget", measure, "95% interval"), rows)


def _chips(findings: Findings) -> Section:
    rows = findings.rows("more chips")
    shares = {(row["bot"], row["budget"], row["chips"]): share(row) for row in rows}
    blocks = [
        (bot, [[shares.get((bot, budget, chips)) for chips in range(most_chips(max(BUDGETS)))] for budget in BUDGETS])
        for bot in findings.header.bots
    ]
    figure = heat(blocks, "practice chips so far", "budget")
    table_rows = [
        [f"{bot}, budget {budget}, {counted(chips, 'chip')}", *cells(value, percent)]
        for (bot, budget, chips), value in shares.items()
    ]
    table = NumberTable(
        "How often another chip was taken, by chips already held",
        ("bot, budget, chips", "share", "95% interval"),
        table_rows,
    )
    note = "In empty cells success is certain, so rehearsing is not allowed, or the case never occurred."
    return Section("chips", "How many chips do they take?", _chips_finding(findings, shares), figure, table, note)


def _chips_finding(findings: Findings, shares: dict[tuple[str, int, int], Estimate]) -> str:
    """The budget at which each bot takes a first chip most often; bots with the same answer are grouped."""
    groups: dict[str, list[str]] = {}
    for bot in findings.header.bots:
        first = [
            (f"budget {budget}", value) for (who, budget, chips), value in shares.items() if who == bot and not chips
        ]
        if first:
            where, how_often = _first_chip(first)
            groups.setdefault(where, []).append(f"{bot}{how_often}")
    return f"The first chip is taken {'; '.join(f'{where} by {listed(bots)}' for where, bots in groups.items())}."


def _first_chip(by_budget: Named) -> tuple[str, str]:
    budget, value, others = highest(by_budget)
    if not value.value:
        return "never", ""
    where = f"most often at {budget}" if others else f"at {budget}"
    certainty = ", not distinguishable from other budgets," if indistinguishable(value, others) else ""
    return where + certainty, f" on {with_margin(value, percent)} of its jobs"
