"""The command as a program: it imports a subcommand when it is needed, and reports output errors in a sentence."""

import errno
import os
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

import click


class Commands(Mapping[str, click.Command]):
    """Commands by name, given by their places (`module:function`). Importing all of them would take long."""

    def __init__(self, places: Mapping[str, str]) -> None:
        self._places = places

    def __getitem__(self, name: str) -> click.Command:
        module, _, function = self._places[name].partition(":")
        command: click.Command = getattr(import_module(module), function)
        return command

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


class Program(click.Group):
    """A group that flushes its output itself: Python would flush at exit, and fail with a traceback."""

    def list_commands(self, _context: click.Context) -> list[str]:
        """In our order: what most people want comes first."""
        return list(self.commands)

    def main(self, *args: Any, **kwargs: Any) -> Any:
        try:
            try:
                return super().main(*args, **kwargs)
            finally:
                if sys.stdout is not None:
                    sys.stdout.flush()
        except OSError as error:
            _drop_output()
            reported = isinstance(error.__context__, SystemExit) and error.__context__.code
            if error.errno != errno.EPIPE and not reported:
                click.echo(f"Error: The output cannot be written: {error.strerror}.", err=True)
            sys.exit(1)


def _drop_output() -> None:
    """Let the rest go nowhere, as the documentation of `signal` advises for SIGPIPE."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
