"""`deadwood replay`, `deadwood verify`, `deadwood rules`: records, and the rules of the game."""

import sys
from pathlib import Path

import click

from ..engine.board import Board, load_board
from ..engine.deck import Deck, load_deck
from ..engine.game import Game, decode_record, read_record
from ..engine.refusal import RecordError
from ..engine.verify import verify as verify_record
from ..terminal.rule_search import found_rules
from ..terminal.transcript import transcript, turns
from ..terminal.wording import phrase, sentence
from .arguments import FILE, LANGUAGE, broken, demand_terminal, plain_errors, record_files
from .play import load_app

MOST_TYPED = 2**24  # bytes; an endless input would fill up memory
MARKS = {"passed": "ok", "failed": "FAILED", "unknown": "--"}
VERDICTS = ("failed", "unknown", "passed")  # the worst first


@click.command()
@click.argument("file", type=FILE)
@click.option("--plain", is_flag=True, help="Print the game as text.")
@click.option("--from", "turn", type=click.IntRange(1), metavar="TURN", help="Start at this turn, counted from 1.")
@click.option("--day", type=click.IntRange(1), metavar="DAY", help="Start at this day.")
@record_files
@LANGUAGE
@plain_errors
def replay(file: Path, plain: bool, turn: int | None, day: int | None, deck: Path | None, board: Path | None) -> None:
    """Watch a recorded game."""
    if turn and day:
        raise click.UsageError("Give --from or --day, not both.")
    try:
        game = Game.load(file, deck=_deck(deck), board=_board(board))
    except RecordError as error:
        raise broken(file, error) from error
    first = _first_turn(game, turn, day)
    if not plain:
        start_app = load_app()
        demand_terminal("deadwood replay --plain")
        start_app(replay=game, place=sum(one.steps for one in turns(game)[: first - 1]))
        return
    for line in transcript(game, first):
        click.echo(line)


def _text(file: Path) -> str:
    if str(file) != "-":
        return read_record(file)
    typed = sys.stdin.buffer.read(MOST_TYPED + 1) if sys.stdin else b""
    if len(typed) > MOST_TYPED:
        raise click.ClickException(f"A record from the standard input may have at most {MOST_TYPED:,} bytes.")
    return decode_record(typed)


def _deck(file: Path | None) -> Deck | None:
    return load_deck(file) if file else None


def _board(file: Path | None) -> Board | None:
    return load_board(file) if file else None


def _first_turn(game: Game, turn: int | None, day: int | None) -> int:
    played = turns(game)
    if day is not None:
        turn = next((one.number for one in played if one.day == day), None)
        if turn is None:
            days = len({one.day for one in played})
            raise click.BadParameter(f"The game has no turn on day {day}; days played: {days}.", param_hint="'--day'")
    if turn is not None and turn > len(played):
        raise click.BadParameter(f"There is no turn {turn}; turns played: {len(played)}.", param_hint="'--from'")
    return turn or 1


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path))
@record_files
@LANGUAGE
@plain_errors
def verify(file: Path, deck: Path | None, board: Path | None) -> None:
    """Check a recorded game: its actions, its result and its dice. `-` reads it from the standard input."""
    try:
        checks = verify_record(_text(file), board=_board(board), deck=_deck(deck))
    except RecordError as error:
        raise broken(file, error) from error
    for check in checks:
        click.echo(f"{MARKS[check.verdict]:>6}  {sentence(check)}")
    verdicts = {check.verdict for check in checks}
    click.echo(phrase(f"verify.{next(verdict for verdict in VERDICTS if verdict in verdicts)}"))
    if "failed" in verdicts:
        raise click.exceptions.Exit(1)


@click.command()
@click.argument("words", nargs=-1)
@LANGUAGE
@plain_errors
def rules(words: tuple[str, ...]) -> None:
    """Print the rules of the game; with WORDS, only the paragraphs that have all of them."""
    click.echo_via_pager(found_rules(words))
