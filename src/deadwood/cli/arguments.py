"""What commands share: arguments, and errors as sentences."""

import sys
from collections.abc import Callable
from functools import reduce, wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import click

from .. import bots
from ..engine.chance import SEED_BYTES
from ..engine.options import CHOICES, DAYS
from ..engine.refusal import DeadwoodError, RecordError, shortened
from ..extras import ExtraMissing
from ..narration import narrate
from ..terminal.sentences import clean, error_sentence

P = ParamSpec("P")
Command = TypeVar("Command", bound=Callable[..., Any])
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


class Incomplete(click.ClickException):
    """Packages are missing; the exit code is that of a usage error."""

    exit_code = 2


def plain_errors(command: Callable[P, None]) -> Callable[P, None]:
    """Show errors as a sentence instead of a traceback."""

    @wraps(command)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            command(*args, **kwargs)
        except BrokenPipeError:  # nobody reads the output any more; click exits quietly
            raise
        except (DeadwoodError, OSError) as error:
            kind = Incomplete if isinstance(error, ExtraMissing) else click.ClickException
            raise kind(clean(error_sentence(error))) from error

    return wrapped


FIRST = click.option("--first", default="random", show_default=True, help="The first player's name, or random.")


def table_options(command: Command) -> Command:
    """The options of a table besides the deck and the first player (RULES section 12)."""
    options = (
        click.option(
            "--layout", default="standard", show_default=True, help="standard, second, random, or like GM/CH."
        ),
        click.option("--ties", type=click.Choice(CHOICES["ties"]), default="later", show_default=True),
        click.option("--bonus", type=click.Choice(CHOICES["bonus"]), default="roles", show_default=True),
        click.option(
            "--days",
            type=click.IntRange(DAYS[0], DAYS[-1]),
            help="By default 3, or 4 with four or more players.",
        ),
    )
    return reduce(lambda decorated, option: option(decorated), reversed(options), command)


def read_seed(_context: click.Context, _option: click.Parameter, text: str | None) -> int | None:
    """A whole number that the dice can be seeded with."""
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 80 and int(text).bit_length() <= 8 * SEED_BYTES):
        raise click.BadParameter(f"'{shortened(text)}' is not a whole number from 0 to 2**{8 * SEED_BYTES} - 1.")
    return int(text)


def read_bots(_context: click.Context, _option: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    """Names of bots that exist."""
    for name in names:
        try:
            bots.factory(name)
        except bots.BotUnknown as error:
            raise click.BadParameter(str(error)) from error
    return names


def demand_terminal(instead: str = "deadwood play --plain") -> None:
    """Refuse to start the app without a terminal."""
    if not (sys.stdin and sys.stdin.isatty() and sys.stdout and sys.stdout.isatty()):
        raise click.UsageError(f"The app needs a terminal; for pipes and scripts use: {instead}")


def broken(file: Path, error: RecordError) -> click.ClickException:
    """What is wrong with a record, and where."""
    return click.ClickException(f"{file}: {narrate(error)}")
