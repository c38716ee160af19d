"""Writing files atomically."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: Path, *, private: bool = False) -> Iterator[Path]:
    """A draft to write; once it is on disk, it replaces the file.

    A crash leaves the old file or the new one, never half of one. A `private` file is never readable by others.
    """
    path = path.resolve()
    draft = path.with_name(f".{os.urandom(8).hex()}.deadwood-draft")
    try:
        draft.touch(0o600 if private else 0o666, exist_ok=False)
        if path.exists() and not private:
            draft.chmod(path.stat().st_mode & 0o777)
        yield draft
        with draft.open("rb+") as file:
            os.fsync(file.fileno())
        draft.replace(path)
    except BaseException as error:
        draft.unlink(missing_ok=True)
        if isinstance(error, OSError):
            error.filename = str(path)  # the caller does not know the draft
        raise
