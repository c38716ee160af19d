import pytest


@pytest.fixture(autouse=True)
def ray_stays_on_this_machine(monkeypatch):
    """Otherwise Ray would use more than loopback."""
    monkeypatch.setenv("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
