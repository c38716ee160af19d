"""A real browser for tests and pictures: the machine's own Chromium, which keeps to itself."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, sync_playwright

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def launching() -> dict[str, Any]:
    """How a browser is started."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        raise LookupError(f"This needs a browser; install one of: {', '.join(BROWSERS)}.")
    return {"executable_path": found, "args": list(QUIET)}


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launching())
        yield browser
        browser.close()
