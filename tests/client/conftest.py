import json

import pytest

from ..server.people import serving
from .network import Network

TELL_OF_VIOLATIONS = """addEventListener("securitypolicyviolation", (event) =>
  console.error(`the policy forbids ${event.violatedDirective}: ${event.blockedURI} ${event.sample}`))"""
PATIENCE = 20_000  # milliseconds after which a test gives up; nothing waits that long when all is well


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(f"sqlite:///{tmp_path_factory.mktemp('server')}/games.sqlite3") as running:
        yield running
        assert "traceback" not in running.log()


@pytest.fixture(scope="module")
def network():
    made = Network()
    yield made
    made.close()


def remember(context, memory):
    """What a browser knows when it comes; it may learn better."""
    for key, value in memory.items():
        name, text = json.dumps(f"deadwood {key}"), json.dumps(json.dumps(value))
        context.add_init_script(f"localStorage.getItem({name}) ?? localStorage.setItem({name}, {text})")


@pytest.fixture
def visitors(browser):
    """People with a browser each. What a console complains of, or a request that leaves the server, fails the test."""
    contexts, complaints = [], []

    def visit(address, *, path="/", forgiven=(), settings=None, seats=None, scripts=(), clock=False, **options):
        contexts.append(browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **options}))
        chosen = {"language": "en", "theme": "light", "speed": "off", **(settings or {})}
        remember(contexts[-1], {"settings": chosen, **{f"seats {code}": own for code, own in (seats or {}).items()}})
        for script in (TELL_OF_VIOLATIONS, *scripts):
            contexts[-1].add_init_script(script)
        page = contexts[-1].new_page()
        page.set_default_timeout(PATIENCE)
        if clock:
            page.clock.install()

        def complain(text):
            if not any(part in text for part in forgiven):
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
