"""What roles pay, by kind and rank and one by one."""

from collections.abc import Sequence

from ....phrases import counted
from ..estimates import Estimate, Sums, per_game, ratio
from ..names import Names
from ..plots import Series, cloud, lines
from ..section import Findings, NumberTable, Section, cells
from ..wording import Named, capital, decimal, leader, listed, whole, with_margin

KINDS = {"star": "starring roles", "extra": "extra roles"}
A_TURN = "Turns are those spent acting or rehearsing, not the one on which the role is taken. Bonuses are included."
_ENOUGH = 30  # games with a role before it is compared, in runs that are long enough
_MEASURES = ("points a turn", "95% interval", "jobs in 100 games", "95% interval")


def sections(findings: Findings) -> list[Section]:
    """Empty if nobody ever worked."""
    return [_own_ranks(findings), _ranks(findings), _roles(findings)] if findings.rows("pay by role") else []


def _enough(findings: Findings) -> int:
    return min(_ENOUGH, findings.finished)


def _often_seen(findings: Findings, rows: Sequence[Sums]) -> list[Sums]:
    return [row for row in rows if row["games"] >= _enough(findings)]


def _left_out(findings: Findings) -> str:
    if _enough(findings) == 1:
        return A_TURN
    return f"Anything seen in fewer than {_enough(findings)} games is only in the table. {A_TURN}"


def _own_ranks(findings: Findings) -> Section:
    title, rows = "Do stars earn more than extras, and at which ranks?", findings.rows("pay by own rank")
    points = {
        kind: [(row["rank"], ratio(row)) for row in _often_seen(findings, rows) if row["kind"] == kind]
        for kind in KINDS
    }
    series = [Series(KINDS[kind], points[kind], style) for style, kind in enumerate(KINDS) if points[kind]]
    table = _own_ranks_table(findings, rows)
    if not series:
        return Section("own-ranks", title, _too_few(findings), None, table)
    figure = lines(series, "rank of the player", "points a turn", decimal, steps=True)
    return Section("own-ranks", title, _stars_against_extras(points), figure, table, _left_out(findings))


def _stars_against_extras(points: dict[str, list[tuple[float, Estimate]]]) -> str:
    """The ranks at which stars earn more, at which extras do, and at which the two cannot be distinguished."""
    extras = dict(points["extra"])
    pairs = [(rank, star, extras[rank]) for rank, star in points["star"] if rank in extras]
    more = [(rank, star, extra) for rank, star, extra in pairs if star.is_above(extra)]
    less = [(rank, star, extra) for rank, star, extra in pairs if star.is_below(extra)]
    sentences = [_at_ranks("more", more), _at_ranks("less", less)]
    unknown = listed([whole(rank) for rank, star, extra in pairs if not (star.is_above(extra) or star.is_below(extra))])
    sentences.append(f"At rank {unknown} the two cannot be distinguished." if unknown else "")
    return " ".join(filter(None, sentences)) or "At no rank were both kinds of roles seen often enough to compare them."


def _at_ranks(side: str, ranks: list[tuple[float, Estimate, Estimate]]) -> str:
    each = [f"{whole(rank)} ({decimal(star.value)} against {decimal(extra.value)})" for rank, star, extra in ranks]
    return f"In points a turn, stars earn {side} than extras at rank {listed(each)}." if each else ""


def _own_ranks_table(findings: Findings, rows: Sequence[Sums]) -> NumberTable:
    often = {(row["kind"], row["rank"]): _in_100(findings, row) for row in findings.rows("jobs by own rank")}
    body = [
        [f"rank {row['rank']}, {KINDS[row['kind']]}", *_measured(row, often[row["kind"], row["rank"]])]
        for row in sorted(rows, key=lambda row: (row["rank"], row["kind"]))
    ]
    return NumberTable("Pay by the player's rank", ("rank of the player, kind of role", *_MEASURES), body)


def _ranks(findings: Findings) -> Section:
    title, rows = "Do higher-ranked roles pay more?", findings.rows("pay by rank")
    points = {kind: _by_rank(findings, rows, kind) for kind in KINDS}
    series = [Series(KINDS[kind], points[kind], style) for style, kind in enumerate(KINDS) if points[kind]]
    table = _ranks_table(findings, rows)
    if not series:
        return Section("role-ranks", title, _too_few(findings), None, table)
    figure = lines(series, "rank of the role", "points a turn", decimal, steps=True)
    finding = " ".join(_lowest_and_highest(one) for one in series)
    return Section("role-ranks", title, finding, figure, table, _left_out(findings))


def _by_rank(findings: Findings, rows: Sequence[Sums], kind: str) -> list[tuple[float, Estimate]]:
    return [(row["role_rank"], ratio(row)) for row in _often_seen(findings, rows) if row["kind"] == kind]


def _lowest_and_highest(series: Series) -> str:
    (low_rank, low), (high_rank, high) = series.points[0], series.points[-1]
    pay = capital(f"{series.name} of rank {whole(high_rank)} pay {with_margin(high)} points a turn")
    if low_rank == high_rank:
        return f"{pay}."
    side = "more than" if high.is_above(low) else "less than" if high.is_below(low) else "not distinguishable from"
    return f"{pay}, {side} those of rank {whole(low_rank)} with {with_margin(low)}."


def _ranks_table(findings: Findings, rows: Sequence[Sums]) -> NumberTable:
    often = {(row["kind"], row["role_rank"]): _in_100(findings, row) for row in findings.rows("jobs by rank")}
    body = [
        [f"{KINDS[row['kind']]}, rank {row['role_rank']}", *_measured(row, often[row["kind"], row["role_rank"]])]
        for row in rows
    ]
    return NumberTable("Roles by kind and rank", ("kind and rank", *_MEASURES), body)


def _in_100(findings: Findings, row: Sums) -> Estimate:
    return per_game(row, findings.finished).scaled(100)


def _measured(row: Sums, often: Estimate) -> list[str]:
    return [*cells(ratio(row), decimal), *cells(often, decimal)]


def _roles(findings: Findings) -> Section:
    title, rows = "Which role pays best?", findings.rows("pay by role")
    often = {_key(row): _in_100(findings, row) for row in findings.rows("jobs by role")}
    seen = _often_seen(findings, rows)
    table = _roles_table(findings.names, rows, often)
    if not seen:
        return Section("roles", title, _too_few(findings), None, table)
    groups = [
        (
            name,
            [(_name(findings.names, row), often[_key(row)].value, ratio(row)) for row in seen if row["kind"] == kind],
        )
        for kind, name in KINDS.items()
    ]
    figure = cloud(groups, "jobs in 100 games", "points a turn")
    named = [(_name(findings.names, row), ratio(row)) for row in seen]
    return Section("roles", title, _finding(findings, named), figure, table, _left_out(findings))


def _finding(findings: Findings, named: Named) -> str:
    best = capital(leader(named, "pays", "pays the most", " points a turn"))
    seen = counted(_enough(findings), "game")
    return f"{best}. The comparison covers {counted(len(named), 'role')} seen in {seen} or more."


def _too_few(findings: Findings) -> str:
    return f"Too little data to compare: nothing was seen in {counted(_enough(findings), 'game')} or more."


def _roles_table(names: Names, rows: Sequence[Sums], often: dict[tuple[object, ...], Estimate]) -> NumberTable:
    best_first = sorted(rows, key=lambda row: -row["y"] / row["x"])
    body = [
        [_name(names, row), _place(names, row), f"{row['kind']} {row['role_rank']}", *_measured(row, often[_key(row)])]
        for row in best_first
    ]
    return NumberTable("All roles that were worked on", ("role", "scene or set", "kind and rank", *_MEASURES), body)


def _key(row: Sums) -> tuple[object, ...]:
    return tuple(row[key] for key in ("kind", "on_card", "on_set", "number"))


def _name(names: Names, row: Sums) -> str:
    if row["kind"] == "star":
        return names.star(row["on_card"], row["number"])
    return names.extra(row["on_set"], row["number"])


def _place(names: Names, row: Sums) -> str:
    return names.title(row["on_card"]) if row["kind"] == "star" else names.set(row["on_set"])
