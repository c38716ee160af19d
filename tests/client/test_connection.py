"""A line that breaks: the page says so, comes back by itself with all that happened, and does nothing twice."""

import pytest
from playwright.sync_api import expect

from ..server.people import PATIENCE, serving
from .playing import CHOICES, changing, choose, offered, running_game

LOST = ("WebSocket", "ERR_CONNECTION", "ERR_EMPTY_RESPONSE", "ERR_SOCKET")
TOLD = ".log p"


@pytest.fixture(scope="module")
def server(tmp_path_factory, network):
    database = f"sqlite:///{tmp_path_factory.mktemp('server')}/games.sqlite3"
    with serving(database, origins=frozenset({network.url})) as running:
        network.lead_to(running)
        yield running


@pytest.fixture
def friends(visitors, server, network):
    """Ada, whose line can break, and Bo, whose line is good, at the start of a game; and its code."""
    network.mend()
    code, (hers, his) = running_game(server, "Ada", "Bo")
    ada = visitors(network.url, path=f"/t/{code}", seats={code: [hers]}, forgiven=LOST, clock=True)
    bo = visitors(server.url, path=f"/t/{code}", seats={code: [his]})
    ada.locator(".game").wait_for()
    ada.evaluate("window.neverLoadedAnew = true")
    return ada, bo, code


def turn_of(somebody, other):
    """Let the other one play until it is somebody's turn."""
    for turn in range(50):
        other.locator(".game.mine").or_(other.locator(".wait")).first.wait_for()
        if not other.locator(".game.mine").count():
            break
        act(other, turn)
    expect(somebody.locator(".game.mine")).to_be_visible()


def act(page, turn=0):
    with changing(page):
        page.locator(f'.actions [data-action="{choose(offered(page), turn)}"]').first.click()


def seq_of(page):
    return int(page.locator(".game").get_attribute("data-seq"))


def expect_the_same_game(ada, bo):
    expect(ada.get_by_text("Connection lost")).not_to_be_visible()
    expect(ada.locator(".game")).to_have_attribute("data-seq", bo.locator(".game").get_attribute("data-seq"))
    expect(ada.locator(TOLD).last).to_have_text(bo.locator(TOLD).last.inner_text())
    assert ada.evaluate("window.neverLoadedAnew")


def test_what_others_did_meanwhile_is_caught_up_without_a_reload(friends, network):
    ada, bo, _ = friends
    turn_of(bo, ada)
    network.cut()
    expect(ada.get_by_text("Connection lost")).to_be_visible()
    before = seq_of(bo)
    for turn in range(50):
        if not bo.locator(".game.mine").count():
            break
        act(bo, turn)
    assert seq_of(bo) > before
    assert seq_of(ada) == before
    network.mend()
    expect(ada.locator(".game.mine")).to_be_visible()
    expect_the_same_game(ada, bo)
    assert ada.locator(TOLD).all_inner_texts()[-3:] == bo.locator(TOLD).all_inner_texts()[-3:]


def test_a_line_that_falls_silent_is_noticed(friends, network):
    ada, bo, _ = friends
    turn_of(bo, ada)
    network.swallow()
    act(bo)
    ada.clock.fast_forward(PATIENCE * 1000)
    ada.clock.fast_forward(PATIENCE * 1000)
    expect(ada.get_by_text("Connection lost")).to_be_visible()
    network.mend()
    ada.clock.fast_forward(PATIENCE * 1000)
    expect_the_same_game(ada, bo)


def test_nothing_is_offered_on_a_line_that_fell_silent_as_the_device_went_offline(friends, network):
    ada, bo, _ = friends
    turn_of(ada, bo)
    expect(ada.locator(".place.allowed").first).to_be_visible()
    network.swallow()
    ada.context.set_offline(True)
    ada.clock.fast_forward(5_000)
    expect(ada.get_by_text("Connection lost")).to_be_visible()
    expect(ada.locator(CHOICES)).to_have_count(0)
    expect(ada.locator(".place.allowed")).to_have_count(0)
    network.mend()
    ada.context.set_offline(False)
    expect_the_same_game(ada, bo)
    expect(ada.locator(CHOICES).first).to_be_visible()


def test_a_move_whose_answer_was_lost_is_done_once(friends, server, network):
    ada, bo, code = friends
    turn_of(ada, bo)
    before = seq_of(ada)
    network.swallow({"answers"})
    ada.locator(CHOICES).first.click()
    expect(bo.locator(".game")).to_have_attribute("data-seq", str(before + 1))
    assert seq_of(ada) == before
    network.mend()
    expect_the_same_game(ada, bo)
    assert server.get(f"/api/tables/{code}")["seq"] == before + 1
    expect(ada.get_by_role("alert")).to_have_count(0)


def test_two_quick_clicks_are_one_move(friends, server):
    ada, bo, code = friends
    turn_of(ada, bo)
    before = seq_of(ada)
    ada.locator(CHOICES).first.evaluate("(button) => { button.click(); button.click(); }")
    expect(ada.locator(".game")).to_have_attribute("data-seq", str(before + 1))
    expect_the_same_game(ada, bo)
    assert server.get(f"/api/tables/{code}")["seq"] == before + 1
