"""A table with real dice and cards: people say what came up, for themselves and for bots."""

from playwright.sync_api import expect

from .playing import changing, running_game

CARD = "The card that was turned"


def say(page, *, card=None):
    """Which card was turned, or that the die shows a one."""
    if card:
        page.get_by_label(CARD).fill(str(card))
    else:
        page.get_by_role("radio", name="1").check(force=True)
    page.get_by_role("button", name="Enter", exact=True).click()


def test_people_say_what_came_up_for_themselves_and_for_a_bot(visitors, server):
    code, tokens = running_game(server, "Ada", bots=["random"], first="Ada", dice="table", days=1)
    page = visitors(server.url, path=f"/t/{code}", seats={code: tokens})
    page.locator(".actions [data-action^=move]").first.click()
    say(page, card=99)
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("There is no card 99")
    with changing(page):
        say(page, card=17)
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator(".log")).to_contain_text("turns card 17")
    asked = page.get_by_role("button", name="Enter what came up for")
    for _ in range(100):
        end = page.locator(".actions [data-action=end]")
        end.or_(asked).first.wait_for()
        if end.count():
            with changing(page):
                end.click()
            continue
        asked.click()
        page.get_by_role("dialog").wait_for()
        if page.get_by_label(CARD).count():
            break
        with changing(page):
            say(page)
    with changing(page):
        say(page, card=18)
    expect(page.locator(".log")).to_contain_text("turns card 18")
    expect(asked).to_have_count(0)
