"""`deadwood admin`: looking after the tables of a server."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import TYPE_CHECKING, TypeVar

import click

from ..extras import needs
from ..phrases import counted
from .arguments import plain_errors
from .backup import DATABASE

if TYPE_CHECKING:
    from ..server.administration import Administration
    from ..server.protocol.views import Status
    from ..server.store.administration import TableRow

T = TypeVar("T")
_DAYS = click.FloatRange(0, min_open=True)


@click.group()
def admin() -> None:
    """Look after the tables of a server, which may be running or stopped.

    A running server learns of it within a few seconds.
    """


def _with(database: str | None, work: "Callable[[Administration], Awaitable[T]]", *, reads: bool = False) -> T:
    with needs("The server", "server"):
        from ..server.administration import administering  # noqa: PLC0415 - it takes long to import
        from ..server.store.files import default_database  # noqa: PLC0415

    async def run() -> T:
        async with administering(database or default_database(), reads=reads) as administration:
            return await work(administration)

    return asyncio.run(run())


# --- looking


@admin.command()
@click.option("--status", type=click.Choice(["waiting", "running", "finished"]), help="Only these.")
@click.option("--idle", type=_DAYS, metavar="DAYS", help="Only idle for DAYS or more; these are listed longest first.")
@click.option("--limit", type=click.IntRange(1, 10_000), default=50, show_default=True, help="How many, at most.")
@DATABASE
@plain_errors
def tables(status: "Status | None", idle: float | None, limit: int, database: str | None) -> None:
    """List tables, the newest first."""
    found = _with(database, lambda admin: admin.tables(status, limit, idle), reads=True)
    for row in found:
        click.echo(_table_line(row))
    if not found:
        click.echo("There are no such tables.")


def _table_line(row: "TableRow") -> str:
    from ..server.tables.summaries import decode_table  # noqa: PLC0415

    names = ", ".join(chair.name for chair in decode_table(row.listing.summary).chairs)
    listed = "public" if row.listing.public else "private"
    size = f"{row.entries:,} in log"
    return f"{row.listing.code}  {row.listing.status:<8}  {listed:<7}  {_when(row.last)}  {size:>13}  {names}"


@admin.command()
@click.argument("code")
@DATABASE
@plain_errors
def games(code: str, database: str | None) -> None:
    """List the finished games of a table."""
    found = _with(database, lambda admin: admin.games(code), reads=True)
    from ..server.tables.summaries import decode_game  # noqa: PLC0415

    for row in found:
        game = decode_game(row.summary or "")
        result = "; ".join(f"{one.name} {one.score}" for one in game.standings) or "called off"
        click.echo(f"{row.number:>4}  {_when(game.finished)}  {counted(game.actions, 'action'):>14}  {result}")
    if not found:
        click.echo("This table has no finished games.")


@admin.command()
@DATABASE
@plain_errors
def storage(database: str | None) -> None:
    """Show what fills the database."""
    used = _with(database, lambda admin: admin.usage(), reads=True)
    if used.bytes is not None:
        click.echo(f"The file has {used.bytes / 1e6:,.1f} MB.")
    for status, count in sorted(used.storage.by_status.items()):
        click.echo(f"{count:>10,}  tables that are {status}")
    for name, count in used.storage.rows.items():
        click.echo(f"{count:>10,}  rows in {name}")
    for code, count in used.storage.longest:
        click.echo(f"{count:>10,}  entries of table {code}")


# --- tables


@admin.command()
@click.argument("code")
@DATABASE
@plain_errors
def end(code: str, database: str | None) -> None:
    """Call off the game that is running at a table."""
    _with(database, lambda admin: admin.end(code))
    click.echo("The game is over, without a winner. Its record is kept.")


@admin.command()
@click.argument("codes", nargs=-1, required=True)
@click.option("--yes", is_flag=True, help="Do not ask.")
@DATABASE
@plain_errors
def delete(codes: tuple[str, ...], yes: bool, database: str | None) -> None:
    """Delete tables with all their games, for good."""
    if not yes:
        click.confirm(f"Delete {counted(len(codes), 'table')} with all games, for good?", abort=True)

    async def work(admin: "Administration") -> None:
        for code in codes:
            await admin.delete(code)
            click.echo(f"{code} is gone.")

    _with(database, work)


@admin.command()
@click.option("--unstarted", type=_DAYS, metavar="DAYS", help="Delete tables whose game never began.")
@click.option("--finished", type=_DAYS, metavar="DAYS", help="Delete tables whose game is over.")
@DATABASE
@plain_errors
def clean(unstarted: float | None, finished: float | None, database: str | None) -> None:
    """Delete tables idle for DAYS or more. Running games are never deleted."""
    if unstarted is None and finished is None:
        raise click.UsageError("Say what: --unstarted DAYS, --finished DAYS, or both.")
    gone = _with(database, lambda admin: admin.clean(unstarted, finished))
    click.echo(f"{counted(len(gone), 'table')} deleted.")


# --- people


@admin.command()
@click.argument("name")
@click.option("--table", "codes", multiple=True, metavar="CODE", help="At this table; repeatable.")
@click.option("--everywhere", is_flag=True, help="At all tables, whoever has this name there.")
@DATABASE
@plain_errors
def forget(name: str, codes: tuple[str, ...], everywhere: bool, database: str | None) -> None:
    """Replace a person's name in tables, games and records, which stay and still verify."""
    if bool(codes) == everywhere:
        raise click.UsageError("Say where: --table CODE, or --everywhere.")

    async def work(admin: "Administration") -> None:
        for code in codes:
            new = await admin.forget(name, code)
            click.echo(f"At {code}, '{name}' is '{new}' now." if new else f"What '{name}' said at {code} is deleted.")
        if everywhere:
            found = await admin.forget_everywhere(name)
            click.echo(f"'{name}' is forgotten at {counted(len(found), 'table')}. {' '.join(found)}".rstrip())

    _with(database, work)


@admin.command()
@click.argument("address")
@click.option("--reason", default="", help="A note to yourself; nobody else sees it.")
@click.option("--days", type=_DAYS, help="Lift it after this many days.")
@DATABASE
@plain_errors
def ban(address: str, reason: str, days: float | None, database: str | None) -> None:
    """Ban an address, or a network such as 203.0.113.0/24."""
    network = _with(database, lambda admin: admin.ban(address, reason, days))
    click.echo(f"{network} is banned{'' if days is None else f' for {days:g} days'}.")


@admin.command()
@click.argument("address")
@DATABASE
@plain_errors
def unban(address: str, database: str | None) -> None:
    """Lift a ban."""
    click.echo(f"{_with(database, lambda admin: admin.unban(address))} is no longer banned.")


@admin.command()
@DATABASE
@plain_errors
def bans(database: str | None) -> None:
    """List all bans."""
    found = _with(database, lambda admin: admin.bans(), reads=True)
    for one in found:
        until = "for good" if one.until is None else f"until {_when(one.until)}"
        click.echo(f"{one.network:<24}  since {_when(one.since)}  {until}  {one.reason}".rstrip())
    if not found:
        click.echo("Nobody is banned.")


@admin.command("read-only")
@click.argument("switch", type=click.Choice(["on", "off"]))
@DATABASE
@plain_errors
def read_only(switch: str, database: str | None) -> None:
    """Let servers only show tables, or change them again."""
    _with(database, lambda admin: admin.read_only(switch == "on"))
    shown = "Within a few seconds, every server that reaches the database only shows tables."
    click.echo(shown if switch == "on" else "Servers change tables again.")


def _when(moment: float) -> str:
    return datetime.fromtimestamp(moment).strftime("%Y-%m-%d %H:%M")
