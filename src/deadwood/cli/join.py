"""`deadwood join` and `deadwood host`: tables on a server, in the app or as plain lines."""

import asyncio
import os
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

import click

from ..extras import needs
from ..terminal.settings import load_settings
from ..terminal.wording import phrase
from .arguments import LANGUAGE, Command, can_edit, demand_terminal, plain_errors
from .play import load_app

if TYPE_CHECKING:  # they need more than the base install has
    from ..terminal.live_console import Echo, LiveConsole
    from ..terminal.visit import Visit

_PLAIN = click.option("--plain", is_flag=True, help="Plain lines at a prompt: for screen readers, pipes and scripts.")
_EDITING = click.option(
    "--editing/--no-editing",
    default=True,
    help="With --plain, at a terminal: edit lines, repeat them with Up, complete them with Tab; on by default.",
)
_COLOUR = click.option("--colour/--no-colour", help="With --plain: names in colour; off where NO_COLOR is set.")
SERVER = click.option(
    "--server",
    metavar="URL",
    envvar="DEADWOOD_SERVER",
    default="http://127.0.0.1:8000",
    show_default=True,
    help="The server.",
)


def _at_a_table(command: Command) -> Command:
    return SERVER(_PLAIN(_EDITING(_COLOUR(LANGUAGE(command)))))


@click.command()
@click.argument("link_or_code")
@_at_a_table
@click.option("--name", help="Your name at the table; by default you are asked, or come back to your seat.")
@plain_errors
def join(link_or_code: str, server: str, name: str | None, plain: bool, editing: bool, colour: bool) -> None:
    """Sit down at a table on a server, by its link or its code, or come back to your seat there.

    A link that moves a seat to another device hands it over to you.
    """
    with needs("Playing at a server's table", "terminal"):
        from ..client import table_address  # noqa: PLC0415
        from ..terminal.visit import Visit  # noqa: PLC0415
    visit = Visit(table_address(link_or_code, server), name)
    _play(visit, plain, editing, colour)


@click.command()
@click.argument("name", required=False)
@_at_a_table
@click.option("--bot", "bots", multiple=True, metavar="BOT", help="Add a bot of the server; repeatable.")
@plain_errors
def host(name: str | None, server: str, bots: tuple[str, ...], plain: bool, editing: bool, colour: bool) -> None:
    """Open a table on a server as its host, under your NAME or that of your settings."""
    with needs("Playing at a server's table", "terminal"):
        from ..client import server_address  # noqa: PLC0415
        from ..terminal.visit import host_table  # noqa: PLC0415
    name = name or load_settings().name
    if name is None:
        raise click.UsageError("Under what name? Write it behind, as in 'deadwood host Ada'.")
    if not plain:
        demand_terminal("deadwood host --plain")
    _play(asyncio.run(host_table(server_address(server), name, bots)), plain, editing, colour)


def _play(visit: "Visit", plain: bool, editing: bool, colour: bool) -> None:
    if plain:
        edits = editing and can_edit()
        _run(lambda: _play_plain(visit, edits, colour and not os.environ.get("NO_COLOR")))
        return
    start_app = load_app()
    demand_terminal(f"{visit.way_back} --plain")
    start_app(visit=visit)


def _run(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    from ..terminal.console import Stopped  # noqa: PLC0415

    try:
        asyncio.run(work())
    except (Stopped, KeyboardInterrupt):
        click.echo(phrase("plain.goodbye"))


async def _play_plain(visit: "Visit", edits: bool, colour: bool) -> None:
    from ..terminal.plain_served import PlainServedTable  # noqa: PLC0415

    def echo(text: str, newline: bool) -> None:
        click.echo(text, nl=newline, color=colour)

    await PlainServedTable(_console(echo, edits), visit, colour=colour).run()


def _console(echo: "Echo", edits: bool) -> "LiveConsole":
    from ..terminal.live_console import LiveConsole, TypedLines  # noqa: PLC0415

    if not edits:
        return LiveConsole(echo, TypedLines())
    with needs("Line editing", "terminal"):
        from ..terminal.live_editing import EditedConsole  # noqa: PLC0415
    return EditedConsole(echo)
