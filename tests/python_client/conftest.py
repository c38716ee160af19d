import pytest

from ..server.people import quietly_serving


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """A server for all tests that look only at tables they made."""
    with quietly_serving(tmp_path_factory.mktemp("server")) as running:
        yield running
