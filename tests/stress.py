"""Repeat tests while every core is busy: a test that passes here does not depend on the speed of the machine.

`make stress` repeats the client's tests 20 times, the server's and the terminal's 5 times, and the client's with slow
pages (`tests/client/slow_pages.py`) 3 times. Choose with variables: `make stress PART=client TIMES=3`,
`make stress PART=tests/server/test_games.py`. Runs that fail leave their output in `build/stress`.
"""

import argparse
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from xml.etree import ElementTree

from .client.slow_pages import VARIABLE as SLOW_PAGES

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "build" / "stress"
TIMES = {"client": 20, "server": 5, "terminal": 5, "slow": 3}
PYTEST = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
BUSY = """
import os, sys, threading
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
while True: pass
"""  # ends with its parent, however that ends, because its standard input is then closed


@contextmanager
def busy_cores() -> Iterator[None]:
    """Keep every core busy."""
    loops = [subprocess.Popen([sys.executable, "-c", BUSY], stdin=subprocess.PIPE) for _ in range(os.cpu_count() or 1)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.communicate()


def stress(parts: Sequence[str], times: int | None, folder: Path, options: Sequence[str] = ()) -> Counter[str]:
    """Repeat every part `times` times, or as often as usual; returns the numbers of runs, tests and failures."""
    folder.mkdir(parents=True, exist_ok=True)
    total = Counter[str]()
    for part in parts:
        repeats = times or TIMES.get(part, 1)
        for number in range(1, repeats + 1):
            began = time.monotonic()
            counts = _run(part, folder / f"{Path(part).stem}-{number}.log", options)
            took = time.monotonic() - began
            print(f"{part} {number}/{repeats}: {_text(counts, 'tests', 'failures')}, {took:.0f} s", flush=True)
            total += counts
    return total


def _run(part: str, output: Path, options: Sequence[str]) -> Counter[str]:
    report, environment = output.with_suffix(".xml"), dict(os.environ)
    if part == "slow":
        part, environment[SLOW_PAGES] = "client", "1"
    tests = f"tests/{part}" if part in TIMES else part
    with output.open("wb") as log:
        command = [*PYTEST, f"--junit-xml={report}", *options, tests]
        done = subprocess.run(command, cwd=ROOT, env=environment, stdout=log, stderr=subprocess.STDOUT, check=False)
    failed = done.returncode != 0
    counts = _counted(report)
    report.unlink(missing_ok=True)
    if failed:
        counts["failures"] = max(counts["failures"], 1)  # a run without any test is a failure
    else:
        output.unlink()
    return counts


def _counted(report: Path) -> Counter[str]:
    counts = Counter(runs=1)
    for suite in ElementTree.parse(report).getroot().iter("testsuite") if report.exists() else ():
        counts["tests"] += int(suite.get("tests", 0))
        counts["failures"] += int(suite.get("failures", 0)) + int(suite.get("errors", 0))
    return counts


def _text(counts: Counter[str], *names: str) -> str:
    return ", ".join(f"{counts[name]} {name}" for name in names)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", default=list(TIMES), metavar="PART", help=f"{', '.join(TIMES)}, or a path")
    parser.add_argument("--times", type=int, help="how often each part is repeated")
    given = parser.parse_args()
    workers = 2 * (os.cpu_count() or 1)  # more than there are cores, so that tests also get in each other's way
    with busy_cores():
        found = stress(given.parts, given.times, FOLDER, ["-n", str(workers), "--dist", "worksteal"])
    print(_text(found, "runs", "tests", "failures"))
    if found["failures"]:
        sys.exit(f"The output of the runs that failed is in {FOLDER}.")
