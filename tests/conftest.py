import os

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("usual", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("soak", parent=settings.get_profile("usual"), max_examples=2_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "usual"))


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A user with an empty home, working in it, so that no test touches a real user's files or the repository."""
    for variable in ("XDG_DATA_HOME", "HOME"):
        monkeypatch.setenv(variable, str(tmp_path))
    monkeypatch.setenv("PYTHONUTF8", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def browser():
    """A real browser for one module: until Playwright stops, its event loop blocks everybody else's `asyncio.run`."""
    from .browser import chromium

    with chromium() as running:
        yield running
