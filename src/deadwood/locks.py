"""Locks between processes."""

from pathlib import Path

from filelock import BaseFileLock, FileLock, Timeout


def lock_or_raise(path: Path, refusal: Exception, patience: float = 0) -> BaseFileLock:
    """Lock a file and return the held lock; raise `refusal` if another holder still has it after `patience` seconds.

    The lock ends with `release()`, or with this process, however that ends.
    """
    lock = FileLock(path)
    try:
        lock.acquire(timeout=patience)
    except Timeout:
        raise refusal from None
    return lock
