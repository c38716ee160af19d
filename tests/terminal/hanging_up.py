"""Programs that a hang-up ends, however the tests are run."""

import signal
from contextlib import contextmanager


@contextmanager
def hanging_up():
    """SIGHUP ends programs started here. Otherwise they would inherit `nohup` from the tests and ignore it."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGHUP, before)
