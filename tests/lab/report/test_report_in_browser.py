"""The report in a real browser: it draws, fetches nothing, and fits a phone and a desk in light and dark."""

import pytest
from playwright.sync_api import expect

from deadwood.engine.options import Options
from deadwood.lab.report import write_report

from .small_runs import header_of, played, write_run

BOTS = ("extra", "<b>a bot with a very long name</b>", "extra", "random", "hopeful")


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """A report on a run with a bot whose name is long and hostile."""
    folder = tmp_path_factory.mktemp("report")
    rows = played(("extra", "random", "extra", "random", "hopeful"), 12, options=Options(deck="studio", days=2))
    for row in rows:
        row.bots = list(BOTS)
    return write_report(write_run(folder / "run.parquet", rows, header_of(BOTS)), folder / "run.html").as_uri()


@pytest.fixture(scope="module", params=[360, 1280])
def page(request, browser, address):
    """The report on a phone and on a desk. It must log nothing to the console and request nothing but itself."""
    said, asked = [], []
    page = browser.new_page(viewport={"width": request.param, "height": 800}, color_scheme="light")
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(address)
    yield page
    page.close()
    assert said == []
    assert asked == [address]


def colours(page):
    """The colours of the page and of the plots."""
    shown = "[getComputedStyle(document.body).backgroundColor, document.querySelector('.plot .ytick text').style.fill]"
    return page.evaluate(shown)


def fits(page):
    return page.evaluate("document.documentElement.scrollWidth === document.documentElement.clientWidth")


def test_it_draws_every_plot_and_fits(page):
    assert fits(page)
    widths = page.evaluate("[...document.querySelectorAll('.plot')].map(plot => plot.querySelector('svg').clientWidth)")
    assert len(widths) == page.locator("details").count() > 10
    assert all(0 < width < page.viewport_size["width"] for width in widths)


def test_it_follows_the_system_and_then_the_button(page):
    button = page.get_by_role("button", name="Dark")
    light = colours(page)
    page.emulate_media(color_scheme="dark")
    expect(button).to_have_attribute("aria-pressed", "true")
    dark = colours(page)
    assert light[0] != dark[0]
    assert light[1] != dark[1]
    assert fits(page)
    button.click()
    assert (button.get_attribute("aria-pressed"), colours(page)) == ("false", light)


def test_tables_fit_and_have_names(page):
    page.evaluate("for (const table of document.querySelectorAll('details')) table.open = true")
    assert fits(page)
    assert page.get_by_role("table", name="Games won by seat").get_by_role("rowheader").count() == len(BOTS)


def test_plots_have_names_and_texts_are_shown_as_they_are(page):
    assert page.get_by_role("img").first.get_attribute("aria-label").startswith("Plot: Who wins?")
    assert page.locator("main b").count() == 0
    assert "2 <b>a bot with" in page.locator(".plot").first.text_content()
