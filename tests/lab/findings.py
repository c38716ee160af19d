"""The plots in docs/lab.md, taken from the report of a run: `python -m tests.lab.findings runs/four.parquet`.

Those in docs/bots.md are taken from a page of `deadwood.lab.habits`: `python -m tests.lab.findings runs/habits.html`.
"""

import base64
import sys
import tempfile
from pathlib import Path
from urllib.parse import unquote

from deadwood.lab.report import write_report

from ..browser import chromium

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
PLOTS = {"order": "first-to-move", "own-ranks": "stars-and-extras", "openings": "openings"}
HABITS = {"ranks": "champion-ranks", "stars": "champion-stars", "last-shot": "champion-last-shot"}
EXPORT = """
async (section) => {
  const plot = document.querySelector(`section[aria-labelledby=${section}] .js-plotly-plot`);
  const legend = {orientation: 'h', x: 0, y: 1, yanchor: 'bottom'};
  const layout = {...plot.layout, paper_bgcolor: '#fffef9', showlegend: plot.data.length > 1, legend};
  layout.margin = {...layout.margin, l: 20, r: 24, t: 34, b: 20};
  return await Plotly.toImage({data: plot.data, layout}, {format: 'svg', width: 720, height: layout.height + 40});
}
"""


def drawn(page: Path, plots: dict[str, str]) -> dict[str, str]:
    with chromium() as browser:
        tab = browser.new_page(color_scheme="light")
        tab.goto(page.as_uri())
        tab.wait_for_selector(".js-plotly-plot")
        return {name: _svg(tab.evaluate(EXPORT, section)) for section, name in plots.items()}


def _svg(address: str) -> str:
    kind, _, text = address.partition(",")
    return base64.b64decode(text).decode() if kind.endswith("base64") else unquote(text)


def save(page: Path, plots: dict[str, str]) -> None:
    for name, svg in drawn(page, plots).items():
        (FOLDER / f"{name}.svg").write_text(svg + "\n", encoding="utf-8")


def main() -> None:
    given = Path(sys.argv[1])
    if given.suffix == ".html":
        save(given.resolve(), HABITS)
        return
    with tempfile.TemporaryDirectory() as folder:
        save(write_report(given, Path(folder) / "report.html"), PLOTS)


if __name__ == "__main__":
    main()
