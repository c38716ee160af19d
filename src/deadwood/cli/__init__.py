"""The `deadwood` command: one thin function per subcommand."""

import sys

import click

from .arguments import demand_terminal
from .lab import arena, report, simulate
from .play import play, start_app
from .records import replay, rules, verify
from .serve import serve


@click.group(context_settings={"help_option_names": ["-h", "--help"]}, invoke_without_command=True)
@click.version_option(package_name="deadwood", prog_name="deadwood")
@click.pass_context
def main(context: click.Context) -> None:
    """Deadwood, the board game of bit actors in a western backlot, for 2 to 8 players."""
    for stream in (sys.stdin, sys.stdout):
        if stream is not None:
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    if context.invoked_subcommand is None:
        demand_terminal()
        start_app()


for command in (play, serve, replay, verify, rules, simulate, arena, report):
    main.add_command(command)
