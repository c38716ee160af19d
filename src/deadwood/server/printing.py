"""`deadwood print`: the print-and-play kit, in a browser or as a PDF."""

import tempfile
import webbrowser
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import urlencode

from ..engine.board import Board
from ..engine.deck import Deck
from ..interruption import interruptible
from .chromium import PdfFailed, find_chromium, write_pdf
from .http.pages import client_is_built
from .log_lines import log_to_stderr
from .serving import serve, served
from .settings import UNLIMITED, Settings


def run(
    echo: Callable[[str], None],
    *,
    deck: Deck | None,
    board: Board | None,
    wanted: Mapping[str, str],
    pdf: Path | None,
) -> None:
    """Write the PDF, or open the page and serve it until Ctrl-C."""
    log_to_stderr()
    if not client_is_built():
        raise PdfFailed(
            "The browser client is missing, so there is nothing to print; build without DEADWOOD_CLIENT=skip."
        )
    if pdf is not None and not pdf.absolute().parent.is_dir():
        raise PdfFailed(f"There is no folder {pdf.absolute().parent} for the PDF.")
    page = f"/print?{urlencode(wanted)}"
    browser = find_chromium() if pdf is not None else ""
    with tempfile.TemporaryDirectory(prefix="deadwood-print-", ignore_cleanup_errors=True) as folder:
        settings = Settings(
            database=f"sqlite:///{folder}/server.sqlite3",  # nobody plays here
            port=0,
            limits=UNLIMITED,
            printed_deck=deck,
            printed_board=board,
        )
        if pdf is None:
            serve(settings, lambda url: _open(echo, url + page))
            return
        with interruptible() as interruption, served(settings) as url:
            write_pdf(browser, url + page, pdf, interruption)
    echo(f"The kit is in {pdf}. Print it at 100 %, and measure its first page before you print the rest.")


def _open(echo: Callable[[str], None], address: str) -> None:
    echo(f"Print from {address} (Ctrl-C ends it).")
    webbrowser.open(address)
