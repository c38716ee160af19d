"""Signals that end this process, as exceptions, so that it can clean up: what it started ends with it."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")  # Windows has no SIGHUP


class Interruption:
    """Raises SystemExit or KeyboardInterrupt when a signal comes, but not while something is being started."""

    def __init__(self) -> None:
        self._put_off = False
        self._waiting: int | None = None

    def __call__(self, number: int, _frame: FrameType | None = None) -> None:
        if self._put_off:
            self._waiting = number
        elif number == signal.SIGINT:
            raise KeyboardInterrupt
        else:
            raise SystemExit(128 + number)

    @contextmanager
    def put_off(self) -> Iterator[None]:
        """Put off signals until the end of this block: by then, what was started has an owner."""
        self._put_off = True
        try:
            yield
        finally:
            self._put_off = False
        if self._waiting is not None:
            self(self._waiting)


@contextmanager
def interruptible() -> Iterator[Interruption]:
    """Turn signals into exceptions in this block, in the main thread; ignored signals stay ignored."""
    interruption = Interruption()
    numbers = [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]
    before = {number: signal.getsignal(number) for number in numbers if signal.getsignal(number) is not signal.SIG_IGN}
    for number in before:
        signal.signal(number, interruption)
    try:
        yield interruption
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def restore_ctrl_c() -> None:
    """Let Python handle Ctrl+C again. Importing polars installs another handler, which sometimes loses it for good."""
    handler = signal.getsignal(signal.SIGINT)
    if handler is not None and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, handler)


@contextmanager
def terminated_as_by_ctrl_c() -> Iterator[None]:
    """Treat SIGTERM like Ctrl+C in this block. By default it kills, which could leave a terminal in raw mode."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread can handle signals
        return
    before = signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def hung_up_as_terminated() -> Iterator[None]:
    """Treat SIGHUP like SIGTERM in this block: a terminal that closes sends it. Under `nohup` it stays ignored."""
    in_main = threading.current_thread() is threading.main_thread()
    if not in_main or not hasattr(signal, "SIGHUP") or signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        yield
        return
    before = signal.signal(signal.SIGHUP, lambda *_: signal.raise_signal(signal.SIGTERM))
    try:
        yield
    finally:
        signal.signal(signal.SIGHUP, before)
