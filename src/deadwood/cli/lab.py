"""`deadwood simulate`, `deadwood arena`, `deadwood report`: statistics of many games.

The commands import the lab and its libraries themselves, because that takes long and playing does not need them.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import msgspec

from ..bots import DECISION_LIMIT
from ..bots import names as bot_names
from ..engine.options import PLAYERS, Options
from ..extras import needs
from .arguments import BOARD, DECK, FILE, INTERRUPTED, find_modules, own_files, plain_errors, read_seed, table_options

MOST_GAMES = 100_000_000
_LAB = ("The lab", "lab")


def _read_names(_context: click.Context, _option: click.Parameter, text: str | None) -> tuple[str, ...]:
    names = tuple(name.strip() for name in (text or "").split(",") if name.strip())
    find_modules(names)
    return names


def _read_players(_context: click.Context, _option: click.Parameter, text: str | None) -> tuple[int, ...]:
    counts = [count.strip() for count in (text or "").split(",") if count.strip()]
    for count in counts:
        if not (count.isascii() and count.isdecimal() and len(count) < 4 and int(count) in PLAYERS):
            raise click.BadParameter(f"'{count}' is not a number of players from {PLAYERS[0]} to {PLAYERS[-1]}.")
    return tuple(dict.fromkeys(map(int, counts)))


def _read_run(_context: click.Context, _option: click.Parameter, file: Path | None) -> Path | None:
    if file is not None and file.suffix != ".parquet":
        raise click.BadParameter(f"'{file}' should end in .parquet.")
    return file


_SEED = click.option("--seed", callback=read_seed, metavar="NUMBER", default="0", show_default=True)
_LIMIT = click.option(
    "--limit",
    type=click.IntRange(1),
    default=DECISION_LIMIT,
    show_default=True,
    help="Cut a game off after this many decisions.",
)
_GAMES = click.IntRange(1, MOST_GAMES)
_JOBS = click.option("--jobs", type=click.IntRange(1), help="Number of processes; by default one per core.")
_RAY = click.option("--ray", metavar="ADDRESS", help="Play on this Ray cluster; local starts one on this machine.")
_NEW_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.option("--seats", required=True, callback=_read_names, metavar="BOTS", help="Bots by seat, as in star,extra.")
@click.option("--games", type=_GAMES, default=1000, show_default=True)
@click.option(
    "--out", "file", type=_NEW_FILE, callback=_read_run, help="The .parquet file; by default runs/BOTS.parquet."
)
@_SEED
@click.option("--decisions", is_flag=True, help="Keep every decision as well, in a second file.")
@click.option("--vector", is_flag=True, help="Play on the vector engine: much faster, but only results are kept.")
@_LIMIT
@DECK
@BOARD
@click.option("--first", default="random", show_default=True, help="The first player, as in 'Seat 2', or random.")
@table_options
@_JOBS
@_RAY
@plain_errors
def simulate(
    *,
    seats: tuple[str, ...],
    games: int,
    file: Path | None,
    seed: int,
    decisions: bool,
    vector: bool,
    limit: int,
    deck: str,
    board: Path | None,
    jobs: int | None,
    ray: str | None,
    **options: Any,
) -> None:
    """Play many games between bots and keep a row of each. The same command continues a run that was stopped."""
    with needs(*_LAB):
        from ..lab import commands, playing, tables  # noqa: PLC0415
    if vector and (decisions or ray):
        raise click.UsageError("--vector works without --decisions and --ray: it keeps no decisions and plays here.")
    own = own_files(deck, board)
    plan = playing.Plan(
        seats=seats,
        options=Options(deck=own.option, **options),
        seed=seed,
        limit=limit,
        decisions=decisions,
        vector=vector,
        board=own.board,
        deck=own.deck,
    )
    run, summary = commands.simulate(plan, games, file, commands.WorkerSettings(jobs, ray), _progress)
    click.echo(tables.run_text(summary, run))
    if summary.stopped:
        raise click.exceptions.Exit(INTERRUPTED)


@click.command()
@click.option("--bots", default="all", show_default=True, callback=_read_names, metavar="BOTS", help="Like star,extra.")
@click.option(
    "--games", type=click.IntRange(1, MOST_GAMES), default=2000, show_default=True, help="Games per number of players."
)
@click.option("--players", callback=_read_players, metavar="COUNTS", help="Numbers of players; by default 2,3,4,6,8.")
@click.option("--ladder", is_flag=True, help="Each bot against the one below it; by default with 2,4 players.")
@_SEED
@_LIMIT
@DECK
@BOARD
@table_options
@_JOBS
@_RAY
@click.option("--plain", is_flag=True, help="Only count wins; do not measure luck, which takes longer per game.")
@click.option("--json", "as_json", is_flag=True, help="Results as JSON instead of text.")
@plain_errors
def arena(
    *,
    bots: tuple[str, ...],
    games: int,
    players: tuple[int, ...],
    ladder: bool,
    seed: int,
    limit: int,
    deck: str,
    board: Path | None,
    jobs: int | None,
    ray: str | None,
    plain: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Let bots play each other; every deal of cards and dice is played from all seats."""
    with needs(*_LAB):
        from ..lab import arena as arena_games  # noqa: PLC0415
        from ..lab import commands, tables  # noqa: PLC0415
    names = [name for one in bots for name in (bot_names() if one == "all" else (one,))]
    own = own_files(deck, board)
    contest = arena_games.Contest(Options(deck=own.option, **options), seed, limit, own.board, own.deck, not plain)
    held = commands.Arena(names, games, contest)
    if held.note:
        click.echo(held.note, err=True)
    workers = commands.WorkerSettings(jobs, ray)
    try:
        results = held.ladder(players, workers, _progress) if ladder else held.rankings(players, workers, _progress)
    except KeyboardInterrupt:
        click.echo("Stopped; an arena keeps nothing before its end.", err=True)
        raise click.exceptions.Exit(INTERRUPTED) from None
    click.echo(msgspec.json.format(msgspec.json.encode(results)).decode() if as_json else tables.arena_text(results))


@click.command()
@click.argument("run", type=FILE, callback=_read_run)
@click.option("--out", type=_NEW_FILE, help="The page to write; by default beside the run, ending in .html.")
@plain_errors
def report(run: Path, out: Path | None) -> None:
    """Write a page of plots and tables about a run of `deadwood simulate`."""
    with needs(*_LAB):
        from ..lab.report import write_report  # noqa: PLC0415
    page = write_report(run, out or run.with_suffix(".html"))
    click.echo(f"The report is in {page}; open it with a browser.")


@contextmanager
def _progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar on the error stream, if that is a terminal."""
    with needs(*_LAB):
        from rich.console import Console  # noqa: PLC0415
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as bar:
        task = bar.add_task(what, total=None, rate="")

        def show(done: int, all_games: int) -> None:
            elapsed = bar.tasks[0].elapsed or 0.0
            rate = f"{done / elapsed:,.1f} games a second" if done and elapsed else ""
            bar.update(task, completed=done, total=all_games, rate=rate)

        yield show
