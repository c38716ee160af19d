import pytest

from .terminals import Terminal


@pytest.fixture(autouse=True)
def _at_home(home):
    """Every test here has its own home directory."""


@pytest.fixture
def terminals():
    """Starts programs, and ends those that a failed test leaves behind; lines can be edited if `term` supports it."""
    started = []

    def start(*words, term="dumb"):
        started.append(Terminal(*words, term=term))
        return started[-1]

    yield start
    for one in started:
        if one.process.poll() is None:
            one.process.kill()
            one.process.wait()
