"""`deadwood bot`: your own bot at tables on a server."""

import asyncio
import re
from typing import TYPE_CHECKING

import click

from .. import bots
from ..extras import needs
from ..terminal.sentences import clean
from ..terminal.wording import phrase
from .arguments import INTERRUPTED, LANGUAGE, find_modules, plain_errors
from .join import SERVER

if TYPE_CHECKING:  # they need more than the base install has
    from ..terminal.remote_bot import Manners
    from ..terminal.visit import Visit

MOST_TABLES = 64
_ONE_WORD = re.compile(r"[^\W_][\w.-]{0,39}")


@click.command()
@click.argument("bot", metavar="BOT")
@SERVER
@LANGUAGE
@click.option("--table", "tables", multiple=True, metavar="CODE", help="A table's code or link; repeatable.")
@click.option("--host", "hosts", is_flag=True, help="Open a table, and start when everybody there is ready.")
@click.option("--name", help="Its name at the tables; by default that of the bot.")
@click.option("--again", is_flag=True, help="Play again when the others want to, until you stop it.")
@click.option(
    "--pause",
    type=click.FloatRange(0, 60),
    default=1.0,
    show_default=True,
    help="Seconds before it acts while somebody may take an action back.",
)
@click.option(
    "--patience",
    type=click.FloatRange(0, 86_400, min_open=True),
    default=60.0,
    show_default=True,
    help="Seconds that it may think about an action.",
)
@plain_errors
def bot(
    bot: str,
    server: str,
    tables: tuple[str, ...],
    hosts: bool,
    name: str | None,
    again: bool,
    pause: float,
    patience: float,
) -> None:
    """Let a BOT of yours, a name or module:Class, play at tables on a server, at all of them at once.

    It sits down and is ready by itself. Stop it and start it again at any time: it comes back to its seats. The exit
    code is 0 if it played everything to the end, and 1 if something went wrong at any table.
    """
    with needs("Playing at a server's table", "terminal"):
        from ..client import server_address, table_address  # noqa: PLC0415
        from ..terminal.remote_bot import Manners  # noqa: PLC0415
        from ..terminal.visit import Visit  # noqa: PLC0415
    if not tables and not hosts:
        raise click.UsageError("Where should it play? Give --table CODE, or --host to open a table.")
    if len(tables) > MOST_TABLES:
        raise click.UsageError(f"A bot plays at {MOST_TABLES} tables at most; start it again for more.")
    known = _find(bot)
    name = name or known.capitalize()
    addresses = dict.fromkeys(table_address(table, server) for table in tables)
    visits = [Visit(address, name, known) for address in addresses]
    hosted = server_address(server) if hosts else None
    try:
        went_well = asyncio.run(_run(bot, visits, hosted, name, known, Manners(again, pause, patience)))
    except KeyboardInterrupt:
        click.echo(phrase("remote.stopped"))
        raise SystemExit(INTERRUPTED) from None
    click.echo(phrase("remote.done" if went_well else "remote.done_badly"))
    if not went_well:
        raise SystemExit(1)


def _find(bot: str) -> str:
    """Import a bot; the name by which others know it, which is one word."""
    find_modules((bot,))
    try:
        if ":" in bot:
            bots.allow(bot)
        factory = bots.factory(bot)
    except bots.BotUnknown as error:
        raise click.BadParameter(str(error), param_hint="'BOT'") from error
    named = getattr(factory, "name", None)
    if ":" in bot and isinstance(named, str) and _ONE_WORD.fullmatch(named):
        return named
    return bot.rpartition(":")[2].lower().lstrip("_") or "bot"


async def _run(bot: str, visits: "list[Visit]", hosted: str | None, name: str, known: str, manners: "Manners") -> bool:
    """Play everywhere at once; whether all went well."""
    from ..terminal.remote_bot import RemoteBot  # noqa: PLC0415
    from ..terminal.visit import host_table  # noqa: PLC0415

    if hosted is not None:
        visits = [*visits, await host_table(hosted, name, bot=known)]
        _say(f"{visits[-1].address.code}: {phrase('remote.join_at', link=visits[-1].link)}")
    players = [RemoteBot(visit, bots.make(bot), bot, manners, _say) for visit in visits]
    return all(await asyncio.gather(*(player.run() for player in players)))


def _say(sentence: str) -> None:
    click.echo(clean(sentence))
