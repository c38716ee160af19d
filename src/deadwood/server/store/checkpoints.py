"""Checkpoints: move what is in SQLite's WAL into the file itself, in a separate thread, so that no commit waits.

Commits go on meanwhile. A short second pass makes them wait for a few milliseconds; after it the WAL is written from
the beginning again. Writing to space that the file already has is faster to make durable than growing the file.
"""

import logging
import sqlite3
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

MOST_ENTRIES = 20_000  # between two checkpoints; the more, the fewer pages are written twice
MOST_BYTES = 2**28  # of a WAL that is kept; after a longer one, its space is given back
_PATIENCE = 0.05  # seconds to wait for a commit or a reader; if one takes longer, the next checkpoint may succeed
logger = logging.getLogger("deadwood.server")


class Checkpoints:
    """Runs one checkpoint at a time, every few thousand entries; the writer counts them."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._wal = path.with_name(path.name + "-wal")
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="checkpoints")
        self._entries = 0
        self._lock = threading.Lock()
        self._last: Future[None] | None = None

    def count(self, entries: int) -> None:
        """Note that the WAL has this many more entries."""
        self._entries += entries
        if self._entries >= MOST_ENTRIES:
            self.start()

    def start(self) -> Future[None]:
        """Begin a checkpoint, unless one is running; the future is done when the checkpoint is."""
        with self._lock:
            if self._last is None or self._last.done():
                self._entries = 0
                self._last = self._thread.submit(self._run)
            return self._last

    def close(self) -> None:
        """Stop. SQLite itself makes a last checkpoint when the last connection closes."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _run(self) -> None:
        try:
            with closing(sqlite3.connect(self._path, timeout=_PATIENCE)) as connection:
                connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
                rest = "TRUNCATE" if self._wal.stat().st_size > MOST_BYTES else "RESTART"
                connection.execute(f"PRAGMA wal_checkpoint({rest})")
        except (sqlite3.Error, OSError) as error:
            logger.warning("a checkpoint failed: %s", error)
