"""Playing in a page as a person would: look at what is offered, and click something."""

from playwright.sync_api import Page

CHOICES = ".actions button[data-action]:not([aria-disabled=true]):not([data-action=undo]):not([data-action=hint])"
OVER = ".ranking"
PREFERENCES = ("take star", "take", "upgrade", "act", "rehearse")


def choose(actions, turn):
    """A sensible action: work if there is work, else walk about."""
    for wanted in PREFERENCES:
        if found := [action for action in actions if action.startswith(wanted)]:
            return found[-1]
    moves = [action for action in actions if action.startswith("move")]
    return moves[turn % len(moves)] if moves else "end"


def offered(page: Page):
    return [button.get_attribute("data-action") for button in page.locator(CHOICES).all()]


def play(*pages: Page, actions=10_000, until_over=True):
    """Let people play, whoever is up, until the game is over or so many actions are done."""
    for turn in range(actions):
        up = wait_for_somebody(pages)
        if up is None:
            return
        before = up.evaluate("document.querySelector('.log')?.childElementCount ?? 0")
        actions_now = offered(up)
        if not actions_now:
            continue
        up.locator(f'.actions [data-action="{choose(actions_now, turn)}"]').first.click()
        up.wait_for_function("n => (document.querySelector('.log')?.childElementCount ?? n + 1) !== n", arg=before)
    assert not until_over, "the game does not end"


def wait_for_somebody(pages):
    for _ in range(2000):
        for page in pages:
            if page.locator(OVER).count():
                return None
            if page.locator(".game.mine").count():
                return page
        pages[0].wait_for_timeout(10)
    raise AssertionError("nobody is up")
