"""The `deadwood` command: one thin function per subcommand."""

import os
import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec

import click
from click.core import ParameterSource

from .bots import names as bot_levels
from .engine.board import load_board
from .engine.chance import SEED_BYTES
from .engine.deck import BUILT_IN_DECKS, load_deck
from .engine.game import Game, read_record
from .engine.options import CHOICES, DAYS, Options
from .engine.refusal import DeadwoodError, RecordError, shortened
from .engine.seats import COLOURS
from .engine.verify import verify as verify_record
from .telling import narrate, rules_text
from .terminal.keeping import latest_unfinished
from .terminal.plain import PlainTable, Stopped, problem
from .terminal.retelling import retold, turns
from .terminal.session import Session
from .terminal.setup import PlayerToBe, Setup, new_bot
from .terminal.views import clean

P = ParamSpec("P")
MARKS = {"passed": "ok", "failed": "FAILED", "unknown": "--"}
VERDICTS = {  # the worst first
    "failed": "This record is NOT right.",
    "unknown": "Nothing is wrong, but what is marked -- could not be checked.",
    "passed": "All of this record is right.",
}
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_NOT_OF_A_NEW_GAME = frozenset({"plain", "colour", "saved", "latest"})


def told(command: Callable[P, None]) -> Callable[P, None]:
    """Tell errors in a sentence instead of a traceback."""

    @wraps(command)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            command(*args, **kwargs)
        except BrokenPipeError:  # nobody reads on; click ends the program quietly
            raise
        except (DeadwoodError, OSError) as error:
            raise click.ClickException(clean(problem(error))) from error

    return wrapped


def start_app(session: Session | None = None, replay: Game | None = None, place: int = 0) -> None:
    """Start the app: at its menu, at a game, or at a replay."""
    from .terminal.app import run  # noqa: PLC0415 - Textual takes its time, and only the app needs it

    run(session, replay, place)


def _demand_terminal(instead: str = "deadwood play --plain") -> None:
    if not (sys.stdin and sys.stdin.isatty() and sys.stdout and sys.stdout.isatty()):
        raise click.UsageError(f"The app needs a terminal; for pipes and scripts there is: {instead}")


@click.group(context_settings={"help_option_names": ["-h", "--help"]}, invoke_without_command=True)
@click.version_option(package_name="deadwood", prog_name="deadwood")
@click.pass_context
def main(context: click.Context) -> None:
    """Deadwood, the board game of bit actors in a western backlot, for 2 to 8 players."""
    for stream in (sys.stdin, sys.stdout):
        if stream is not None:
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    if context.invoked_subcommand is None:
        _demand_terminal()
        start_app()


def _read_seed(_context: click.Context, _option: click.Parameter, text: str | None) -> int | None:
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 80 and int(text).bit_length() <= 8 * SEED_BYTES):
        raise click.BadParameter(f"'{shortened(text)}' is not a whole number from 0 to 2**{8 * SEED_BYTES} - 1.")
    return int(text)


def _read_bots(_context: click.Context, _option: click.Parameter, levels: tuple[str, ...]) -> tuple[str, ...]:
    for level in levels:
        if level not in bot_levels():
            raise click.BadParameter(f"There is no bot called '{level}'; there are: {', '.join(bot_levels())}.")
    return levels


def _read_new_file(_context: click.Context, _option: click.Parameter, file: Path | None) -> Path | None:
    if file is not None and file.exists():
        raise click.BadParameter(f"There is a '{file}' already; name a new file, or go on with it by --load.")
    return file


@main.command()
@click.argument("names", nargs=-1)
@click.option("--plain", is_flag=True, help="Lines of text at a prompt: for screen readers, pipes and scripts.")
@click.option("--players", metavar="NAMES", help="The people's names, as in Ada,Bo; the same as NAMES.")
@click.option("--bot", "bots", multiple=True, metavar="LEVEL", callback=_read_bots, help="A bot plays too; repeatable.")
@click.option("--colours", metavar="COLOURS", help=f"As in red,blue, in seat order; of {', '.join(COLOURS)}.")
@click.option("--deck", type=click.Choice(BUILT_IN_DECKS), default="classic", show_default=True)
@click.option("--layout", default="standard", show_default=True, help="standard, second, random, or as GM/CH.")
@click.option("--first", default="random", show_default=True, help="The first player's name, or random.")
@click.option("--ties", type=click.Choice(CHOICES["ties"]), default="later", show_default=True)
@click.option("--bonus", type=click.Choice(CHOICES["bonus"]), default="roles", show_default=True)
@click.option("--days", type=click.IntRange(DAYS[0], DAYS[-1]), help="How many days; usual: 3, from 4 players on 4.")
@click.option("--dice", type=click.Choice(CHOICES["dice"]), default="fair", show_default=True)
@click.option("--seed", callback=_read_seed, metavar="NUMBER", help="Seed of the dice; drawn if you give none.")
@click.option(
    "--save",
    "file",
    type=click.Path(dir_okay=False, path_type=Path),
    callback=_read_new_file,
    help="Keep the game in this new file instead of among your games.",
)
@click.option("--continue", "latest", is_flag=True, help="Go on with your latest unfinished game.")
@click.option("--load", "saved", type=_FILE, help="Go on with a saved game.")
@click.option("--colour/--no-colour", help="Players' names in colour; off where NO_COLOR is set.")
@click.pass_context
@told
def play(context: click.Context, /, plain: bool, latest: bool, saved: Path | None, colour: bool, **new: Any) -> None:
    """Play at this keyboard. Give the people's NAMES, or you are asked for them."""
    given = _check_flags(context)
    if not plain:
        _demand_terminal()
        start_app(_session(given, saved, latest, **new))
        return
    colour = colour and not os.environ.get("NO_COLOR")
    table = PlainTable(_ask, lambda text: click.echo(text, color=colour), colour=colour)
    try:
        if saved or latest:
            _go_on(table, saved or _latest())
        else:
            _begin(table, _setup(**new))
    except (Stopped, KeyboardInterrupt):
        click.echo("Goodbye.")


def _session(given: list[str], saved: Path | None, latest: bool, **new: Any) -> Session | None:
    """The game to start the app with; None means its menu."""
    if saved or latest:
        return Session.resume(saved or _latest())
    setup = _setup(**new)
    if not setup.players:
        if given:
            raise click.UsageError(f"Give names to start at once with {', '.join(given)}, or choose in the menu.")
        return None
    return Session.new(setup.names, setup.options, seats=setup.seats, seed=setup.seed, file=setup.file)


def _check_flags(context: click.Context) -> list[str]:
    """Refuse what contradicts itself; the flags given for a new game."""
    given = {
        option.name: option.opts[0] if isinstance(option, click.Option) else "names"
        for option in context.command.params
        if context.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE
    }
    if {"saved", "latest"} <= given.keys():
        raise click.UsageError("Give --load or --continue, not both.")
    if {"names", "players"} <= given.keys():
        raise click.UsageError("Give the names alone or by --players, not both.")
    surplus = [flag for name, flag in given.items() if name not in _NOT_OF_A_NEW_GAME]
    for name in ("saved", "latest"):
        if name in given and surplus:
            raise click.UsageError(f"{given[name]} goes on with a game as it is; leave out {', '.join(surplus)}.")
    return surplus


def _setup(
    *,
    names: tuple[str, ...],
    players: str | None,
    bots: tuple[str, ...],
    colours: str | None,
    seed: int | None,
    file: Path | None,
    **options: Any,
) -> Setup:
    people = names if players is None else tuple(players.split(","))
    seated = tuple(map(PlayerToBe, people))
    for level in bots:
        seated = (*seated, new_bot(level, [player.name for player in seated]))
    wanted = tuple(colour.strip().casefold() for colour in colours.split(",")) if colours else ()
    return Setup(players=seated, options=Options(**options), colours=wanted, seed=seed, file=file)


def _begin(table: PlainTable, setup: Setup) -> None:
    """Ask for players only where there are no people and too few bots to play without them."""
    if setup.has_people or len(setup.players) > 1:
        table.new_game(setup)
    else:
        table.menu(setup)


def _go_on(table: PlainTable, file: Path) -> None:
    try:
        table.go_on(file)
    except RecordError as error:
        raise _broken(file, error) from error


def _latest() -> Path:
    file = latest_unfinished()
    if file is None:
        raise click.ClickException("There is no unfinished game to go on with; start one: deadwood play")
    return file


def _broken(file: Path, error: RecordError) -> click.ClickException:
    return click.ClickException(f"{file}: {narrate(error)}")


@main.command()
@click.argument("file", type=_FILE)
@click.option("--plain", is_flag=True, help="Tell the game in lines of text.")
@click.option("--from", "turn", type=click.IntRange(1), metavar="TURN", help="Start with this turn, counted from 1.")
@click.option("--day", type=click.IntRange(1), metavar="DAY", help="Start with this day.")
@told
def replay(file: Path, plain: bool, turn: int | None, day: int | None) -> None:
    """See a recorded game again."""
    if turn and day:
        raise click.UsageError("Give --from or --day, not both.")
    try:
        game = Game.load(file)
    except RecordError as error:
        raise _broken(file, error) from error
    first = _first_turn(game, turn, day)
    if not plain:
        _demand_terminal("deadwood replay --plain")
        start_app(replay=game, place=sum(one.steps for one in turns(game)[: first - 1]))
        return
    for line in retold(game, first):
        click.echo(line)


def _first_turn(game: Game, turn: int | None, day: int | None) -> int:
    played = turns(game)
    if day is not None:
        turn = next((one.number for one in played if one.day == day), None)
        if turn is None:
            days = len({one.day for one in played})
            raise click.BadParameter(f"The game has no turn on day {day}; days played: {days}.", param_hint="'--day'")
    if turn is not None and turn > len(played):
        raise click.BadParameter(f"There is no turn {turn}; turns played: {len(played)}.", param_hint="'--from'")
    return turn or 1


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
    verdicts = {check.verdict for check in checks}
    click.echo(next(text for verdict, text in VERDICTS.items() if verdict in verdicts))
    if "failed" in verdicts:
        raise click.exceptions.Exit(1)


@main.command()
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="Where to listen; 0.0.0.0 is for the whole network."
)
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True)
@click.option("--database", metavar="URL", help="sqlite:///FILE or postgresql://…; a file among your games if none.")
@click.option("--url", default="", help="The address under which people find the server, as https://play.example.org")
@click.option("--origin", "origins", multiple=True, help="Pages of this address may use the server too; repeatable.")
@click.option(
    "--bot-pause", type=click.FloatRange(0, 60), default=0.8, show_default=True, help="Seconds before a bot acts."
)
@click.option(
    "--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="Processes that bots think in."
)
@click.option("--no-limits", is_flag=True, help="No limits by seat and address: for load tests and trusted networks.")
@told
def serve(**given: Any) -> None:
    """Host tables for people and bots, in browsers anywhere."""
    from .server.command import run  # noqa: PLC0415 - the server takes its time to import, and nothing else needs it

    run(click.echo, **given)


@main.command()
def rules() -> None:
    """Print the rules of the game."""
    click.echo_via_pager(rules_text())


def _ask(prompt: str) -> str:
    click.echo(prompt, nl=False, color=True)
    line = sys.stdin.readline() if sys.stdin is not None else ""
    if not line:
        raise EOFError
    return line.rstrip("\r\n")
