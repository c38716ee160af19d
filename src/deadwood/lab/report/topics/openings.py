"""What each opening earns."""

from ....phrases import counted
from ..estimates import Estimate, Sums, ratio, share
from ..names import Names
from ..plots import Series, dots
from ..section import Findings, NumberTable, Section, cells
from ..wording import Named, capital, decimal, leader, percent

KINDS = ("star", "extra")
_ENOUGH = 30  # games that an opening must be seen in to be compared, if the run is long enough
_NOTE = "An opening is a player's first role on day one. Its turns run from the start of the game until the role ends."


def sections(findings: Findings) -> list[Section]:
    """Empty if nobody worked on the first day."""
    rows = findings.rows("openings")
    return [_openings(findings, rows)] if rows else []


def _openings(findings: Findings, rows: list[Sums]) -> Section:
    title, table = "What does each opening earn?", _table(findings, rows)
    enough = min(_ENOUGH, findings.finished)
    often = sorted((row for row in rows if row["games"] >= enough), key=lambda row: -row["y"] / row["x"])
    if not often:
        finding = f"Too little data to compare: no opening was seen in {counted(enough, 'game')} or more."
        return Section("openings", title, finding, None, table)
    named = [(_name(findings.names, row), ratio(row)) for row in often]
    series = [_series(kind, style, often, named) for style, kind in enumerate(KINDS)]
    figure = dots([name for name, _ in named], series, "points a turn", decimal, None)
    finding = f"{capital(leader(named, 'earns', 'earns the most', ' points a turn'))}. {_worst(named)}"
    note = f"{_NOTE} The plot shows openings seen in {counted(enough, 'game')} or more, the table all of them."
    return Section("openings", title, finding, figure, table, note)


def _series(kind: str, style: int, rows: list[Sums], named: Named) -> Series:
    points = [(float(at), named[at][1]) for at, row in enumerate(rows) if row["kind"] == kind]
    return Series(kind, points, style)


def _worst(named: Named) -> str:
    name, estimate = named[-1]
    return f"The lowest is {name} with {decimal(estimate.value)}."


def _name(names: Names, row: Sums) -> str:
    return f"{names.set(row['area'])}, {row['kind']}"


def _table(findings: Findings, rows: list[Sums]) -> NumberTable:
    wins = {(row["area"], row["kind"]): share(row) for row in findings.rows("opening wins")}
    body = [
        _line(findings.names, row, wins[row["area"], row["kind"]]) for row in sorted(rows, key=lambda one: -one["x"])
    ]
    head = ("opening", "points a turn", "95% interval", "games won", "95% interval", "games")
    return NumberTable("Openings, the most frequent first", head, body)


def _line(names: Names, row: Sums, won: Estimate) -> list[str]:
    return [_name(names, row), *cells(ratio(row), decimal), *cells(won, percent), f"{row['games']:,}"]
