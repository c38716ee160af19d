"""`deadwood serve`."""

import shlex
import sys
import webbrowser
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from .http.pages import client_is_built
from .limits import PROXIES
from .log_lines import log_to_stderr
from .networks import parse_network
from .origins import address, listens_everywhere, network_address
from .serving import serve
from .settings import KEEP_FINISHED, KEEP_KEYS, KEEP_UNSTARTED, PORT, UNLIMITED, Limits, Settings, contact_of, origin_of
from .store.files import default_database
from .supervisor import supervise


def run(echo: Callable[[str], None], *, processes: int, open_browser: bool, **given: Any) -> None:
    """Serve with the options of the command line."""
    settings = _settings(**given)
    log_to_stderr(settings.log_requests)
    if not client_is_built():
        echo("The browser client is missing, so there are no pages; build without DEADWOOD_CLIENT=skip to get it.")
    announce = partial(_announce, settings, echo, open_browser)
    if processes == 1:
        serve(settings, announce)
    else:
        supervise(settings, processes, announce)


def _settings(
    *,
    host: str,
    port: int,
    database: str | None,
    url: str,
    origins: Sequence[str],
    proxies: Sequence[str],
    bot_pause: float,
    workers: int,
    no_limits: bool,
    no_notices: bool,
    notices_to_private: bool,
    contact: str,
    no_talk: bool,
    log_requests: bool,
    keep_unstarted: float | None,
    keep_finished: float | None,
    keep_keys: float | None,
    metrics_token: str,
    metrics_host: str,
    metrics_port: int | None,
) -> Settings:
    public = origin_of(url) if url else ""
    return Settings(
        host=host,
        port=port,
        database=database or default_database(),
        url=public,
        sharing=_sharing(port),
        origins=frozenset(map(origin_of, origins)) | ({public} if public else frozenset()),
        proxies=(*PROXIES, *map(str, map(parse_network, proxies))),
        bot_pause=bot_pause,
        workers=workers,
        talk=not no_talk,
        log_requests=log_requests,
        keep_unstarted=_kept(keep_unstarted, KEEP_UNSTARTED if public else None),
        keep_finished=_kept(keep_finished, KEEP_FINISHED if public else None),
        keep_keys=_kept(keep_keys, KEEP_KEYS if public else None),
        metrics_token=metrics_token,
        metrics_host=metrics_host,
        metrics_port=metrics_port,
        limits=UNLIMITED if no_limits else Limits(),
        notices=not no_notices,
        private_notices=notices_to_private,
        contact=contact_of(contact) if contact else "",
    )


def _announce(settings: Settings, echo: Callable[[str], None], open_browser: bool, found: str) -> None:
    """Say where the server is found, and by whom."""
    echo(f"Deadwood is served at {found} (Ctrl-C ends it).")
    local = address("localhost", urlsplit(found).port or 80)
    shared = listens_everywhere(settings.host)
    if shared and not settings.url:
        echo(f"On this computer: {local}")
        if network_address() is None:
            echo("This computer is on no network, so nobody else can reach it.")
    elif not settings.url:
        echo(f"Only this computer can reach it. To let others in your network join: {settings.sharing}")
    if open_browser:
        webbrowser.open(local if shared and not settings.url else found)


def _sharing(port: int) -> str:
    """The command that serves a whole network on the same port."""
    return shlex.join([*_program(), "serve", "--host", "0.0.0.0", *(["--port", str(port)] if port != PORT else [])])


def _kept(days: float | None, usual: float | None) -> float | None:
    """For how many days tables are kept; 0 is for ever."""
    return usual if days is None else days or None


def _program() -> list[str]:
    """The command that started this program, as somebody would type it here."""
    started = Path(sys.argv[0]).absolute()
    if started.name == "__main__.py":
        return ["python", "-m", "deadwood"]
    within = started.is_relative_to(Path.cwd())
    return [str(started.relative_to(Path.cwd())) if within else started.name]
