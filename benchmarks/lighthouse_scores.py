"""What Lighthouse says about the start page and a table, as a phone and as a desktop open them for the first time."""

import json
import statistics
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.browser import QUIET, found_browser
from tests.client.playing import running_game

from .node import install, node

HERE = Path(__file__).parent / "lighthouse"
RUNS = 3
LIMIT = 240  # seconds for one page
CATEGORIES = {"performance": "performance", "accessibility": "access", "best-practices": "practices", "seo": "SEO"}
TIMES = {"fcp": "first paint", "lcp": "largest paint", "tbt": "blocked"}


def report(server) -> None:
    """Measure every page, and print a line for each."""
    install(HERE)
    for name, device, page in _pages(server):
        results = [_measure(device, **page) for _ in range(RUNS)]
        scores = [f"{word} {_median(results, 'scores', key):.0f}" for key, word in CATEGORIES.items()]
        times = [f"{word} {_median(results, 'figures', key):.0f} ms" for key, word in TIMES.items()]
        shift = f"layout shift {_median(results, 'figures', 'cls'):.3f}"
        failed = sorted({audit for one in results for audit in one["failed"]})
        print(f"{name}, {device}: {', '.join([*scores, *times, shift])} (medians of {RUNS})")
        if failed:
            print(f"  not as it should be: {', '.join(failed)}")


def _pages(server) -> Iterator[tuple[str, str, dict[str, Any]]]:
    code, tokens = running_game(server, "Ada", bots=["regular"] * 3, first="Ada")
    at_table = {"url": f"{server.url}/t/{code}", "memory": {f"deadwood seats {code}": json.dumps(tokens)}}
    for device in ("mobile", "desktop"):
        yield "start page", device, {"url": server.url, "memory": {}}
        yield "table", device, at_table


def _measure(device: str, **page: Any) -> Any:
    wanted = {**page, "device": device, "chromium": found_browser(), "flags": list(QUIET)}
    ran = subprocess.run(
        [node(), HERE / "run.mjs", json.dumps(wanted)], capture_output=True, text=True, timeout=LIMIT, check=False
    )
    if ran.returncode:
        raise SystemExit(f"Lighthouse could not measure {page['url']}:\n{ran.stderr}")
    result = json.loads(ran.stdout.splitlines()[-1])
    if result["problem"]:
        raise SystemExit(f"Lighthouse could not measure {page['url']}: {result['problem']}")
    return result


def _median(results: list[Any], group: str, key: str) -> float:
    return statistics.median(one[group][key] or 0 for one in results)
