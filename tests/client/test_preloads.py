"""A page uses everything that its document tells the browser to fetch at once."""

import pytest

from .playing import running_game, waiting_table

REMEMBER_REQUESTS = """
  window.asked = [];
  const ask = window.fetch;
  window.fetch = (what, ...more) => (window.asked.push(new URL(what.url ?? what, location).href), ask(what, ...more));
"""
PRELOADED = "[...document.querySelectorAll('link[rel=preload][as=fetch]')].map((link) => link.href)"
ALL_USED = f"() => {PRELOADED}.every((link) => window.asked.includes(link))"


@pytest.mark.parametrize("page", ["start", "lobby", "game", "shared screen"])
def test_nothing_is_fetched_in_vain(visitors, server, page):
    make = waiting_table if page == "lobby" else running_game
    code, tokens = make(server, "Ada", "Bo")
    path = {"start": "/", "shared screen": f"/t/{code}/screen"}.get(page, f"/t/{code}")
    visit = visitors(server.url, path=path, seats={code: tokens}, scripts=[REMEMBER_REQUESTS])
    assert visit.evaluate(PRELOADED)
    visit.wait_for_function(ALL_USED)
