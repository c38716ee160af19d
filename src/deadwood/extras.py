"""Optional packages, and what to install if they are missing."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from .engine.refusal import DeadwoodError

DISTRIBUTION = "deadwood-game"  # another project's distribution is called `deadwood`


class ExtraMissing(DeadwoodError, ModuleNotFoundError):
    """A part of Deadwood needs packages that are not installed."""

    def __init__(self, part: str, extra: str) -> None:
        super().__init__(f"{part} needs more packages; install them with: pip install '{DISTRIBUTION}[{extra}]'")


@contextmanager
def needs(part: str, extra: str, *, program: bool = False) -> Iterator[None]:
    """Import the packages of an extra inside this block. If one is missing, the error names the extra to install.

    Of nested blocks, the outermost reports. A program, as in `python -m`, ends with just that sentence.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "deadwood":
            raise  # our own bug, which installing something would not fix
        missing = ExtraMissing(part, extra)
        if program:
            print(missing, file=sys.stderr)
            raise SystemExit(2) from None
        raise missing from error
