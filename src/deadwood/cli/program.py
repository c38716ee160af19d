"""The command as a program: failures to write output are also reported as a sentence."""

import errno
import os
import sys
from typing import Any

import click


class Program(click.Group):
    """A group that flushes its output itself: Python would flush at exit, and fail with a traceback."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        try:
            try:
                return super().main(*args, **kwargs)
            finally:
                if sys.stdout is not None:
                    sys.stdout.flush()
        except OSError as error:
            _drop_output()
            told = isinstance(error.__context__, SystemExit) and error.__context__.code
            if error.errno != errno.EPIPE and not told:
                click.echo(f"Error: The output cannot be written: {error.strerror}.", err=True)
            sys.exit(1)


def _drop_output() -> None:
    """Let the rest go nowhere, as the documentation of `signal` advises for SIGPIPE."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
