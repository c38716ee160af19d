"""`deadwood deck`, `deadwood board`: your own decks and boards."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

from ..balance import TRIAL_BOT, Trial, play_trial, trial_days
from ..engine.board import built_in_board, format_board, load_board, parse_board
from ..engine.deck import Deck, built_in_deck, format_deck, load_deck, parse_deck
from ..engine.loading import read_text
from ..engine.refusal import DataError
from ..engine.schema import board_schema, deck_schema
from ..engine.table import most_days
from ..files import replacing
from ..phrases import counted
from ..terminal.sentences import clean
from ..xml_files import Problem, import_board, import_deck, read_xml
from .arguments import FILE, plain_errors, read_bots


def _read_bot(context: click.Context, option: click.Parameter, name: str) -> str:
    return read_bots(context, option, (name,))[0]


@click.group()
def deck() -> None:
    """Check your own deck, compare it with the classic one, import one from XML, or print the format."""


@click.group()
def board() -> None:
    """Check your own board, or print the format."""


@deck.command("check")
@click.argument("file", type=FILE)
@plain_errors
def check_deck(file: Path) -> None:
    """Say whether a deck can be played with, or what is wrong and on which line."""
    own = load_deck(file)
    budgets = Counter(card.budget for card in own.cards)
    roles = sum(len(card.roles) for card in own.cards)
    found = "can be played with" if most_days(own) else "has no mistakes, but too few cards"
    click.echo(f"{clean(own.name)} {found}: {counted(len(own.cards), 'card')}, {counted(roles, 'role')}.")
    click.echo(f"Budgets: {', '.join(f'{count} of ${budget}M' for budget, count in sorted(budgets.items()))}.")
    click.echo(_days(own))
    click.echo(f"Fingerprint: {own.fingerprint}")
    _note_limits(parse_deck, file)


def _days(own: Deck) -> str:
    days = most_days(own)
    if not days:
        needed = built_in_board().scenes_a_day
        return f"It is too small for a game on the usual board, which needs {needed} cards a day."
    return f"It is enough for games of up to {counted(days, 'day')}."


def _note_limits(parse: Callable[[str, str], object], file: Path) -> None:
    """A file that plays here may be too big for a server, or extend a file that the server lacks."""
    try:
        parse(read_text(file), file.name)
    except DataError as error:
        click.echo(clean(f"Servers refuse this file: {error}."))


@deck.command("compare")
@click.argument("file", type=FILE)
@click.option("--games", type=click.IntRange(1, 100_000), default=2000, show_default=True)
@click.option("--bot", callback=_read_bot, default=TRIAL_BOT, show_default=True, help="The bot that plays all seats.")
@plain_errors
def compare_deck(file: Path, games: int, bot: str) -> None:
    """Let four bots play with a deck and with the classic one, and show how the games differ."""
    own = load_deck(file)
    days = trial_days(own)
    trials = [play_trial(one, days, range(games), bot) for one in (own, built_in_deck("classic"))]
    click.echo(f"{counted(games, 'game')} of {counted(days, 'day')} with each deck, all seats played by {bot}.")
    click.echo(f"{'':24}{clean(own.name)[:20]:>20}{'classic':>12}")
    for label, figures in _compared(trials):
        click.echo(f"{label:24}{figures[0]:>20}{figures[1]:>12}")


def _compared(trials: Sequence[Trial]) -> Iterator[tuple[str, list[str]]]:
    players = [trial.games * trial.players for trial in trials]
    yield "Turns per player", [f"{one.turns / all:.0f}" for one, all in zip(trials, players, strict=True)]
    yield "Points per player", [f"{one.points / all:.1f}" for one, all in zip(trials, players, strict=True)]
    yield "The winner's points", [f"{one.winner_points / one.games:.1f}" for one in trials]
    yield "Final rank", [f"{one.ranks / all:.2f}" for one, all in zip(trials, players, strict=True)]
    yield "Acts that succeed", [f"{one.successes / one.acts:.1%}" for one in trials]
    yield "Bonuses per game", [f"${one.bonus / one.games:.1f}" for one in trials]


@board.command("check")
@click.argument("file", type=FILE)
@plain_errors
def check_board(file: Path) -> None:
    """Say whether a board can be played on, or what is wrong and on which line."""
    own = load_board(file)
    shots, extras = (sum(count) for count in zip(*((one.shots, len(one.extras)) for one in own.areas), strict=True))
    click.echo(f"{clean(own.name)} can be played on: {counted(shots, 'shot')}, {counted(extras, 'extra role')}.")
    click.echo(f"Layouts: {', '.join(f'{clean(name)} ({spelled})' for name, spelled in own.layouts.items())}.")
    click.echo(f"Fingerprint: {own.fingerprint}")
    _note_limits(parse_board, file)


@deck.command("schema")
def show_deck_schema() -> None:
    """Print the JSON Schema of a deck's file, for your editor."""
    _show(deck_schema())


@board.command("schema")
def show_board_schema() -> None:
    """Print the JSON Schema of a board's file, for your editor."""
    _show(board_schema())


def _show(schema: dict[str, Any]) -> None:
    click.echo(msgspec.json.format(msgspec.json.encode(schema), indent=2).decode())


@deck.command("import")
@click.argument("cards", type=FILE)
@click.option("--board", "board_file", type=FILE, help="The XML file of the board as well.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True, help="The folder to write to.")
@click.option("--name", help="The name of the deck; by default that of the file.")
@plain_errors
def import_files(cards: Path, board_file: Path | None, out: Path, name: str | None) -> None:
    """Turn the XML files of a university course, CARDS and perhaps a board, into deck.toml and board.toml."""
    own_deck, problems = import_deck(read_xml(cards), name or cards.stem)
    _tell(cards, problems)
    texts = {"deck.toml": format_deck(own_deck) if own_deck else ""}
    if board_file:
        own_board, board_problems = import_board(read_xml(board_file))
        _tell(board_file, board_problems)
        problems = [*problems, *board_problems]
        texts["board.toml"] = format_board(own_board) if own_board else ""
    wrong = sum(not problem.note for problem in problems)
    if wrong:
        raise click.ClickException(f"{counted(wrong, 'problem')}; nothing was written.")
    _write(out, texts)
    if board_file:
        click.echo("The file's pixels belong to another picture: everything is drawn where our board has it.")


def _tell(file: Path, problems: Sequence[Problem]) -> None:
    for problem in problems:
        place = f"{file.name}:{problem.line}" if problem.line else file.name
        click.echo(clean(f"{place}: {'note: ' if problem.note else ''}{problem.text}"), err=True)


def _write(folder: Path, texts: dict[str, str]) -> None:
    for name in texts:
        if (folder / name).exists():
            raise click.ClickException(f"There is a '{folder / name}' already; name another folder with --out.")
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        with replacing(folder / name) as draft:
            draft.write_text(text, encoding="utf-8")
        click.echo(f"{folder / name} is written.")
