"""A Chromium on this machine, driven over its DevTools protocol, to write a page as a PDF."""

import base64
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

from ..engine.refusal import DeadwoodError
from ..files import replacing
from ..interruption import Interruption

VARIABLE = "DEADWOOD_CHROMIUM"
NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "msedge",
    "microsoft-edge",
    "chromium-headless-shell",
)
_PLACES = (  # where installers put it without adding it to the path
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
    "C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe",
)
_ARGUMENTS = (
    "--headless=new",
    "--remote-debugging-port=0",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)
_START = 30.0  # seconds for the browser to start
_STOP = 10.0  # to end
_LOAD = 60.0  # for the page to be ready
_ANSWER = 120.0  # for a single answer, such as the PDF
_PAUSE = 0.05
# "" while the page loads, "ready", or the problem that it shows
_STATE = """(() => {
  const problem = document.querySelector("main [role=alert]");
  if (problem) return problem.innerText;
  return document.querySelector("main[data-ready=true]") ? "ready" : "";
})()"""


class PdfFailed(DeadwoodError):
    """No PDF was written; the message says why, and what to do."""


def find_chromium() -> str:
    """The browser named by the environment, or the first one installed."""
    named = os.environ.get(VARIABLE)
    if named:
        found = shutil.which(named)
        if found is None:
            raise PdfFailed(f"{VARIABLE} is '{named}', but there is no such program.")
        return found
    for found in (*map(shutil.which, NAMES), *filter(os.path.exists, _PLACES)):
        if found is not None:
            return found
    raise PdfFailed(
        f"A PDF needs Chromium, Chrome or Edge: install one, or name it in {VARIABLE}. "
        "Without --pdf the page opens in your browser, and you can print from there."
    )


def write_pdf(browser: str, url: str, file: Path, interruption: Interruption) -> None:
    """The page at this address as a PDF, once it says that it is ready."""
    with (
        tempfile.TemporaryDirectory(prefix="deadwood-chromium-", ignore_cleanup_errors=True) as profile,
        _running(browser, profile, interruption) as address,
        _connected(address) as devtools,
    ):
        page = _Page(devtools, url)
        page.wait_until_ready()
        document = page.pdf()
    with replacing(file) as draft:
        draft.write_bytes(document)


@contextmanager
def _running(browser: str, profile: str, interruption: Interruption) -> Iterator[str]:
    """A browser without a window; yields the address of its DevTools."""
    sandbox = ("--no-sandbox",) if sys.platform == "linux" and os.geteuid() == 0 else ()  # it refuses to run as root
    command = [browser, *_ARGUMENTS, *sandbox, f"--user-data-dir={profile}", "about:blank"]
    with ExitStack() as started:
        with interruption.put_off():
            process = _start(command)
            started.callback(_end, process)
        yield _devtools_address(process, Path(profile) / "DevToolsActivePort")


def _start(command: list[str]) -> "subprocess.Popen[bytes]":
    try:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # so that all its processes can be ended at once
        )
    except OSError as error:
        raise PdfFailed(f"'{command[0]}' cannot be started: {error.strerror}.") from error


def _devtools_address(process: "subprocess.Popen[bytes]", written: Path) -> str:
    """The address of DevTools: the browser writes a port and a path into its profile once it listens."""
    until = time.monotonic() + _START
    while time.monotonic() < until and process.poll() is None:
        port, _, path = (written.read_text() if written.exists() else "").partition("\n")
        if path:
            return f"ws://127.0.0.1:{port}{path.strip()}"
        time.sleep(_PAUSE)
    raise PdfFailed("The browser did not start; try another one, named in DEADWOOD_CHROMIUM.")


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End the browser with all its processes. The program may be a script that started it, as on Debian."""
    if os.name == "posix":
        _send_to_all(process, signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(_STOP)
        _send_to_all(process, signal.SIGKILL)
    else:
        process.kill()
    process.wait(_STOP)


def _send_to_all(process: "subprocess.Popen[bytes]", number: signal.Signals) -> None:
    with suppress(ProcessLookupError):  # all have ended
        os.killpg(process.pid, number)


@contextmanager
def _connected(address: str) -> Iterator[ClientConnection]:
    try:
        with connect(address, max_size=None, proxy=None, compression=None, open_timeout=_START) as devtools:
            yield devtools
    except (WebSocketException, TimeoutError, ConnectionError) as error:
        raise PdfFailed(f"The browser stopped answering before the PDF was written ({error}).") from error


class _Page:
    """A tab of the browser."""

    def __init__(self, devtools: ClientConnection, url: str) -> None:
        self._devtools = devtools
        self._numbers = count(1)
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session: str = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        problem = self._ask("Page.navigate", url=url).get("errorText")
        if problem:
            raise PdfFailed(f"The browser cannot open {url}: {problem}.")

    def wait_until_ready(self) -> None:
        until = time.monotonic() + _LOAD
        while time.monotonic() < until:
            state = self._ask("Runtime.evaluate", expression=_STATE)["result"].get("value")
            if state == "ready":
                return
            if state:
                raise PdfFailed(str(state))
            time.sleep(_PAUSE)
        raise PdfFailed(f"The page was not ready within {_LOAD:.0f} seconds.")

    def pdf(self) -> bytes:
        made = self._ask("Page.printToPDF", preferCSSPageSize=True, printBackground=True)
        return base64.b64decode(made["data"])

    def _ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        return self._call(method, self._session, **parameters)

    def _call(self, method: str, session: str | None = None, /, **parameters: Any) -> dict[str, Any]:
        """The answer to a command; events that arrive before it are ignored."""
        number = next(self._numbers)
        command = {"id": number, "method": method, "params": parameters, **({"sessionId": session} if session else {})}
        self._devtools.send(msgspec.json.encode(command).decode())
        while True:
            answer = msgspec.json.decode(self._devtools.recv(timeout=_ANSWER))
            if answer.get("id") == number:
                if "error" in answer:
                    raise PdfFailed(f"The browser refused to print: {answer['error']['message']}.")
                result: dict[str, Any] = answer["result"]
                return result
