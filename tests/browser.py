"""A real browser for tests and pictures: the machine's Chromium, which sends no traffic of its own."""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, sync_playwright

# The shell is Chromium without windows: it opens a page in a third of the processor time.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHOICE = "DEADWOOD_TEST_BROWSER"  # the environment variable that names another program
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP deadwood.test 127.0.0.1",  # a name that others could reach
)


def found_browser() -> str | None:
    """The path of a browser, if one is installed."""
    chosen = os.environ.get(CHOICE)
    return next(filter(None, map(shutil.which, [chosen] if chosen else BROWSERS)), None)


def launching() -> dict[str, Any]:
    """Arguments to start a browser with."""
    found = found_browser()
    if found is None:
        raise LookupError(f"This needs a browser; install one of: {', '.join(BROWSERS)}. {CHOICE} names another one.")
    return {"executable_path": found, "args": list(QUIET)}


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launching())
        yield browser
        browser.close()


if __name__ == "__main__":  # for `make browser`, which installs a missing one
    sys.exit(found_browser() is None)
