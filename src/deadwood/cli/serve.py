"""`deadwood serve`: tables for people and bots, in browsers anywhere."""

from typing import Any

import click

from ..extras import needs
from .arguments import plain_errors


@click.command()
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="Address to listen on; 0.0.0.0 means all networks."
)
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True)
@click.option(
    "--database",
    metavar="URL",
    envvar="DEADWOOD_DATABASE",
    help="sqlite:///FILE or postgresql://…; by default beside your games. Also $DEADWOOD_DATABASE.",
)
@click.option(
    "--url",
    default="",
    envvar="DEADWOOD_URL",
    help="The public address of the server, as in https://play.example.org. Also $DEADWOOD_URL.",
)
@click.option("--origin", "origins", multiple=True, help="Also allow pages from this address; repeatable.")
@click.option(
    "--proxy",
    "proxies",
    multiple=True,
    metavar="ADDRESS",
    help="A proxy in front on another machine, or its network: its X-Forwarded-For is trusted; repeatable.",
)
@click.option(
    "--bot-pause", type=click.FloatRange(0, 60), default=0.8, show_default=True, help="Seconds before a bot acts."
)
@click.option("--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="Processes for bots.")
@click.option(
    "--processes",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="Processes for people, each with its own for bots; more than one needs PostgreSQL.",
)
@click.option("--no-limits", is_flag=True, help="No rate limits: for load tests and trusted networks.")
@click.option("--no-notices", is_flag=True, help="Send nothing to people whose page is closed.")
@click.option(
    "--notices-to-private", is_flag=True, help="Allow notices to addresses in private networks, and without TLS."
)
@click.option("--contact", default="", help="Your e-mail address or page, for push services that have a question.")
@click.option("--no-talk", is_flag=True, envvar="DEADWOOD_NO_TALK", help="No chat and no reactions at any table.")
@click.option(
    "--keep-unstarted",
    type=click.FloatRange(0),
    metavar="DAYS",
    help="Delete tables that never started a game after this many idle days; 0 means never. "
    "Default: 1 with --url, otherwise 0.",
)
@click.option(
    "--keep-finished",
    type=click.FloatRange(0),
    metavar="DAYS",
    help="The same for tables whose game is over. Default: 90 with --url, otherwise 0.",
)
@click.option(
    "--keep-keys",
    type=click.FloatRange(0),
    metavar="DAYS",
    help="The same for personal keys that nobody uses. Default: 400 with --url, otherwise 0.",
)
@click.option("--log-requests", is_flag=True, help="Write every request to standard error, as a line of JSON.")
@click.option(
    "--metrics-token",
    default="",
    envvar="DEADWOOD_METRICS_TOKEN",
    help="Let other machines read /metrics with this bearer token; otherwise only this one may.",
)
@click.option(
    "--metrics-port",
    type=click.IntRange(1, 65535),
    help="Also answer /metrics, /livez and /readyz on this port, and nothing else; "
    "with several processes, each has its own: this one and those after it.",
)
@click.option("--metrics-host", default="127.0.0.1", show_default=True, help="Address to listen on for --metrics-port.")
@click.option("--open", "open_browser", is_flag=True, help="Open the page in your browser.")
@plain_errors
def serve(**given: Any) -> None:
    """Host tables for people and bots."""
    with needs("The server", "server"):
        from ..server.command import run  # noqa: PLC0415 - it takes long to import, and nothing else needs it

    run(click.echo, **given)
