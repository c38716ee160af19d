"""Commands to a server from a screen: they may take long, and they may be refused."""

from collections.abc import Coroutine
from typing import Any

from textual.screen import Screen

from ...engine.refusal import DeadwoodError
from ..sentences import clean, error_sentence


def send(screen: Screen[Any], doing: Coroutine[Any, Any, object]) -> None:
    """Do something while the screen goes on, and show why it was refused, if it was."""
    screen.run_worker(_warned(screen, doing))


async def _warned(screen: Screen[Any], doing: Coroutine[Any, Any, object]) -> None:
    try:
        await doing
    except (DeadwoodError, OSError) as error:
        screen.notify(clean(error_sentence(error)), severity="warning", markup=False)
