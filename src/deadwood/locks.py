"""Locks between processes."""

from pathlib import Path

from filelock import BaseFileLock, FileLock, Timeout


def lock_or_raise(path: Path, refusal: Exception) -> BaseFileLock:
    """Lock a file and return the held lock; raise `refusal` at once if another holder has it.

    The lock ends with `release()`, or with this process, however that ends.
    """
    lock = FileLock(path)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        raise refusal from None
    return lock
