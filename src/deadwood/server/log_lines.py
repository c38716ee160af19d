"""What the server writes to standard error: warnings and errors, as lines of JSON, and never a flood of them."""

import logging
import sys
import time
from collections.abc import Callable

import msgspec

from .request_ids import current_request

_FIELDS = ("method", "path", "status", "seconds", "table", "command", "left_out")  # besides the usual ones
_MINUTE = 60.0
_MOST_A_MINUTE = 5
_Origin = tuple[tuple[str, int], ...]


class JsonLines(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        line = {"at": record.created, "level": record.levelname, "logger": record.name, "message": record.getMessage()}
        line |= {"request": current_request()} if current_request() else {}
        line |= {name: record.__dict__[name] for name in _FIELDS if name in record.__dict__}
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line).decode()


class NoFlood(logging.Filter):
    """Lets a problem through a few times a minute. Its first line in the next minute says how many were left out.

    A failure often repeats for every bot and every table, many times a second, and would fill a disk.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._now = now
        self._counts: dict[_Origin, tuple[float, int]] = {}  # by problem: its minute, and how often it came

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING:
            return True
        problem = _origin(record)
        began, count = self._counts.get(problem, (self._now(), 0))
        if self._now() - began >= _MINUTE:
            if count > _MOST_A_MINUTE:
                record.left_out = count - _MOST_A_MINUTE
            began, count = self._now(), 0
        self._counts[problem] = began, count + 1
        return count < _MOST_A_MINUTE


def _origin(record: logging.LogRecord) -> _Origin:
    """The lines of code that a problem comes from. Messages may hold addresses and ids, and never repeat."""
    logged = record.pathname, record.lineno
    if not record.exc_info or not record.exc_info[2]:
        return (logged,)
    frame = record.exc_info[2]
    while frame.tb_next:
        frame = frame.tb_next
    return logged, (frame.tb_frame.f_code.co_filename, frame.tb_lineno)


def log_to_stderr(requests: bool = False) -> None:
    """Warnings and errors as JSON lines, and every request if wanted."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    handler.addFilter(NoFlood())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("deadwood.requests").setLevel(logging.INFO if requests else logging.WARNING)
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # it warns about every request that is not HTTP
