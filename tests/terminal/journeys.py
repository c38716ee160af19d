"""Driving the app by keyboard and mouse, as the tests do."""

import asyncio
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from textual.events import Key

from deadwood import Options
from deadwood.terminal.app import DeadwoodApp
from deadwood.terminal.session import Session
from deadwood.terminal.widgets import ActionList

from ..server.people import PATIENCE

GOLDEN = Path(__file__).parents[1] / "engine" / "golden"
SMALL, LARGE = (80, 24), (120, 40)


def drive(script, session=None, replay=None, size=SMALL):
    """Run a script of key presses and clicks against a real app."""

    async def run():
        app = DeadwoodApp(session, replay, pace=0)
        async with app.run_test(size=size) as pilot:
            await settle(pilot)
            await script(pilot)

    with patient_pilot():
        asyncio.run(run())


FRAMES = 0.06  # seconds; a timer that is due later is no redraw or animation


async def until_idle(*_seconds):
    """Wait until the event loop has nothing to do: no callback is ready, and no redraw or animation is due."""
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(PATIENCE):
        while True:
            await asyncio.sleep(0)
            if loop._ready:
                continue
            soon = [timer.when() for timer in loop._scheduled if not timer.cancelled()]
            soon = [when for when in soon if when < loop.time() + FRAMES]
            if not soon:
                return
            await asyncio.sleep(max(soon) - loop.time())


@contextmanager
def patient_pilot():
    """Let Textual's pilot wait for the event loop. By default it takes a process without processor time for idle."""
    with patch("textual.app.wait_for_idle", until_idle), patch("textual.pilot.wait_for_idle", until_idle):
        yield


async def settle(pilot):
    """Wait until the table has nothing more to do by itself."""
    await pilot.pause()


async def press(pilot, *keys):
    for key in keys:
        await pilot.press(key)
        await settle(pilot)


async def press_at_once(pilot, *keys):
    """Press keys faster than the app can follow."""
    for key in keys:
        pilot.app._driver.send_message(Key(key, key if len(key) == 1 else None))
    await settle(pilot)


def new_session(home, seed=7, **options):
    options = {"first": "Ada", "days": 1, **options}
    return Session.new(["Ada", "Bo"], Options(**options), seed=seed, file=home / "game.deadwood")


def golden_session(home, record, actions):
    """A session in the middle of a golden record."""
    (path,) = GOLDEN.glob(f"{record}-*")
    header, _, body = path.read_text("utf-8").partition("\n\n")
    text = "\n".join([header.replace(" bot random", " person"), "", *body.split("\n")[:actions], ""])
    file = home / "golden.deadwood"
    file.write_text(text, "utf-8")
    return Session.resume(file)


def actions_in(pilot):
    return [choice.action for choice in pilot.app.screen.query_one(ActionList)._choices]


async def pick(pilot, action):
    await press(pilot, str((actions_in(pilot).index(action) + 1) % 10))


async def click_action(pilot, action):
    actions = pilot.app.screen.query_one(ActionList)
    row = actions_in(pilot).index(action) - actions.scroll_offset.y
    await pilot.click(ActionList, offset=(6, row + 1))
    await settle(pilot)


def text_of(screen):
    return "\n".join(str(widget.content) for widget in screen.query("Static"))


def notices(pilot):
    return [str(notification.message) for notification in pilot.app._notifications]


async def reached(pilot, condition):
    """Wait for something that happens while the app is busy."""
    async with asyncio.timeout(PATIENCE):
        while not condition():
            if pilot.app._exception is not None:
                raise pilot.app._exception
            await asyncio.sleep(0.01)


async def until(pilot, condition):
    """Wait for something that takes its time, such as a bot's decision in a thread, and for what follows from it."""
    await reached(pilot, condition)
    await settle(pilot)
