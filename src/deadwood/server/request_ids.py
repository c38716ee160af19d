"""Request ids: one word finds everything in the log that a request or a connection has caused."""

import secrets
from contextvars import ContextVar

_current: ContextVar[str] = ContextVar("deadwood.request", default="")


def current_request() -> str:
    """The id of the request or connection that this task works for; "" for none."""
    return _current.get()


def new_request() -> str:
    """A new id for this task and all that it starts. Each request and each connection has its own task."""
    id = secrets.token_hex(8)
    _current.set(id)
    return id
