"""The `deadwood` command: one thin function per subcommand."""

import sys

import click

from .. import __version__
from ..terminal.settings import load_settings
from ..terminal.wording import language_of_environment
from ..threads import keep_to_one_thread
from .arguments import demand_terminal, plain_errors, speak
from .program import Commands, Program

PLACES = {  # where the commands are defined, in the order of the help
    "play": "play:play",
    "join": "join:join",
    "host": "join:host",
    "bot": "bot:bot",
    "games": "games:games",
    "serve": "serve:serve",
    "backup": "backup:backup",
    "restore": "backup:restore",
    "export": "backup:export",
    "admin": "admin:admin",
    "print": "print:print_kit",
    "replay": "records:replay",
    "verify": "records:verify",
    "rules": "records:rules",
    "deck": "files:deck",
    "board": "files:board",
    "simulate": "lab:simulate",
    "arena": "lab:arena",
    "report": "lab:report",
    "train": "train:train",
}


@click.group(
    cls=Program,
    commands=Commands({name: f"{__name__}.{place}" for name, place in PLACES.items()}),
    context_settings={"help_option_names": ["-h", "--help"]},
    invoke_without_command=True,
)
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
        from .play import load_app  # noqa: PLC0415

        start_app = load_app()
        demand_terminal()
        start_app()
