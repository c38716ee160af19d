"""Whether the dice are fair."""

from ....engine.chance import FACES
from ..estimates import chi_square, p_value, wilson
from ..plots import Series, dots
from ..section import Findings, NumberTable, Section, cells
from ..wording import percent, whole

_FEWEST = 5 * FACES  # the test needs an expected count of five per face
_UNLIKELY = 0.01  # with two tests per report, 0.05 would give a false alarm in one report in ten
_KINDS = {"act": "acting dice", "bonus": "bonus dice"}


def sections(findings: Findings) -> list[Section]:
    """One section on both kinds of dice."""
    counts = {kind: _counts(findings, kind) for kind in _KINDS}
    rolled = {kind: faces for kind, faces in counts.items() if sum(faces)}
    finding = " ".join(_finding(kind, faces) for kind, faces in counts.items())
    if not rolled:
        return [Section("dice", "Are the dice fair?", finding)]
    series = [
        Series(_KINDS[kind], [(at, wilson(count, sum(faces))) for at, count in enumerate(faces)], style)
        for style, (kind, faces) in enumerate(rolled.items())
    ]
    labels = [str(face) for face in range(1, FACES + 1)]
    figure = dots(labels, series, "share of the dice", percent, 1 / FACES)
    return [Section("dice", "Are the dice fair?", finding, figure, _table(rolled), "The dashed line is one sixth.")]


def _counts(findings: Findings, kind: str) -> list[int]:
    return [row["count"] for row in findings.rows("dice") if row["kind"] == kind]


def _finding(kind: str, faces: list[int]) -> str:
    rolled = sum(faces)
    if rolled < _FEWEST:
        return f"Only {whole(rolled)} {_KINDS[kind]} were rolled, too few to judge."
    chi = chi_square(faces)
    p = p_value(chi)
    unlikely = f"fair dice are this uneven in fewer than 1 in {round(1 / _UNLIKELY)} runs"
    verdict = unlikely if p < _UNLIKELY else "consistent with fair dice"
    shown = f"p = {p:.3f}" if p >= 0.001 else "p < 0.001"
    return f"{whole(rolled)} {_KINDS[kind]}: χ² = {chi:.1f} with {FACES - 1} degrees of freedom, {shown}; {verdict}."


def _table(rolled: dict[str, list[int]]) -> NumberTable:
    rows = [
        [f"{face}, {_KINDS[kind]}", whole(count), *cells(wilson(count, sum(faces)), percent)]
        for kind, faces in rolled.items()
        for face, count in enumerate(faces, 1)
    ]
    return NumberTable("How often each face was rolled", ("face", "times", "share", "95% interval"), rows)
