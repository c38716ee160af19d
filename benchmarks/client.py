"""How long it takes until the first board is on screen, from a local server, how big the client is, and Lighthouse."""

import gzip
import statistics
import tempfile

from deadwood.server.http.pages import FOLDER
from tests.browser import chromium
from tests.server.people import bots_alone, serving

from . import lighthouse_scores

RUNS = 5


def first_board(browser, address):
    """Milliseconds from the navigation to a painted board with its dice, in a browser with an empty cache."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.goto(address)
    page.locator(".board .piece").first.wait_for()
    seen = page.evaluate("new Promise((seen) => requestAnimationFrame(() => seen(performance.now())))")
    context.close()
    return seen


def main():
    parts = [path for path in FOLDER.rglob("*") if path.suffix in (".js", ".css", ".html")]
    size = sum(len(gzip.compress(path.read_bytes())) for path in parts)
    print(f"client, gzipped: {size / 1000:.1f} kB")
    with tempfile.TemporaryDirectory() as folder, serving(f"sqlite:///{folder}/x.db") as server:
        code = server.post("/api/tables", bots_alone(4, days=1), status=201)["table"]["code"]
        with chromium() as browser:
            times = [first_board(browser, f"{server.url}/t/{code}") for _ in range(RUNS)]
        print(f"first board on screen: {statistics.median(times):.0f} ms (median of {RUNS}, worst {max(times):.0f} ms)")
        lighthouse_scores.report(server)


if __name__ == "__main__":
    main()
