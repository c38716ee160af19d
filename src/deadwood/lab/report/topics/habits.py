"""How they work: acting and rehearsing."""

from fractions import Fraction

from ....engine.deck import BUDGETS
from ....engine.odds import success_chance
from ..estimates import Estimate, share
from ..palette import REFERENCE
from ..plots import Series, heat, lines
from ..section import Findings, NumberTable, Section, cells
from ..wording import Named, highest, leader, listed, not_told_from, percent, with_margin


def sections(findings: Findings) -> list[Section]:
    """None where nobody ever worked."""
    if not findings.rows("rehearsals by bot"):
        return []
    chips = [_chips(findings)] if findings.rows("going on") else []
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
    finding = f"{leader(_by_bot(findings, 'rehearsals by bot'), 'rehearses', 'rehearses most', unit, percent)}."
    table = _table("Turns rehearsed, of all turns on a role", "turns rehearsed", series)
    return Section("rehearsals", "When do they rehearse?", finding, figure, table)


def _successes(findings: Findings) -> Section:
    series = _by_budget(findings, "successes by budget")
    bare = Series("the die alone", [(budget, _exact(success_chance(budget, 0))) for budget in BUDGETS], REFERENCE)
    figure = lines([*series, bare], "budget of the scene, in millions", "acts that succeed", percent, steps=True)
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
    rows = findings.rows("going on")
    shares = {(row["bot"], row["budget"], row["chips"]): share(row) for row in rows}
    blocks = [
        (bot, [[shares.get((bot, budget, chips)) for chips in range(max(BUDGETS) - 1)] for budget in BUDGETS])
        for bot in findings.header.bots
    ]
    figure = heat(blocks, "practice chips so far", "budget")
    table_rows = [
        [f"{bot}, budget {budget}, {chips} chips", *cells(value, percent)]
        for (bot, budget, chips), value in shares.items()
    ]
    table = NumberTable(
        "Jobs with so many chips on which one more was taken",
        ("bot, budget, chips", "share", "95% interval"),
        table_rows,
    )
    note = "Empty cells: success is certain there, so rehearsing is not allowed, or it never came to that."
    return Section("chips", "How many chips do they take?", _chips_told(findings, shares), figure, table, note)


def _chips_told(findings: Findings, shares: dict[tuple[str, int, int], Estimate]) -> str:
    """At which budget the first chip is taken most; bots of whom the same can be said are told together."""
    told: dict[str, list[str]] = {}
    for bot in findings.header.bots:
        first = [
            (f"budget {budget}", value) for (who, budget, chips), value in shares.items() if who == bot and not chips
        ]
        if first:
            where, how_often = _readiest(first)
            told.setdefault(where, []).append(f"{bot}{how_often}")
    return f"The first chip is taken {'; '.join(f'{where} by {listed(bots)}' for where, bots in told.items())}."


def _readiest(by_budget: Named) -> tuple[str, str]:
    budget, value, others = highest(by_budget)
    if not value.value:
        return "never", ""
    sure = "not to be told from others" if not_told_from(value, others) else "more than at others"
    return f"at {budget}, {sure}," if others else f"at {budget}", f" on {with_margin(value, percent)} of its jobs"
