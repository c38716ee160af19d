"""What commands share: arguments, and errors as sentences."""

import os
import sys
from collections.abc import Callable
from functools import reduce, wraps
from pathlib import Path
from typing import Any, NamedTuple, ParamSpec, TypeVar

import click

from .. import bots
from ..engine.board import Board, load_board
from ..engine.chance import SEED_BYTES
from ..engine.deck import BUILT_IN_DECKS, Deck, load_deck
from ..engine.options import CHOICES, DAYS
from ..engine.refusal import DeadwoodError, RecordError, SetupError, shortened
from ..extras import ExtraMissing
from ..narration import languages
from ..terminal.sentences import clean, error_sentence
from ..terminal.settings import load_settings
from ..terminal.wording import in_language, sentence

P = ParamSpec("P")
Command = TypeVar("Command", bound=Callable[..., Any])
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
INTERRUPTED = 130  # the exit code of a program that Ctrl-C ended


class NotUsable(click.ClickException):
    """Packages are missing, or no game can start like this; the exit code is that of a usage error."""

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
            kind = NotUsable if isinstance(error, (ExtraMissing, SetupError)) else click.ClickException
            raise kind(clean(error_sentence(error))) from error

    return wrapped


def speak(context: click.Context, language: str | None) -> None:
    """Use a language until a command is done."""
    if language is not None:
        context.with_resource(in_language(language))


def _read_language(context: click.Context, _option: click.Parameter, language: str | None) -> None:
    speak(context, language)


LANGUAGE = click.option(
    "--language",
    type=click.Choice(languages()),
    callback=_read_language,
    expose_value=False,
    is_eager=True,
    help="The language of the game; by default that of your environment (LANG).",
)


FIRST = click.option("--first", default="random", show_default=True, help="The first player's name, or random.")


DECK = click.option(
    "--deck",
    default="classic",
    show_default=True,
    help="classic (40 scenes), studio (all 60), or the file of your own deck.",
)
BOARD = click.option("--board", type=FILE, help="The file of a custom board.")


class OwnFiles(NamedTuple):
    """The custom deck and board of a game, if any, and what the option `deck` is beside them."""

    deck: Deck | None
    board: Board | None
    option: str


def own_files(deck: str, board: Path | None) -> OwnFiles:
    """What --deck and --board name."""
    own_board = load_board(board) if board else None
    if deck in BUILT_IN_DECKS:
        return OwnFiles(None, own_board, deck)
    if not Path(deck).is_file():
        raise click.BadParameter(f"'{deck}' is not a file, nor {' or '.join(BUILT_IN_DECKS)}.", param_hint="'--deck'")
    return OwnFiles(load_deck(deck), own_board, BUILT_IN_DECKS[0])


def record_files(command: Command) -> Command:
    """A deck and a board for a record, which brings its own unless it is an old one."""
    for name in ("board", "deck"):
        help = f"The {name} it was played with, if it is not in the record; usually it is."
        command = click.option(f"--{name}", type=FILE, help=help)(command)
    return command


def table_options(command: Command) -> Command:
    """The options of a table besides the deck and the first player (RULES section 12)."""
    options = (
        click.option(
            "--layout", default="standard", show_default=True, help="standard, second, random, or like GM/CH."
        ),
        click.option(
            "--ties",
            type=click.Choice(CHOICES["ties"]),
            default="later",
            show_default=True,
            help="Whether of tied players the one later in turn order is ahead, or they share the place.",
        ),
        click.option(
            "--bonus",
            type=click.Choice(CHOICES["bonus"]),
            default="roles",
            show_default=True,
            help="Whether bonus dice go to every starring role, or only to those with an actor.",
        ),
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
    """Names of bots that exist, or classes as `module:Class`."""
    find_modules(names)
    for name in names:
        try:
            bots.allow(name) if ":" in name else bots.factory(name)
        except bots.BotUnknown as error:
            raise click.BadParameter(str(error)) from error
    return names


def complete_bots(_context: click.Context, _option: click.Parameter, typed: str) -> list[str]:
    """For completion in a shell."""
    return [name for name in bots.names() if name.startswith(typed)]


def usual_bots() -> tuple[str, ...]:
    """The bots that the user usually plays against, from the settings."""
    usual = load_settings().bots
    for name in usual:
        bots.factory(name)  # raises BotUnknown
    return usual


def find_modules(names: tuple[str, ...]) -> None:
    """`module:Class` may be a module in the current folder."""
    if any(":" in name for name in names) and os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())


def at_terminal() -> bool:
    """Whether somebody sits at a keyboard and a screen."""
    return bool(sys.stdin and sys.stdin.isatty() and sys.stdout and sys.stdout.isatty())


def can_edit() -> bool:
    """Whether lines can be edited here."""
    return at_terminal() and os.environ.get("TERM") != "dumb"


def demand_terminal(instead: str = "deadwood play --plain") -> None:
    """Refuse to start the app without a terminal."""
    if not at_terminal():
        raise click.UsageError(f"The app needs a terminal; for pipes and scripts use: {instead}")


def broken(file: Path, error: RecordError) -> click.ClickException:
    """What is wrong with a record, and where."""
    return click.ClickException(f"{file}: {sentence(error)}")
