"""The HTML of a report: one self-contained file that loads nothing else."""

import hashlib
import json
from base64 import b64encode
from collections.abc import Sequence
from html import escape
from importlib.resources import files

from msgspec import Struct
from plotly.offline import get_plotlyjs  # type: ignore[import-untyped]

from .legend import legend
from .palette import darkened, variables
from .section import NumberTable, Section

_HOW_TO_READ = (
    "Values come with 95% intervals, shown as whiskers, bands or ±: in 95 of 100 runs like this one, the interval "
    "contains the true value. Among many intervals, expect a few to miss it. Events within one game are not "
    "independent, so intervals are computed over games, not over single jobs or turns; intervals of shares are "
    "Wilson's. Two values are called different only if their intervals do not overlap, which is conservative."
)
_LONG = 24  # longer facts take two columns


class Top(Struct, frozen=True):
    """The top of the page, above the questions."""

    title: str
    facts: Sequence[tuple[str, str]]
    command: str
    needs: str
    warning: str


def page(top: Top, sections: Sequence[Section]) -> str:
    """The whole page. Its policy allows only scripts with the right hashes, and no connections."""
    plotly, theme = get_plotlyjs(), _asset("theme.js")
    head = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_policy(plotly, theme)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(top.title)} · Deadwood</title>
<style>{_style()}</style>
</head>"""
    data = {"figures": {section.id: section.figure for section in sections if section.figure}, "dark": darkened()}
    return f"""{head}
<body>
{_header(top, sections)}
<main>
{"".join(_section(section) for section in sections)}
</main>
<footer><h2>How to read this</h2><p>{escape(_HOW_TO_READ)}</p></footer>
<script type="application/json" id="data">{_json(data)}</script>
<script>{plotly}</script>
<script>{theme}</script>
</body>
</html>
"""


def _policy(*scripts: str) -> str:
    hashes = " ".join(f"'sha256-{b64encode(hashlib.sha256(script.encode()).digest()).decode()}'" for script in scripts)
    none = " ".join(f"{kind} 'none';" for kind in ("default-src", "connect-src", "base-uri", "form-action"))
    return f"{none} img-src data:; style-src 'unsafe-inline'; script-src {hashes}"


def _asset(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _style() -> str:
    """The colours of both themes, followed by the style sheet."""
    light, dark = variables(0), variables(1)
    return (
        f":root {{ color-scheme: light; {light} }}\n"
        f':root[data-theme="dark"] {{ color-scheme: dark; {dark} }}\n'
        f'@media (prefers-color-scheme: dark) {{ :root:not([data-theme="light"]) {{ color-scheme: dark; {dark} }} }}\n'
        f"{_asset('style.css')}"
    )


def _json(data: object) -> str:
    """JSON that is safe inside a script element."""
    return json.dumps(data, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")


def _header(top: Top, sections: Sequence[Section]) -> str:
    facts = "".join(_fact(name, value) for name, value in top.facts)
    links = "".join(f'<li><a href="#{section.id}">{escape(section.title)}</a></li>' for section in sections)
    warning = f'<p class="warning" role="note">{escape(top.warning)}</p>' if top.warning else ""
    needs = f"<p>{escape(top.needs)}</p>" if top.needs else ""
    return f"""<header>
<p class="brand">Deadwood · report</p>
<button type="button" id="theme" aria-pressed="false" hidden>Dark</button>
<h1>{escape(top.title)}</h1>
{warning}
<dl>{facts}</dl>
<p>To reproduce this run:</p>
<pre tabindex="0" aria-label="command"><code>{escape(top.command)}</code></pre>
{needs}
<nav aria-label="Questions"><ul>{links}</ul></nav>
<noscript><p>Plots need JavaScript; the table below each question has the same numbers.</p></noscript>
</header>"""


def _fact(name: str, value: str) -> str:
    wide = ' class="wide"' if len(value) > _LONG else ""
    return f"<div{wide}><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>"


def _section(section: Section) -> str:
    note = f'<p class="note">{escape(section.note)}</p>' if section.note else ""
    return f"""<section aria-labelledby="{section.id}">
<h2 id="{section.id}">{escape(section.title)}</h2>
<p class="finding">{escape(section.finding)}</p>
{_plot(section)}{note}
{_table(section.table) if section.table else ""}
</section>
"""


def _plot(section: Section) -> str:
    if section.figure is None:
        return ""
    label = escape(f"Plot: {section.title} {section.finding}")
    height = section.figure["layout"]["height"]
    place = f'data-figure="{section.id}" style="min-height:{height}px"'
    return f'{legend(section.figure)}<div class="plot" role="img" aria-label="{label}" {place}></div>\n'


def _table(table: NumberTable) -> str:
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in table.head)
    rows = "".join(_row(row) for row in table.rows)
    return f"""<details><summary>The numbers as a table</summary>
<div class="scroll" role="region" tabindex="0" aria-label="{escape(table.caption)}">
<table><caption>{escape(table.caption)}</caption><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>
</div></details>"""


def _row(cells: Sequence[str]) -> str:
    values = "".join(f"<td>{escape(cell)}</td>" for cell in cells[1:])
    return f'<tr><th scope="row">{escape(cells[0])}</th>{values}</tr>'
