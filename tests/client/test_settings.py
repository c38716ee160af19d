"""A person's settings: the browser keeps them, and obeys them."""

from playwright.sync_api import expect

from .playing import play_actions, running_game

SPY_ON_NOTICES = """
  window.notices = [];
  window.Notification = class {
    static permission = "default";
    static requestPermission = async () => (Notification.permission = ANSWER);
    constructor(title, more) { notices.push(`${title}: ${more.body}`); }
  };
  Object.defineProperty(document, "hidden", { get: () => true });
"""
SPY_ON_SOUND = """
  window.voices = 0;
  AudioContext.prototype.createOscillator = new Proxy(AudioContext.prototype.createOscillator, {
    apply: (make, context, list) => (voices++, make.apply(context, list)),
  });
"""
# the driver's own calls count as touches, so a test has to set what the browser would say
UNTOUCHED = """
  window.touched = false;
  Object.defineProperty(navigator, "userActivation", { get: () => ({ hasBeenActive: touched }) });
"""


def settings(page):
    page.get_by_role("button", name="Settings").click()
    return page.get_by_role("dialog")


def test_settings_stay(visitors, server):
    page = visitors(server.url)
    settings(page).get_by_label("Speed").select_option("fast")
    page.get_by_label("Theme").select_option("dark")
    page.get_by_label("Sound").check()
    page.get_by_label("Language").select_option("de")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.get_by_role("button", name="Einstellungen").click()
    expect(page.get_by_label("Tempo")).to_have_value("fast")
    expect(page.get_by_label("Ton", exact=True)).to_be_checked()


def test_the_title_and_a_notice_say_that_it_is_my_turn(visitors, server):
    code, tokens = running_game(server, "Ada", "Bo", first="Bo")
    page = visitors(
        server.url, path=f"/t/{code}", seats={code: tokens[:1]}, scripts=[SPY_ON_NOTICES.replace("ANSWER", "'granted'")]
    )
    expect(page).to_have_title("Bo · Deadwood")
    settings(page).get_by_label("Tell me when it is my turn").check()
    page.keyboard.press("Escape")
    play_actions(server, code, (tokens[1], "end"))
    expect(page).to_have_title("★ Your turn! · Deadwood")
    page.wait_for_function("() => notices.length")
    assert page.evaluate("notices") == ["Deadwood: Your turn!"]
    page.reload()
    expect(settings(page).get_by_label("Tell me when it is my turn")).to_be_checked()


def test_people_who_forbid_notices_get_none(visitors, server):
    page = visitors(server.url, scripts=[SPY_ON_NOTICES.replace("ANSWER", "'denied'")])
    box = settings(page).get_by_label("Tell me when it is my turn")
    box.click()
    expect(box).not_to_be_checked()
    assert not page.evaluate("JSON.parse(localStorage.getItem('deadwood settings')).notify")


def test_sound_is_off_until_somebody_wants_it(visitors, server):
    code, tokens = running_game(server, "Ada", "Bo", first="Ada")
    page = visitors(
        server.url, path=f"/t/{code}", seats={code: tokens}, settings={"speed": "fast"}, scripts=[SPY_ON_SOUND]
    )
    page.locator(".actions [data-action^=move]").first.click()
    expect(page.locator(".log")).to_contain_text("turns card")
    assert page.evaluate("voices") == 0
    settings(page).get_by_label("Sound").check()
    page.keyboard.press("Escape")
    page.locator(".game.mine").wait_for()
    page.locator(".actions [data-action=end]").click()
    page.locator(".actions [data-action^=move]").first.click()
    page.wait_for_function("() => voices > 0")


def test_sound_waits_until_somebody_touches_the_page(visitors, server):
    """Browsers forbid sound before that, and sound that starts too early stays silent for good."""
    code, tokens = running_game(server, "Ada", "Bo", first="Ada")
    watching = {"settings": {"speed": "fast", "sound": True}, "scripts": [SPY_ON_SOUND, UNTOUCHED]}
    watcher = visitors(server.url, path=f"/t/{code}", **watching)
    watcher.locator(".game").wait_for()
    ada, bo = tokens
    play_actions(server, code, (ada, "move saloon"))
    expect(watcher.locator(".log")).to_contain_text("turns card")
    assert watcher.evaluate("voices") == 0
    watcher.evaluate("touched = true")
    play_actions(server, code, (ada, "end"), (bo, "move hotel"))
    watcher.wait_for_function("() => voices > 0")


def test_the_language_of_a_printed_page_is_not_kept(visitors, server):
    page = visitors(server.url, path="/print?language=de&parts=measure")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.goto(server.url)
    expect(page.locator("html")).to_have_attribute("lang", "en")


def test_a_language_that_is_chosen_on_the_printed_page_is_kept(visitors, server):
    page = visitors(server.url, path="/print?language=de&parts=measure")
    page.get_by_label("Sprache").select_option("en")
    page.get_by_label("Language").select_option("de")
    page.goto(server.url)
    expect(page.locator("html")).to_have_attribute("lang", "de")
