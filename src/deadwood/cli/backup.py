"""`deadwood backup`, `deadwood restore`, `deadwood export`: what a server stores, in a file."""

import asyncio
from pathlib import Path

import click

from ..extras import needs
from .arguments import FILE, plain_errors

DATABASE = click.option(
    "--database",
    metavar="URL",
    envvar="DEADWOOD_DATABASE",
    help="That of the server: sqlite:///FILE or postgresql://…; by default beside your games.",
)
_NEW_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.argument("file", type=_NEW_FILE)
@DATABASE
@plain_errors
def backup(file: Path, database: str | None) -> None:
    """Copy a server's database into FILE; the server may be running."""
    with needs("The server", "server"):
        from ..server.store.backup import back_up  # noqa: PLC0415 - it takes long to import
        from ..server.store.files import default_database  # noqa: PLC0415

    size = back_up(database or default_database(), file)
    click.echo(f"{file} holds the whole database ({size / 1e6:.1f} MB), and it was checked.")


@click.command()
@click.argument("file", type=FILE)
@DATABASE
@click.option("--replace", is_flag=True, help="Replace a database that exists; it is kept beside the new one.")
@plain_errors
def restore(file: Path, database: str | None, replace: bool) -> None:
    """Put a backup in the place of a server's database; the server must be stopped."""
    with needs("The server", "server"):
        from ..server.store import backup  # noqa: PLC0415
        from ..server.store.files import default_database  # noqa: PLC0415

    url = database or default_database()
    kept = backup.restore(file, url, replace=replace)
    click.echo(f"The server at {url} goes on from this backup.")
    if kept:
        click.echo(f"The previous database is now {kept}.")


@click.command()
@click.argument("file", type=_NEW_FILE)
@DATABASE
@plain_errors
def export(file: Path, database: str | None) -> None:
    """Write the records of all finished games of a server into FILE, a ZIP archive."""
    with needs("The server", "server"):
        from ..server import archive  # noqa: PLC0415
        from ..server.store.files import default_database  # noqa: PLC0415

    done = asyncio.run(archive.export(database or default_database(), file, _complain))
    click.echo(f"{file} holds {done.games} finished games, and every record was verified.")
    if done.failed:
        click.echo(f"Left out, because they do not verify: {len(done.failed)}.")
        raise click.exceptions.Exit(1)


def _complain(line: str) -> None:
    click.echo(line, err=True)
