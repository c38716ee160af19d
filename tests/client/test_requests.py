"""No needless requests: one opens a game, and the socket alone brings a table."""

from playwright.sync_api import expect

from .playing import running_game


def requests_of(page, path):
    """The requests that follow whose path begins like this, as method and path."""
    found = []

    def note(request):
        address = request.url.split("/", 3)[3].partition("?")[0]
        if address.startswith(path):
            found.append(f"{request.method} {address}")

    page.on("request", note)
    return found


def test_a_game_of_eight_at_one_screen_is_opened_by_one_request(visitors, server):
    page = visitors(server.url)
    for _ in range(6):
        page.get_by_role("button", name="Add player").click()
    expect(page.get_by_role("button", name="Add player")).to_be_disabled()
    sent = requests_of(page, "api/tables")
    page.get_by_role("button", name="Start", exact=True).click()
    page.locator(".game.mine").wait_for()
    expect(page.locator(".players em", has_text="you")).to_have_count(8)
    assert sent == ["POST api/tables"]


def test_a_game_against_bots_is_opened_by_one_request(visitors, server):
    page = visitors(server.url)
    sent = requests_of(page, "api/tables")
    page.get_by_role("button", name="Play now").click()
    page.locator(".game.mine").wait_for()
    assert [one for one in sent if one != "GET api/tables"] == ["POST api/tables"]  # the start page lists tables, too


def test_a_table_is_asked_for_while_the_scripts_arrive_and_once(visitors, server):
    code, _ = running_game(server, "Ada", "Bo", first="Ada")
    page = visitors(server.url, path="/replay")
    sent = requests_of(page, "api/")
    page.goto(f"{server.url}/t/{code}")
    page.locator(".board .piece").first.wait_for()
    assert sorted(sent) == ["GET api/about", "GET api/board", "GET api/decks/classic", "GET api/floor-plan"]


def test_a_code_in_the_address_may_be_typed_in_any_way(visitors, server):
    code, tokens = running_game(server, "Ada", "Bo", first="Ada")
    typed = f"{code[:4]}-{code[4:]}".lower()
    page = visitors(server.url, path=f"/t/{typed}", seats={code: tokens})
    page.locator(".game.mine").wait_for()
    expect(page).to_have_url(f"{server.url}/t/{code}")


def test_a_table_that_does_not_exist_gets_a_sentence_and_a_way_back(visitors, server):
    page = visitors(server.url, path="/t/K7RM4TXC", viewport={"width": 390, "height": 844})
    expect(page.get_by_role("alert")).to_contain_text("There is no table")
    assert page.locator("main").bounding_box()["x"] > 0  # the sheet has a margin on a phone, too
    page.get_by_role("link", name="Back").click()
    expect(page.get_by_role("button", name="Play now")).to_be_visible()
    assert page.evaluate("localStorage.getItem('deadwood visits')") is None
