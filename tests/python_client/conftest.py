import pytest

from ..server.people import serving


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """A server for all tests that look only at tables they made."""
    folder = tmp_path_factory.mktemp("server")
    with serving(f"sqlite:///{folder}/games.sqlite3") as running:
        yield running
        assert "traceback" not in running.log()
