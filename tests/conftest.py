import asyncio
import gc
import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from deadwood.threads import keep_to_one_thread

pytest.register_assert_rewrite("tests.rules.positions")  # before any module imports it

settings.register_profile("usual", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("soak", parent=settings.get_profile("usual"), max_examples=2_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "usual"))

# A shell makes background jobs ignore Ctrl-C, and programs under test would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Test processes share what JAX compiles, because that takes long. JAX locks the folder only if its size is limited.
COMPILED = Path(__file__).parents[1] / "build" / "jax"
os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", str(COMPILED))
os.environ.setdefault("JAX_COMPILATION_CACHE_MAX_SIZE", str(2**28))
os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0.3")

os.environ["LC_ALL"] = "C.UTF-8"  # programs speak the language of the environment; most tests read English
for variable in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES"):  # they change what a terminal shows
    os.environ.pop(variable, None)
os.environ["no_proxy"] = os.environ["NO_PROXY"] = "127.0.0.1,localhost"  # tests only talk to this machine

keep_to_one_thread()

# Nothing that pytest collects is garbage before the end. Searching all of it repeatedly took a fifth of the time.
gc.disable()


def pytest_collection_finish():
    gc.freeze()
    gc.enable()


@pytest.fixture
def home(tmp_path, monkeypatch):
    """An empty home directory, which is also the working directory: no test touches real files."""
    for variable in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "HOME"):
        monkeypatch.setenv(variable, str(tmp_path))
    monkeypatch.setenv("PYTHONUTF8", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="session")
def running_browser():
    """One browser for all tests, because it starts slowly, and the event loop that Playwright runs in this thread."""
    from .browser import chromium

    with chromium() as running:
        loop = asyncio.get_running_loop()
        asyncio._set_running_loop(None)
        yield running, loop
        asyncio._set_running_loop(loop)


@pytest.fixture(scope="module")
def browser(running_browser):
    """A real browser. Playwright's event loop would prevent any `asyncio.run`, so it is hidden from other tests."""
    running, loop = running_browser
    asyncio._set_running_loop(loop)
    yield running
    asyncio._set_running_loop(None)
