"""Commands to a server from a screen: they may take long, and they may be refused."""

from collections.abc import Callable, Coroutine
from typing import Any

from textual.screen import Screen

from ...engine.refusal import DeadwoodError
from ..sentences import clean, error_sentence
from .base import is_on_top

Warn = Callable[[str], None]


def send(screen: Screen[Any], doing: Coroutine[Any, Any, object], warn: Warn | None = None) -> None:
    """Do something in the background; if it is refused, show why, as a toast or through `warn`."""
    screen.run_worker(_warned(doing, warn or (lambda problem: _toast(screen, problem))))


def ask(screen: Screen[Any], show: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Show something over a screen, once: two quick key presses count as one."""
    if is_on_top(screen):
        screen.run_worker(show(), exclusive=True, group="asking")


async def _warned(doing: Coroutine[Any, Any, object], warn: Warn) -> None:
    try:
        await doing
    except (DeadwoodError, OSError) as error:
        warn(clean(error_sentence(error)))


def _toast(screen: Screen[Any], problem: str) -> None:
    screen.notify(problem, severity="warning", markup=False)
