"""Playing in a page as a person would, and preparing a table for a test without a page."""

import asyncio
import itertools
import json
import secrets
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from playwright.sync_api import Page, expect

from ..server.people import bots_alone, person

CHOICES = ".actions button[data-action]:not([aria-disabled=true]):not([data-action=undo]):not([data-action=hint])"
MOVES = ".actions button[data-action^=move]"
DRAWN_LAST = ".board .piece"  # of what is in sight
OVER = ".ranking"
PERSON_UP = ".players li.active:not(:has(.faced))"  # bots have a face, where there is room for it
PREFERENCES = ("take star", "take", "upgrade", "act", "rehearse")
# A browser drops a file only where the page has accepted it when it was dragged there.
ACCEPTS_FILES = """(files) =>
  !document.body.dispatchEvent(
    new DragEvent("dragover", { dataTransfer: files, bubbles: true, cancelable: true }),
  )"""
# How many lines the text of an element takes.
LINES = """(one) => {
  const range = document.createRange();
  range.selectNodeContents(one);
  return range.getClientRects().length;
}"""
LIKELY = 0.6  # somebody who acts against the odds instead of rehearsing plays long games

# --- in a page


def make_table(page, name="Ada"):
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Create table").click()
    return page.locator(".code").inner_text()


def join(page, code, name):
    page.get_by_label("Join by code").fill(code.lower())
    page.get_by_role("button", name="Join", exact=True).click()
    page.locator(".lobby").wait_for()
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Sit down").click()
    page.get_by_role("button", name="I'm ready").click()


def open_options(page):
    """Expand the options of a lobby, which start collapsed to one line."""
    page.locator(".lobby .fold > summary").click()


def add_person(page, name):
    """Seat another person at this screen."""
    page.get_by_text("Add a person at this screen").click()
    page.get_by_label("Another person at this screen").fill(name)
    page.get_by_role("button", name="Sit down").click()


def everybody_is_ready(page, count):
    """Make everybody at this screen ready, one after the other."""
    expect(page.locator(".chairs li")).to_have_count(count)
    for number in range(count):
        chair = page.locator(".chairs li").nth(number)
        chair.get_by_role("button", name="I'm ready").click()
        expect(chair).to_contain_text("✓ ready")


def offered(page: Page):
    """The actions that a page offers, in notation and with their chances, as soon as it offers any."""
    page.locator(CHOICES).first.wait_for()
    return page.locator(CHOICES).evaluate_all(
        """(buttons) => buttons.map((button) => {
          const percent = parseInt(button.querySelector(".odds strong")?.innerText ?? "100");
          return { action: button.dataset.action, chance: percent / 100 };
        })"""
    )


@contextmanager
def changing(page: Page):
    """Wait until what is done in this block has changed the table."""
    before = page.locator(".game").get_attribute("data-seq")
    yield
    page.wait_for_function("seq => document.querySelector('.game')?.dataset.seq !== seq", arg=before)


def act(page: Page, turn=0):
    """Do something sensible by mouse; returns the action."""
    action = choose(offered(page), turn)
    with changing(page):
        page.locator(f'.actions [data-action="{action}"]').first.click()
    return action


def go(page, path):
    """Go to another page of the client as its links do, without a reload."""
    page.evaluate(
        "(path) => { history.pushState(null, '', path); dispatchEvent(new PopStateEvent('popstate')); }", path
    )


def resize(page, width, height):
    """Resize the window, and wait until the page is laid out for it."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def play(*pages: Page, actions):
    """Let people play, each in their own page, until the game is over or that many actions are done."""
    for turn in range(actions):
        up = whose_turn(pages)
        if up is None:
            return
        act(up, turn)


def whose_turn(pages):
    """The page of the person whose turn it is, once bots have played; None when the game is over."""
    catch_up(pages)
    pages[0].locator(f"{OVER}, {PERSON_UP}").first.wait_for()
    if pages[0].locator(OVER).count():
        return None
    name = pages[0].locator(f"{PERSON_UP} .called").inner_text()
    mine = "li:has(em:not([title])) .called"  # "you"
    return next(page for page in pages if name in page.locator(f".players {mine}").all_inner_texts())


def catch_up(pages):
    """Wait until every page has seen what the others have."""
    seq = max(int(page.locator(".game").get_attribute("data-seq")) for page in pages)
    for page in pages:
        page.locator(".game:not(.coming)").wait_for()  # players and choices are drawn
        page.wait_for_function("seq => document.querySelector('.game')?.dataset.seq >= seq", arg=seq)


def drop(page, text):
    """Drop a file with this text onto the page, once the page accepts files."""
    files = page.evaluate_handle(
        """(text) => {
          const held = new DataTransfer();
          held.items.add(new File([text], "game.deadwood"));
          return held;
        }""",
        text,
    )
    page.wait_for_function(ACCEPTS_FILES, arg=files)
    page.dispatch_event("body", "drop", {"dataTransfer": files})


# --- without a page


def tokens_of(page, code):
    """The tokens that a page holds."""
    return json.loads(page.evaluate("(code) => localStorage.getItem(`deadwood seats ${code}`)", code))


def choose(offers, turn):
    """A sensible action: work if there is work, otherwise walk about everywhere, because some work needs an upgrade."""
    actions = [offer["action"] for offer in offers]
    if "rehearse" in actions:
        actions = [one["action"] for one in offers if one["action"] != "act" or (one.get("chance") or 1) >= LIKELY]
    for wanted in PREFERENCES:
        if found := [action for action in actions if action.startswith(wanted)]:
            return found[-1]
    moves = [action for action in actions if action.startswith("move")]
    return moves[turn * 7919 % 101 % len(moves)] if moves else "end"


def say(server, code, holder=None, **command):
    """Send a command; returns the server's answer."""
    return server.post(f"/api/tables/{code}/commands", {"id": secrets.token_hex(8), **command}, holder)


def waiting_table(server, *names, bots=(), house=None, **options):
    """A table before its game: its code, and everybody's token."""
    tokens = [secrets.token_hex(32) for _ in names]
    code, _ = server.make(names[0], tokens[0], bots=[{"bot": bot} for bot in bots])
    for name, own in list(zip(names, tokens, strict=True))[1:]:
        say(server, code, type="sit", name=name, token=own)
    if options:
        say(server, code, tokens[0], type="choose", options=options)
    if house:
        say(server, code, tokens[0], type="set_house", house=house)
    return code, tokens


def running_game(server, *names, bots=(), house=None, **options):
    """A game that has begun: its code, and everybody's token."""
    code, tokens = waiting_table(server, *names, bots=bots, house=house, **options)
    people = [chair["id"] for chair in server.get(f"/api/tables/{code}")["chairs"] if not chair["bot"]]
    for chair, token in zip(people, tokens, strict=True):
        say(server, code, token, type="ready", chair=chair, salt=secrets.token_hex(32))
    say(server, code, tokens[0], type="start")
    return code, tokens


def play_actions(server, code, *actions):
    """Play these actions, each with the token of the active player."""
    for token, action in actions:
        seq = server.get(f"/api/tables/{code}")["seq"] + 1
        say(server, code, token, type="play", seq=seq, action=action)


def finished_game(server):
    """The code of a table where bots have played a game."""
    code = server.post("/api/tables", bots_alone(2, days=1), status=201)["table"]["code"]
    finish(server, code)
    return code


def finish(server, code, *tokens):
    """Play a game to its end for the holders of these tokens, and wait for the others."""
    with ThreadPoolExecutor(1) as pool:  # Playwright has the event loop of this thread
        pool.submit(asyncio.run, _finish(server, code, tokens)).result()


async def _finish(server, code, tokens):
    async with person(server, code, *tokens) as one:
        for turn in itertools.count():
            while one.status == "running" and not one.up:
                await one.hear()
            if one.status != "running":
                return
            await one.act(choose(one.offers, turn))
