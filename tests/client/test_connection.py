"""A connection that breaks: the page says so, reconnects by itself, misses nothing, and does nothing twice."""

import pytest
from playwright.sync_api import expect

from .playing import CHOICES, MOVES, act, catch_up, changing, running_game

LOST = ("WebSocket", "ERR_CONNECTION", "ERR_EMPTY_RESPONSE", "ERR_SOCKET")
# milliseconds of the page's clock, which runs only when the test says so
RETRY = 10_000  # longer than any pause before another attempt
SILENCE = 30_000  # after which a page pings, or gives up waiting for an answer


@pytest.fixture
def friends(visitors, server, network):
    """Starts a game of Ada, whose connection can break, and Bo; returns their pages and its code."""

    def begin(first):
        code, (hers, his) = running_game(server, "Ada", "Bo", first=first)
        ada = visitors(network.url, path=f"/t/{code}", seats={code: [hers]}, forgiven=LOST, stopped_clock=True)
        bo = visitors(server.url, path=f"/t/{code}", seats={code: [his]})
        (ada if first == "Ada" else bo).locator(CHOICES).first.wait_for()
        catch_up([ada, bo])
        ada.evaluate("window.neverLoadedAnew = true")
        return ada, bo, code

    return begin


def seq_of(page):
    return int(page.locator(".game").get_attribute("data-seq"))


def expect_lost(page):
    expect(page.get_by_text("Reconnecting")).to_be_visible()


def expect_the_same_game(ada, bo, seq):
    expect(ada.get_by_text("Reconnecting")).not_to_be_visible()
    for page in (ada, bo):
        expect(page.locator(".game")).to_have_attribute("data-seq", str(seq))
    expect(ada.locator(".log p")).to_have_text(bo.locator(".log p").all_inner_texts())
    assert ada.evaluate("window.neverLoadedAnew")


def test_a_page_catches_up_on_what_others_did_without_a_reload(friends, network):
    ada, bo, _ = friends(first="Bo")
    before = seq_of(ada)
    network.cut()
    expect_lost(ada)
    act(bo)
    with changing(bo):
        bo.locator(".actions [data-action=end]").click()
    assert seq_of(ada) == before
    network.mend()
    ada.clock.fast_forward(RETRY)
    expect(ada.locator(".game.mine")).to_be_visible()
    expect_the_same_game(ada, bo, seq_of(bo))


def test_a_line_that_falls_silent_is_noticed(friends, network):
    ada, bo, _ = friends(first="Bo")
    network.swallow()
    act(bo)
    ada.clock.fast_forward(SILENCE)
    ada.clock.fast_forward(SILENCE)
    expect_lost(ada)
    network.mend()
    ada.clock.fast_forward(RETRY)
    expect_the_same_game(ada, bo, seq_of(bo))


def test_nothing_is_offered_on_a_line_that_fell_silent_as_the_device_went_offline(friends, network):
    ada, bo, _ = friends(first="Ada")
    expect(ada.locator(".place.allowed").first).to_be_visible()
    ada.evaluate("addEventListener('offline', () => (window.wentOffline = true))")
    network.swallow()
    ada.context.set_offline(True)
    ada.wait_for_function("() => window.wentOffline")
    ada.clock.fast_forward(RETRY)
    expect_lost(ada)
    expect(ada.locator(CHOICES)).to_have_count(0)
    expect(ada.locator(".place.allowed")).to_have_count(0)
    network.mend()
    ada.context.set_offline(False)
    ada.clock.fast_forward(RETRY)
    expect(ada.locator(CHOICES).first).to_be_visible()
    expect_the_same_game(ada, bo, seq_of(bo))


def test_a_move_whose_answer_was_lost_is_done_once(friends, server, network):
    ada, bo, code = friends(first="Ada")
    before = seq_of(ada)
    network.swallow({"answers"})
    ada.locator(MOVES).first.click()
    expect(bo.locator(".game")).to_have_attribute("data-seq", str(before + 1))
    assert seq_of(ada) == before
    network.mend()
    expect_lost(ada)
    ada.clock.fast_forward(RETRY)
    expect_the_same_game(ada, bo, before + 1)
    expect(ada.locator(CHOICES).first).to_be_visible()  # so the answer arrived
    assert server.get(f"/api/tables/{code}")["seq"] == before + 1
    expect(ada.get_by_role("alert")).to_have_count(0)


def test_two_quick_clicks_are_one_move(friends, server):
    ada, bo, code = friends(first="Ada")
    before = seq_of(ada)
    ada.locator(MOVES).first.evaluate("(button) => { button.click(); button.click(); }")
    expect_the_same_game(ada, bo, before + 1)
    expect(ada.locator(CHOICES).first).to_be_visible()
    assert server.get(f"/api/tables/{code}")["seq"] == before + 1
