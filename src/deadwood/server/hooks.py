"""Hooks: the methods of uvicorn that we override. If one were renamed, a limit would silently disappear."""

from collections.abc import Iterator

import uvicorn

from .connection_limits import LimitedProtocol
from .settings import SettingsWrong
from .socket.uvicorn_protocol import TableSocketProtocol

HOOKS: dict[type, tuple[str, ...]] = {
    LimitedProtocol: (
        "connection_made",
        "connection_lost",
        "data_received",
        "handle_websocket_upgrade",
        "on_response_complete",
        "pause_writing",
        "resume_writing",
        "send_400_response",
    ),
    TableSocketProtocol: (
        "connection_made",
        "connection_lost",
        "data_received",
        "eof_received",
        "handle_connect",
        "handle_cont",
        "handle_parser_exception",
        "handle_ping",
        "handle_pong",
        "keepalive_timeout",
        "on_task_complete",
        "schedule_ping",
        "send_keepalive_ping",
        "send_receive_event_to_app",
        "shutdown",
        "start_keepalive",
    ),
}


def demand_hooks() -> None:
    """Refuse to start on a uvicorn whose protocols work differently."""
    missing = sorted(set(_missing()))
    if missing:
        raise SettingsWrong(f"uvicorn {uvicorn.__version__} has no {', '.join(missing)}; install version 0.54.")


def _missing() -> Iterator[str]:
    for protocol, hooks in HOOKS.items():
        yield from (hook for hook in hooks if not hasattr(protocol.__base__, hook))
