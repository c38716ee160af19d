import pytest

from .terminals import Terminal


@pytest.fixture(autouse=True)
def _at_home(home):
    """Everything here is done by a user of its own."""


@pytest.fixture
def terminals():
    """Starts programs, and ends those that a failed test leaves behind; lines are edited where `term` says how."""
    started = []

    def start(*words, term="dumb"):
        started.append(Terminal(*words, term=term))
        return started[-1]

    yield start
    for one in started:
        if one.process.poll() is None:
            one.process.kill()
            one.process.wait()
