import os
import sys

import pytest

from deadwood.bots import registry


@pytest.fixture(autouse=True)
def ray_stays_on_this_machine(monkeypatch):
    """Otherwise Ray would use more than loopback."""
    monkeypatch.setenv("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")


@pytest.fixture
def importable(home, monkeypatch):
    """The home directory, to import bots from. They are unloaded afterwards: other tests may use the same names."""
    monkeypatch.syspath_prepend(home)
    yield home
    registry.imported.cache_clear()
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", None)).startswith(f"{home}{os.sep}"):
            del sys.modules[name]
