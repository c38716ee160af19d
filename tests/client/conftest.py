import json

import pytest
from playwright.sync_api import expect

from ..server.people import PATIENCE, serving
from .network import Network
from .playing import finished_game
from .slow_pages import scripts as slowing_scripts

TELL_OF_VIOLATIONS = """addEventListener("securitypolicyviolation", (event) =>
  console.error(`the policy forbids ${event.violatedDirective}: ${event.blockedURI} ${event.sample}`))"""
MILLISECONDS = 1000 * PATIENCE
WITHOUT_SHELL = "Service Worker registration blocked by Playwright"
UNTRUSTED = "The Cross-Origin-Opener-Policy header has been ignored"  # for a page from another host without TLS
LATE = "was preloaded using link preload but not used within"  # seconds; test_preloads.py does without a clock
expect.set_options(timeout=MILLISECONDS)
USUAL = {"viewport": {"width": 1280, "height": 800}, "service_workers": "block"}
LOCALES = {"en": "en-US", "de": "de-DE"}  # of browsers; most people read the language of their browser


@pytest.fixture(scope="session")
def shared_network():
    with Network() as made:
        yield made


@pytest.fixture(scope="session")
def server(tmp_path_factory, shared_network):
    """One server for all tests: each test uses its own tables, which no other test sees."""
    database = f"sqlite:///{tmp_path_factory.mktemp('server')}/games.sqlite3"
    # Notices go to the tests' own receivers; for a page that was just closed, before a test gives up.
    sending = {"private_notices": True, "notice_delay": 0.0, "notice_seen": PATIENCE / 2}
    with serving(database, origins=frozenset({shared_network.url, shared_network.named}), **sending) as running:
        shared_network.lead_to(running)
        yield running
        assert "traceback" not in running.log()


@pytest.fixture
def network(server, shared_network):
    """A network that leads to the server, and works at first."""
    shared_network.mend()
    return shared_network


@pytest.fixture(scope="session")
def finished(server):
    """The code of a table where bots have played a game."""
    return finished_game(server)


def remember(context, memory):
    """Fill a new browser's storage with these values; it may change them later."""
    for key, value in memory.items():
        name, text = json.dumps(f"deadwood {key}"), json.dumps(json.dumps(value))
        context.add_init_script(f"localStorage.getItem({name}) ?? localStorage.setItem({name}, {text})")


def stop_clock(page):
    """From now on the page's timers run only when the test says so, however long the test takes."""
    page.clock.install(time=0)
    page.clock.pause_at(3600)  # the clock runs until then, and no machine takes an hour to get here


@pytest.fixture
def visitors(browser):
    """People, each with a browser. A console error or warning, or a request to another server, fails the test."""
    contexts, complaints = [], []

    def visit(address, *, path="/", forgiven=(), settings=None, seats=None, scripts=(), stopped_clock=False, **options):
        chosen = {"language": "en", "theme": "light", "speed": "off", **(settings or {})}
        locale = LOCALES[chosen["language"]]
        contexts.append(browser.new_context(**{**USUAL, "locale": locale, **options}))
        remember(contexts[-1], {"settings": chosen, **{f"seats {code}": own for code, own in (seats or {}).items()}})
        for script in (*slowing_scripts(), TELL_OF_VIOLATIONS, *scripts):
            contexts[-1].add_init_script(script)
        page = contexts[-1].new_page()
        page.set_default_timeout(MILLISECONDS)
        if stopped_clock:
            stop_clock(page)

        def complain(text):
            if not any(part in text for part in (*forgiven, WITHOUT_SHELL, UNTRUSTED, LATE)):
                complaints.append(text)

        own = (address, address.replace("http", "ws"), "data:", "blob:")
        page.on("pageerror", lambda error: complain(str(error)))
        page.on("console", lambda message: complain(message.text) if message.type in ("error", "warning") else None)
        page.on("request", lambda sent: None if sent.url.startswith(own) else complain(f"asked for {sent.url}"))
        page.goto(address + path)
        return page

    yield visit
    for context in contexts:
        context.close()
    assert complaints == []
