import pytest

from .people import quietly_serving
from .postgres import running_postgres


@pytest.fixture(scope="session")
def postgres():
    """A real PostgreSQL server."""
    with running_postgres() as server:
        yield server


@pytest.fixture
def postgres_url(postgres, request):
    """A new, empty database."""
    name = f"test_{abs(hash(request.node.nodeid)):x}"
    postgres.psql(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE);')
    postgres.psql(f'CREATE DATABASE "{name}";')
    yield postgres.get_uri(name)
    postgres.psql(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE);')


@pytest.fixture
def sqlite_url(tmp_path):
    return f"sqlite:///{tmp_path / 'games.sqlite3'}"


@pytest.fixture(params=["sqlite", "postgres"])
def database(request):
    """The URL of an empty database, for each kind that we support."""
    return request.getfixturevalue(f"{request.param}_url")


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """A server for all tests that look only at tables they made."""
    with quietly_serving(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture(scope="module")
def table(server):
    return server.make()
