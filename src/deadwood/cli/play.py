"""`deadwood play`: the game at this keyboard, in the app or as plain lines."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from ..engine.options import CHOICES, PLAYERS, Options
from ..engine.refusal import RecordError, Refusal
from ..engine.seats import COLOURS
from ..extras import needs
from ..terminal.new_game import NewGame, NewPlayer, new_bot
from ..terminal.settings import load_settings
from ..terminal.wording import phrase, sentence
from .arguments import (
    BOARD,
    DECK,
    FILE,
    FIRST,
    LANGUAGE,
    broken,
    can_edit,
    complete_bots,
    demand_terminal,
    own_files,
    plain_errors,
    read_bots,
    read_seed,
    table_options,
    usual_bots,
)

if TYPE_CHECKING:  # they need more than the base install has
    from ..terminal.plain import PlainTable
    from ..terminal.session import Session

_NOT_OF_A_NEW_GAME = frozenset({"plain", "colour", "editing", "sure", "saved", "latest"})


def load_app() -> Callable[..., None]:
    """What starts the app: at its menu, at a session, or at a replay."""
    with needs("The app", "terminal"):
        from ..terminal.app import run  # noqa: PLC0415 - Textual takes its time, and only the app needs it
    return run


def _read_new_file(_context: click.Context, _option: click.Parameter, file: Path | None) -> Path | None:
    if file is not None and file.exists():
        raise click.BadParameter(f"There is a '{file}' already; name a new file, or continue it with --load.")
    return file


@click.command()
@click.argument("names", nargs=-1)
@click.option("--plain", is_flag=True, help="Plain lines at a prompt: for screen readers, pipes and scripts.")
@click.option("--players", metavar="NAMES", help="The people's names, as in Ada,Bo; the same as NAMES.")
@click.option(
    "--bot",
    "bots",
    multiple=True,
    metavar="BOT",
    callback=read_bots,
    shell_complete=complete_bots,
    help="Add a bot: random, extra, hopeful, regular, star or champion, from weak to strong; or module:Class.",
)
@click.option("--colours", metavar="COLOURS", help=f"As in red,blue, in seat order; of {', '.join(COLOURS)}.")
@DECK
@BOARD
@FIRST
@table_options
@click.option(
    "--dice",
    type=click.Choice(CHOICES["dice"]),
    default="fair",
    show_default=True,
    help="fair: the program rolls, and anyone can verify it; table: you roll real dice and type what came up.",
)
@click.option("--seed", callback=read_seed, metavar="NUMBER", help="Seed of the dice; drawn at random by default.")
@click.option(
    "--save",
    "file",
    type=click.Path(dir_okay=False, path_type=Path),
    callback=_read_new_file,
    help="Save the game in this new file instead of among your games.",
)
@click.option("--continue", "latest", is_flag=True, help="Continue your latest unfinished game.")
@click.option("--load", "saved", type=FILE, help="Continue a saved game.")
@LANGUAGE
@click.option("--yes", "sure", is_flag=True, help="Plain: begin without asking, and end after one game; for scripts.")
@click.option(
    "--editing/--no-editing",
    default=True,
    help="Plain, at a terminal: edit lines, repeat them with Up, complete them with Tab; on by default.",
)
@click.option("--colour/--no-colour", help="Players' names in colour; off where NO_COLOR is set.")
@click.pass_context
@plain_errors
def play(context: click.Context, /, plain: bool, latest: bool, saved: Path | None, **new: Any) -> None:
    """Play at this keyboard. Without the people's NAMES you are asked for them."""
    given = _check_flags(context)
    table = {flag: new.pop(flag) for flag in ("colour", "editing", "sure")}
    if plain:
        _play_plain(_plain_table(**table), saved, latest, **new)
        return
    start_app = load_app()
    demand_terminal()
    start_app(_session(given, saved, latest, **new))


def _plain_table(colour: bool, editing: bool, sure: bool) -> "PlainTable":
    with needs("Playing in a terminal", "terminal"):
        from ..terminal.plain import PlainTable  # noqa: PLC0415
    painted = colour and not os.environ.get("NO_COLOR")
    offered: list[str] = []
    ask = _editing_ask(offered) if editing and can_edit() else _ask
    return PlainTable(
        ask, lambda text: click.echo(text, color=painted), offered, colour=painted, sure=sure, name=load_settings().name
    )


def _editing_ask(offered: list[str]) -> Callable[[str], str]:
    with needs("Line editing", "terminal"):
        from ..terminal.editing import EditedPrompt  # noqa: PLC0415
    return EditedPrompt(offered)


def _play_plain(table: "PlainTable", saved: Path | None, latest: bool, **new: Any) -> None:
    from ..terminal.console import Stopped  # noqa: PLC0415

    try:
        if saved or latest:
            _go_on(table, saved or _latest())
        else:
            _begin(table, _new_game(**new))
    except (Stopped, KeyboardInterrupt):
        click.echo(phrase("plain.goodbye"))


def _session(given: list[str], saved: Path | None, latest: bool, **new: Any) -> "Session | None":
    """The game to start the app with; None means its menu."""
    from ..terminal.session import Session  # noqa: PLC0415

    if saved or latest:
        return _resumed(Session, saved or _latest())
    chosen = _new_game(**new)
    if not chosen.players:
        if given:
            raise click.UsageError(f"Give names to start at once with {', '.join(given)}, or choose in the menu.")
        return None
    return Session.begin(chosen)


def _resumed(session: "type[Session]", file: Path) -> "Session":
    try:
        return session.resume(file)
    except RecordError as error:
        raise broken(file, error) from error


def _check_flags(context: click.Context) -> list[str]:
    """Refuse flags that contradict each other; return those for a new game."""
    given = {
        option.name: option.opts[0] if isinstance(option, click.Option) else "names"
        for option in context.command.params
        if context.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE
    }
    if {"saved", "latest"} <= given.keys():
        raise click.UsageError("Give --load or --continue, not both.")
    if {"names", "players"} <= given.keys():
        raise click.UsageError("Give the names directly or with --players, not both.")
    surplus = [flag for name, flag in given.items() if name not in _NOT_OF_A_NEW_GAME]
    if all(":" in bot for bot in context.params["bots"]) and {"saved", "latest"} & given.keys():
        surplus = [flag for flag in surplus if flag != "--bot"]  # it only allows a bot that the saved game has
    for name in ("saved", "latest"):
        if name in given and surplus:
            raise click.UsageError(f"{given[name]} continues a game as it is; leave out {', '.join(surplus)}.")
    return surplus


def _new_game(
    *,
    names: tuple[str, ...],
    players: str | None,
    bots: tuple[str, ...],
    colours: str | None,
    deck: str,
    board: Path | None,
    seed: int | None,
    file: Path | None,
    **options: Any,
) -> NewGame:
    people = names if players is None else tuple(players.split(","))
    bots = bots or (usual_bots() if len(people) == 1 else ())
    seated = tuple(map(NewPlayer, people))
    for bot in bots:
        seated = (*seated, new_bot(bot, [player.name for player in seated]))
    wanted = tuple(colour.strip().casefold() for colour in colours.split(",")) if colours else ()
    if len(seated) == 1 and not bots:
        values = {"count": 1, "least": PLAYERS[0], "most": PLAYERS[-1]}
        raise click.UsageError(f"{sentence(Refusal('R2.1', 'player_count', values))} {phrase('set_up.add_a_bot')}")
    own = own_files(deck, board)
    return NewGame(
        players=seated,
        options=Options(deck=own.option, **options),
        colours=wanted,
        deck=own.deck,
        board=own.board,
        seed=seed,
        file=file,
    )


def _begin(table: "PlainTable", chosen: NewGame) -> None:
    """Show the menu only if there are neither people nor enough bots to play without them."""
    if chosen.has_people or len(chosen.players) > 1:
        table.new_game(chosen)
    else:
        table.menu(chosen)


def _go_on(table: "PlainTable", file: Path) -> None:
    try:
        table.go_on(file)
    except RecordError as error:
        raise broken(file, error) from error


def _latest() -> Path:
    from ..terminal.saved_games import latest_unfinished  # noqa: PLC0415

    file = latest_unfinished()
    if file is None:
        raise click.ClickException("There is no unfinished game to continue; start one: deadwood play")
    return file


def _ask(prompt: str) -> str:
    click.echo(prompt, nl=False, color=True)
    line = sys.stdin.readline() if sys.stdin is not None else ""
    if not line:
        raise EOFError
    return line.rstrip("\r\n")
