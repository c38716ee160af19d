"""`deadwood print`: the game on paper."""

from pathlib import Path

import click

from ..engine.board import Board, built_in_board
from ..engine.deck import Deck, built_in_deck
from ..engine.options import PLAYERS
from ..extras import needs
from ..kit import checklist
from ..narration import languages
from .arguments import BOARD, DECK, own_files, plain_errors


@click.command("print")
@DECK
@BOARD
@click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True)
@click.option("--ink", type=click.Choice(["full", "saving"]), default="full", show_default=True)
@click.option(
    "--sides",
    type=click.Choice(["two", "one"]),
    default="two",
    show_default=True,
    help="Two: your printer flips the paper on its long edge.",
)
@click.option("--players", type=click.IntRange(PLAYERS[0], PLAYERS[-1]), help="How many play; by default the most.")
@click.option("--language", type=click.Choice(languages()), default="en", show_default=True)
@click.option("--pdf", type=click.Path(dir_okay=False, writable=True, path_type=Path), help="Write this file and end.")
@click.option("--checklist", "only_checklist", is_flag=True, help="Print the host's checklist here, and nothing else.")
@plain_errors
def print_kit(
    deck: str,
    board: Path | None,
    paper: str,
    ink: str,
    sides: str,
    players: int | None,
    language: str,
    pdf: Path | None,
    only_checklist: bool,
) -> None:
    """Print the board, cards and pieces to play at a real table.

    Opens the page in your browser, where you can choose and print; with --pdf it writes a file instead.
    """
    own = own_files(deck, board)
    cards, places = own.deck or built_in_deck(own.option), own.board or built_in_board()
    if only_checklist:
        click.echo(checklist(cards, places, language, players), nl=False)
        return
    wanted = {"paper": paper, "ink": ink, "sides": sides, "language": language}
    _print(cards, places, wanted | ({"players": str(players)} if players else {}), pdf)


def _print(deck: Deck, board: Board, wanted: dict[str, str], pdf: Path | None) -> None:
    with needs("Printing", "server"):
        from ..server.printing import run  # noqa: PLC0415 - it takes long to import, and nothing else needs it

    run(click.echo, deck=deck, board=board, wanted=wanted, pdf=pdf)
