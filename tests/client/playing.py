"""Playing in a page as a person would: look at what is offered, and click something."""

import secrets
import time
from contextlib import contextmanager

from playwright.sync_api import Page, expect

from ..server.people import PATIENCE, bots_alone

CHOICES = ".actions button[data-action]:not([aria-disabled=true]):not([data-action=undo]):not([data-action=hint])"
OVER = ".ranking"
PREFERENCES = ("take star", "take", "upgrade", "act", "rehearse")

# all that is offered, but no acting against the odds where one can rehearse: games would be long
OFFERED = """() => {
  const actions = [...document.querySelectorAll(CHOICES)].map((button) => button.dataset.action);
  const odds = parseInt(document.querySelector(".actions [data-action=act] strong")?.innerText ?? "100");
  return odds < 60 && actions.includes("rehearse") ? actions.filter((action) => action !== "act") : actions;
}""".replace("CHOICES", repr(CHOICES))
PLAY_ON = """async (preferences) => {
  const choices = OFFERED;
  const best = (actions, turn) => {
    for (const wanted of preferences) {
      const found = actions.filter((action) => action.startsWith(wanted));
      if (found.length) return found.at(-1);
    }
    const moves = actions.filter((action) => action.startsWith("move"));
    return moves.length ? moves[((turn * 7919) % 101) % moves.length] : "end";
  };
  const until = async (so) => {
    for (const end = performance.now() + 60000; !so(); await new Promise((go) => setTimeout(go, 5)))
      if (performance.now() > end) throw new Error("nothing happens");
  };
  for (let turn = 0; !document.querySelector(".ranking"); turn++) {
    await until(() => document.querySelector(".ranking") || choices().length);
    const action = best(choices(), turn);
    const seq = document.querySelector(".game").dataset.seq;
    document.querySelector(`.actions [data-action="${action}"]`)?.click();
    await until(() => document.querySelector(".ranking") || document.querySelector(".game").dataset.seq !== seq);
  }
}""".replace("OFFERED", OFFERED)


def make_table(page, name="Ada"):
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Make a table").click()
    return page.locator(".code").inner_text()


def join(page, code, name):
    page.get_by_label("Join by code").fill(code.lower())
    page.get_by_role("button", name="Go there").click()
    page.locator(".lobby").wait_for()
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Sit down").click()
    page.get_by_role("button", name="I am ready").click()


def everybody_is_ready(page):
    """All who sit at this screen, one after the other."""
    for number in range(page.locator(".chairs li").count()):
        chair = page.locator(".chairs li").nth(number)
        chair.get_by_role("button", name="I am ready").click()
        expect(chair).to_contain_text("✓ ready")


def say(server, code, holder=None, **command):
    """Send a command without a page; what the server answers."""
    return server.post(f"/api/tables/{code}/commands", {"id": secrets.token_hex(8), **command}, holder)


def waiting_table(server, *names, bots=(), **options):
    """A table before its game, without a page: its code, and everybody's token."""
    tokens = [secrets.token_hex(32) for _ in names]
    code, _ = server.make(names[0], tokens[0], bots=[{"bot": bot} for bot in bots])
    for name, own in list(zip(names, tokens, strict=True))[1:]:
        say(server, code, type="sit", name=name, token=own)
    if options:
        say(server, code, tokens[0], type="choose", options=options)
    return code, tokens


def running_game(server, *names, bots=(), **options):
    """A game that has begun, without a page: its code, and everybody's token."""
    code, tokens = waiting_table(server, *names, bots=bots, **options)
    people = [chair["id"] for chair in server.get(f"/api/tables/{code}")["chairs"] if not chair["bot"]]
    for chair, token in zip(people, tokens, strict=True):
        say(server, code, token, type="ready", chair=chair, salt=secrets.token_hex(32))
    say(server, code, tokens[0], type="start")
    return code, tokens


def finished_game(server):
    """The code of a table where bots have played a game."""
    code = server.post("/api/tables", bots_alone(2, days=1), status=201)["table"]["code"]
    end = time.monotonic() + PATIENCE
    while server.get(f"/api/tables/{code}")["status"] != "finished":
        assert time.monotonic() < end, "the bots do not come to an end"
        time.sleep(0.05)
    return code


def drop(page, text):
    """Drop a file with this text onto the page."""
    files = page.evaluate_handle(
        """(text) => {
          const held = new DataTransfer();
          held.items.add(new File([text], "game.deadwood"));
          return held;
        }""",
        text,
    )
    for event in ("dragover", "drop"):
        page.dispatch_event("body", event, {"dataTransfer": files})


def choose(actions, turn):
    """A sensible action: work if there is work, else walk about, everywhere: some work needs an upgrade first."""
    for wanted in PREFERENCES:
        if found := [action for action in actions if action.startswith(wanted)]:
            return found[-1]
    moves = [action for action in actions if action.startswith("move")]
    return moves[turn * 7919 % 101 % len(moves)] if moves else "end"


def offered(page: Page):
    return page.evaluate(OFFERED)


@contextmanager
def changing(page: Page):
    """What is done here changes the table."""
    before = page.locator(".game").get_attribute("data-seq")
    yield
    page.wait_for_function("seq => document.querySelector('.game')?.dataset.seq !== seq", arg=before)


def play_on(*pages: Page):
    """To the end, each page by itself."""
    for page in pages:
        page.evaluate(f"(preferences) => void ({PLAY_ON})(preferences)", PREFERENCES)
    for page in pages:
        page.locator(OVER).wait_for(timeout=90_000)


def play(*pages: Page, actions=10_000, until_over=True):
    """Let people play, whoever is up, until the game is over or so many actions are done."""
    if until_over:
        play_on(*pages)
        return
    for turn in range(actions):
        up = wait_for_somebody(pages)
        if up is None:
            return
        actions_now = offered(up)
        if not actions_now:
            continue
        with changing(up):
            up.locator(f'.actions [data-action="{choose(actions_now, turn)}"]').first.click()


def wait_for_somebody(pages):
    for _ in range(2000):
        for page in pages:
            if page.locator(OVER).count():
                return None
            if page.locator(".game.mine").count():
                return page
        pages[0].wait_for_timeout(10)
    raise AssertionError("nobody is up")
