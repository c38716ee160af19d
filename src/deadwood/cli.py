"""The `deadwood` command: one thin function per subcommand."""

import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec

import click

from .engine.board import load_board
from .engine.deck import BUILT_IN_DECKS, load_deck
from .engine.game import read_record
from .engine.options import CHOICES, DAYS, Options
from .engine.refusal import DeadwoodError, Refused
from .engine.verify import verify as verify_record
from .telling import narrate, rules_text
from .terminal.plain import PlainTable, Stopped

P = ParamSpec("P")
MARKS = {"passed": "ok", "failed": "FAILED", "unknown": "--"}
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


def told(command: Callable[P, None]) -> Callable[P, None]:
    """Tell errors in a sentence instead of a traceback."""

    @wraps(command)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            command(*args, **kwargs)
        except Refused as error:
            raise click.ClickException(narrate(error)) from error
        except DeadwoodError as error:
            raise click.ClickException(str(error)) from error
        except OSError as error:
            raise click.ClickException(f"{error.filename}: {error.strerror}") from error

    return wrapped


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="deadwood", prog_name="deadwood")
def main() -> None:
    """Deadwood, the board game of bit actors in a western backlot, for 2 to 8 players."""
    for stream in (sys.stdin, sys.stdout):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]


@main.command()
@click.argument("names", nargs=-1)
@click.option("--plain", is_flag=True, help="Lines of text at a prompt.")
@click.option("--load", "saved", type=_FILE, help="Go on with a saved game.")
@click.option("--save", "file", type=click.Path(dir_okay=False, path_type=Path), help="Keep the game in this file.")
@click.option("--seed", type=click.IntRange(0, 2**256 - 1), help="Seed of the dice; drawn if you give none.")
@click.option("--deck", type=click.Choice(BUILT_IN_DECKS), default="classic", show_default=True)
@click.option("--layout", default="standard", show_default=True, help="standard, second, random, or as GM/CH.")
@click.option("--first", default="random", show_default=True, help="The first player's name, or random.")
@click.option("--ties", type=click.Choice(CHOICES["ties"]), default="later", show_default=True)
@click.option("--bonus", type=click.Choice(CHOICES["bonus"]), default="roles", show_default=True)
@click.option("--days", type=click.IntRange(DAYS[0], DAYS[-1]), help="How many days; usual: 3, from 4 players on 4.")
@click.option("--dice", type=click.Choice(CHOICES["dice"]), default="fair", show_default=True)
@told
def play(
    names: tuple[str, ...], plain: bool, saved: Path | None, file: Path | None, seed: int | None, **options: Any
) -> None:
    """Play at this keyboard. Give the players' NAMES, or you are asked for them."""
    if not plain:
        raise click.UsageError("So far there is one way to play: deadwood play --plain")
    table = PlainTable(_ask, click.echo)
    try:
        if saved is not None:
            table.go_on(saved)
        elif names:
            table.new_game(Options(**options), names, seed, file)
        else:
            table.menu(Options(**options), names, seed, file)
    except (Stopped, KeyboardInterrupt):
        click.echo("Goodbye.")


@main.command()
@click.argument("file", type=_FILE)
@click.option("--board", "board", type=_FILE, help="The board it was played on, if that was your own.")
@click.option("--deck", "deck", type=_FILE, help="The deck it was played with, if that was your own.")
@told
def verify(file: Path, board: Path | None, deck: Path | None) -> None:
    """Check a recorded game: its actions, its result and its dice."""
    text = read_record(file)
    own_board = load_board(board) if board else None
    checks = verify_record(text, board=own_board, deck=load_deck(deck) if deck else None)
    for check in checks:
        click.echo(f"{MARKS[check.verdict]:>6}  {narrate(check)}")
    if any(check.verdict == "failed" for check in checks):
        raise click.exceptions.Exit(1)


@main.command()
def rules() -> None:
    """Print the rules of the game."""
    click.echo_via_pager(rules_text())


def _ask(prompt: str) -> str:
    click.echo(prompt, nl=False)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.rstrip("\r\n")
