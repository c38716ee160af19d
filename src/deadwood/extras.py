"""The packages that only a part of Deadwood needs, and what to install where they are missing."""

from collections.abc import Iterator
from contextlib import contextmanager

from .engine.refusal import DeadwoodError

DISTRIBUTION = "deadwood-game"  # another project's distribution is called `deadwood`


class ExtraMissing(DeadwoodError):
    """A part of Deadwood was asked for whose packages are not installed."""

    def __init__(self, part: str, extra: str) -> None:
        super().__init__(f"{part} needs more packages; install them with: pip install '{DISTRIBUTION}[{extra}]'")


@contextmanager
def needs(part: str, extra: str) -> Iterator[None]:
    """Import packages of an extra inside this; a missing one is named with the extra that brings it."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "deadwood":
            raise  # a mistake of ours, which no installation cures
        raise ExtraMissing(part, extra) from error
