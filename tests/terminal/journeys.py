"""Driving the app by keyboard and mouse, as the tests do."""

import asyncio
from pathlib import Path

from deadwood import Options
from deadwood.terminal.app import DeadwoodApp
from deadwood.terminal.session import Session
from deadwood.terminal.widgets import ActionList

GOLDEN = Path(__file__).parents[1] / "engine" / "golden"
SMALL, LARGE = (80, 24), (120, 40)


def drive(script, session=None, replay=None, size=SMALL):
    """Run a script of key presses and clicks against a real app."""

    async def run():
        app = DeadwoodApp(session, replay, pace=0)
        async with app.run_test(size=size) as pilot:
            await settle(pilot)
            await script(pilot)

    asyncio.run(run())


async def settle(pilot):
    """Wait until the table has nothing more to do by itself."""
    for _ in range(2):
        await pilot.pause()


async def press(pilot, *keys):
    for key in keys:
        await pilot.press(key)
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


def told(pilot):
    return [str(notification.message) for notification in pilot.app._notifications]


async def until(pilot, condition):
    for _ in range(500):
        if condition():
            return
        await pilot.pause()
    raise AssertionError("that never came about")
