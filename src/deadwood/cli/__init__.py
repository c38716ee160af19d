"""The `deadwood` command: one thin function per subcommand."""

import sys

import click

from .. import __version__
from ..terminal.settings import load_settings
from ..terminal.wording import language_of_environment
from ..threads import keep_to_one_thread
from .admin import admin
from .arguments import demand_terminal, plain_errors, speak
from .backup import backup, export, restore
from .bot import bot
from .files import board, deck
from .games import games
from .join import host, join
from .lab import arena, report, simulate
from .play import load_app, play
from .print import print_kit
from .program import Program
from .records import replay, rules, verify
from .serve import serve
from .train import train


@click.group(cls=Program, context_settings={"help_option_names": ["-h", "--help"]}, invoke_without_command=True)
@click.version_option(__version__, prog_name="deadwood")
@click.pass_context
@plain_errors
def main(context: click.Context) -> None:
    """Deadwood, the board game of bit actors in a western backlot, for 2 to 8 players."""
    keep_to_one_thread()
    speak(context, load_settings().language or language_of_environment())
    for stream in (sys.stdin, sys.stdout):
        if stream is not None:
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    if context.invoked_subcommand is None:
        start_app = load_app()
        demand_terminal()
        start_app()


for command in (
    play,
    join,
    host,
    bot,
    games,
    serve,
    backup,
    restore,
    export,
    admin,
    print_kit,
    replay,
    verify,
    rules,
    deck,
    board,
    simulate,
    arena,
    report,
    train,
):
    main.add_command(command)
