"""Programs that a hang-up ends, whoever runs the tests."""

import signal
from contextlib import contextmanager


@contextmanager
def hanging_up():
    """Programs started here end by SIGHUP, even if the tests run under `nohup`, which programs would inherit."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGHUP, before)
