"""`deadwood games`: the games that are saved here."""

from pathlib import Path

import click
import msgspec

from ..extras import needs
from ..terminal.sentences import clean
from ..terminal.wording import phrase
from .arguments import LANGUAGE, plain_errors


@click.command()
@click.argument("words", nargs=-1)
@click.option("--finished/--unfinished", default=None, help="Only games that are over, or only those that are not.")
@click.option("--files", is_flag=True, help="Print only the names of the files, for other commands.")
@click.option("--json", "as_json", is_flag=True, help="Print everything that is known about each game, as JSON.")
@click.option(
    "--export",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Copy the records into this folder; it is made if it is missing.",
)
@LANGUAGE
@plain_errors
def games(words: tuple[str, ...], finished: bool | None, files: bool, as_json: bool, folder: Path | None) -> None:
    """List your saved games, the latest first; with WORDS, only those whose lines have all of them."""
    with needs("Playing in a terminal", "terminal"):
        from ..terminal import game_list  # noqa: PLC0415
        from ..terminal.saved_games import saved_games  # noqa: PLC0415
    listed = [saved for saved in saved_games() if finished is None or (saved.finished is finished)]
    listed = game_list.matching(listed, words)
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(listed, enc_hook=str), indent=2).decode())
    for saved in () if as_json else listed:
        if folder is not None:
            click.echo(phrase("saved.exported", file=game_list.export(saved, folder)))
        elif files:
            click.echo(str(saved.file))
        else:
            about = game_list.details(saved)
            click.echo(clean(game_list.heading(saved)) + (f"\n{'':18}{clean(about)}" if about else ""))
    if not listed:
        click.echo(phrase("saved.no_match" if words or finished is not None else "saved.none"), err=True)
