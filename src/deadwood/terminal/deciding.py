"""Letting a bot think outside the event loop, with a time limit."""

import asyncio
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from ..bots.registry import BotFailed
from ..engine.actions import Action
from .wording import phrase


async def decided_in_time(decide: Callable[[], Action], name: str, seconds: float) -> Action:
    """What a bot decides; raises BotFailed if it fails, or takes longer.

    A thread cannot be stopped, so this is a daemon: the process does not wait for it at exit.
    """
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[Action] = loop.create_future()

    def think() -> None:
        try:
            action = decide()
        except BaseException as error:  # a bot may even try to end the process
            tell(answer.set_exception, error if isinstance(error, BotFailed) else _failed(name, error))
        else:
            tell(answer.set_result, action)

    def tell(settle: Callable[..., None], value: object) -> None:
        with suppress(RuntimeError):  # the loop has ended, and nobody is waiting any more
            loop.call_soon_threadsafe(lambda: None if answer.done() else settle(value))

    threading.Thread(target=think, name=f"bot {name}", daemon=True).start()
    try:
        async with asyncio.timeout(seconds):
            return await answer
    except TimeoutError:
        raise BotFailed(f"The bot '{name}' thought for more than {seconds:g} seconds.") from None


def where_it_failed(error: BotFailed) -> str:
    """The last line of the bot's own file, for its author; nothing if the bot raised no error."""
    frames = traceback.extract_tb(error.__cause__.__traceback__) if error.__cause__ else []
    if len(frames) < 2:
        return ""
    own = [frame for frame in frames if frame.filename == frames[1].filename]  # the first frame is ours
    return phrase("remote.where", file=Path(own[-1].filename).name, line=own[-1].lineno) + " "


def _failed(name: str, error: BaseException) -> BotFailed:
    return BotFailed(f"The bot '{name}' raised {error!r}.")
