import pytest


@pytest.fixture(autouse=True)
def _at_home(home):
    """Everything here is done by a user of its own."""
