"""The plots in docs/lab.md, taken from the report of a run: `python -m tests.lab.findings runs/four.parquet`."""

import base64
import sys
import tempfile
from pathlib import Path
from urllib.parse import unquote

from deadwood.lab.report import write_report

from ..browser import chromium

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
PLOTS = {"order": "first-to-move", "own-ranks": "stars-and-extras", "openings": "openings"}
EXPORT = """
async (section) => {
  const plot = document.querySelector(`section[aria-labelledby=${section}] .js-plotly-plot`);
  const legend = {orientation: 'h', x: 0, y: 1, yanchor: 'bottom'};
  const layout = {...plot.layout, paper_bgcolor: '#fffef9', showlegend: plot.data.length > 1, legend};
  layout.margin = {...layout.margin, l: 20, r: 24, t: 34, b: 20};
  return await Plotly.toImage({data: plot.data, layout}, {format: 'svg', width: 720, height: layout.height + 40});
}
"""


def drawn(page: Path) -> dict[str, str]:
    with chromium() as browser:
        tab = browser.new_page(color_scheme="light")
        tab.goto(page.as_uri())
        tab.wait_for_selector(".js-plotly-plot")
        return {name: _svg(tab.evaluate(EXPORT, section)) for section, name in PLOTS.items()}


def _svg(address: str) -> str:
    kind, _, text = address.partition(",")
    return base64.b64decode(text).decode() if kind.endswith("base64") else unquote(text)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        page = write_report(Path(sys.argv[1]), Path(folder) / "report.html")
        for name, svg in drawn(page).items():
            (FOLDER / f"{name}.svg").write_text(svg + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
