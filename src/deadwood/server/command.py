"""`deadwood serve`."""

import webbrowser
from collections.abc import Callable, Sequence

from platformdirs import user_data_path

from .http.pages import client_is_built
from .serving import log_to_stderr, serve
from .settings import UNLIMITED, Limits, Settings, origin_of


def run(
    echo: Callable[[str], None],
    *,
    host: str,
    port: int,
    database: str | None,
    url: str,
    origins: Sequence[str],
    bot_pause: float,
    workers: int,
    no_limits: bool,
    open_browser: bool,
) -> None:
    """Serve with the options of the command line."""
    log_to_stderr()
    address = origin_of(url) if url else ""
    pages = frozenset(map(origin_of, origins)) | ({address} if address else frozenset())
    settings = Settings(
        host=host,
        port=port,
        database=database or f"sqlite:///{user_data_path('deadwood') / 'server.sqlite3'}",
        url=address,
        origins=pages,
        bot_pause=bot_pause,
        workers=workers,
        limits=UNLIMITED if no_limits else Limits(),
    )
    if not client_is_built():
        echo("The browser client is missing, so there are no pages; build without DEADWOOD_CLIENT=skip to get it.")

    def announce(found: str) -> None:
        echo(f"Deadwood is served at {found} (Ctrl-C ends it).")
        if open_browser:
            webbrowser.open(found)

    serve(settings, announce)
