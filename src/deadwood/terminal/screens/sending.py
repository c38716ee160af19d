"""Commands to a server from a screen: they may take long, and they may be refused."""

from collections.abc import Callable, Coroutine
from typing import Any

from textual.screen import Screen

from ...engine.refusal import DeadwoodError
from ..sentences import clean, error_sentence

Warn = Callable[[str], None]


def send(screen: Screen[Any], doing: Coroutine[Any, Any, object], warn: Warn | None = None) -> None:
    """Do something while the screen goes on, and show why it was refused, if it was: as a toast, or in `warn`'s way."""
    screen.run_worker(_warned(doing, warn or (lambda problem: _toast(screen, problem))))


async def _warned(doing: Coroutine[Any, Any, object], warn: Warn) -> None:
    try:
        await doing
    except (DeadwoodError, OSError) as error:
        warn(clean(error_sentence(error)))


def _toast(screen: Screen[Any], problem: str) -> None:
    screen.notify(problem, severity="warning", markup=False)
