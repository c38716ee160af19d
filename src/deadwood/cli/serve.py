"""`deadwood serve`: tables for people and bots, in browsers anywhere."""

from typing import Any

import click

from ..extras import needs
from .arguments import told


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Where to listen; 0.0.0.0 is the whole network.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True)
@click.option("--database", metavar="URL", help="sqlite:///FILE or postgresql://…; a file among your games if none.")
@click.option("--url", default="", help="The address under which people find the server: https://play.example.org")
@click.option("--origin", "origins", multiple=True, help="Pages of this address may use the server too; repeatable.")
@click.option("--bot-pause", type=click.FloatRange(0, 60), default=0.8, show_default=True, help="Before a bot acts.")
@click.option("--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="Processes for the bots.")
@click.option("--no-limits", is_flag=True, help="No limits by seat and address: for load tests and trusted networks.")
@click.option("--open", "open_browser", is_flag=True, help="Open the page in your browser.")
@told
def serve(**given: Any) -> None:
    """Host tables for people and bots."""
    with needs("The server", "server"):
        from ..server.command import run  # noqa: PLC0415 - it takes its time, and nothing else needs it

    run(click.echo, **given)
