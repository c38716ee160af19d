"""Server processes for tests. Most are forked from one that has imported everything, and so start at once."""

import multiprocessing
import os
import subprocess
import sys
from multiprocessing.reduction import DupFd
from pathlib import Path

import msgspec

from deadwood.server.log_lines import log_to_stderr
from deadwood.server.serving import serve
from deadwood.server.settings import Settings

ROOT = Path(__file__).parents[2]
_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload([f"{__package__}.preload"])


class ForkedServer:
    """A server process, with the parts of `subprocess.Popen` that tests need."""

    def __init__(self, settings, errors, *, mutant=False):
        reading, writing = os.pipe()
        self.stdout = open(reading, encoding="utf-8")  # noqa: SIM115 - closed by whoever started the server
        self._process = _FORKS.Process(
            target=_run_forked, args=(settings, mutant, dict(os.environ), Shared(writing), Shared(errors.fileno()))
        )
        self._process.start()
        os.close(writing)
        self.pid = self._process.pid

    def kill(self):
        self._process.kill()

    def terminate(self):
        self._process.terminate()

    def poll(self):
        return self._process.exitcode

    def wait(self, timeout):
        self._process.join(timeout)
        return self._process.exitcode


class Shared:
    """An open file of this process that a new process gets as well."""

    def __init__(self, descriptor):
        self._descriptor = descriptor

    def __reduce__(self):
        return _detached, (DupFd(self._descriptor),)


def _detached(descriptor):
    return descriptor.detach()


def fresh_server(settings, errors, environment):
    """A server in a new interpreter, which may import other modules."""
    command = [sys.executable, "-m", __name__, msgspec.json.encode(settings).decode()]
    environment = {**os.environ, **environment}
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True, cwd=ROOT, env=environment)


def _run_forked(settings, mutant, environment, out, errors):
    os.chdir(ROOT)
    os.environ.clear()
    os.environ.update(environment)
    os.dup2(out, sys.stdout.fileno())
    os.dup2(errors, sys.stderr.fileno())
    if mutant:
        from .mutant import acknowledge_before_the_commit

        acknowledge_before_the_commit()
    _run(settings)


def _run(settings):
    log_to_stderr(settings.log_requests)
    serve(settings, lambda url: print(url, flush=True))


if __name__ == "__main__":
    _run(msgspec.json.decode(sys.argv[1], type=Settings))
