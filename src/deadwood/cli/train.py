"""`deadwood train`: the training of the bot `champion`.

The command imports the training and JAX itself, because that takes long and playing does not need them.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

import click
from msgspec import Meta, structs

from ..extras import needs
from ..training.config import Settings
from .arguments import FILE, INTERRUPTED, plain_errors

MOST_MINUTES = 60 * 24 * 365
Command = TypeVar("Command", bound=Callable[..., Any])


def _counts(_context: click.Context, _option: click.Parameter, text: str | None) -> tuple[int, ...] | None:
    if text is None:
        return None
    counts = [count.strip() for count in text.split(",")]
    if not all(count.isascii() and count.isdecimal() and len(count) < 4 for count in counts):
        raise click.BadParameter(f"'{text}' is not a list of numbers such as 2,4.")
    return tuple(dict.fromkeys(map(int, counts)))


def _description(annotation: Any) -> str:
    """The description of an annotated type; the outermost one counts."""
    notes = [note.description for note in get_args(annotation)[1:] if isinstance(note, Meta) and note.description]
    return notes[-1] if notes else ""


def _plain(annotation: Any) -> Any:
    while get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    return annotation


def settings_options(command: Command) -> Command:
    """An option for every setting; only those that are given reach the command."""
    hints = get_type_hints(Settings, include_extras=True)
    for field in reversed(structs.fields(Settings)):
        kind, names = _plain(hints[field.name]), f"--{field.name.replace('_', '-')}"
        help = f"{_description(hints[field.name])}  [default: {_shown(field.default)}]"
        if kind is bool:
            option = click.option(f"{names}/--no-{field.name}", default=None, help=help)
        elif kind in (int, float):
            option = click.option(names, type=kind, metavar="NUMBER", help=help)
        else:
            option = click.option(names, callback=_counts, metavar="COUNTS", help=help)
        command = option(command)
    return command


def _shown(default: Any) -> str:
    return ",".join(map(str, default)) if isinstance(default, tuple) else str(default)


@click.command()
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("weights.npz"),
    show_default=True,
    help="Where the best weights go; a checkpoint and the curve go beside them.",
)
@click.option("--resume", type=FILE, help="Go on from this checkpoint, exactly as if the run had not stopped.")
@click.option("--minutes", type=click.FloatRange(0, MOST_MINUTES), help="Stop after this time and leave a checkpoint.")
@click.option("--rival", "rivals", type=FILE, multiple=True, help="Also play against these weights; repeatable.")
@click.option(
    "--star-games",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="After an evaluation, other processes play this many games per table against the bot star; the best net is "
    "then the one that wins most.",
)
@click.option("--processes", type=click.IntRange(1), default=1, show_default=True, help="How many processes.")
@settings_options
@plain_errors
def train(
    *,
    out: Path,
    resume: Path | None,
    minutes: float | None,
    rivals: tuple[Path, ...],
    star_games: int,
    processes: int,
    **settings: Any,
) -> None:
    """Train the net of the bot `champion` by self-play, for all numbers of players and all tables."""
    with needs("The training", "jax"):
        from ..training import run as training  # noqa: PLC0415
    given = {name: value for name, value in settings.items() if value is not None}
    run = training.begin(given, rivals, resume)
    try:
        training.train(run, training.Paths(out), training.RunLimits(minutes, star_games, processes), click.echo)
    except KeyboardInterrupt:
        raise click.exceptions.Exit(INTERRUPTED) from None
