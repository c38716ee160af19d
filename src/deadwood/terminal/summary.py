"""Who plays, and with which options, in words: before a game begins, and in lists of games."""

from collections.abc import Iterable, Iterator, Sequence

from .. import narration
from ..engine.options import Options
from ..engine.seats import Seat
from ..engine.table import Table
from ..narration import BotText, option_label, value_label
from .new_game import NewGame
from .wording import language, phrase

_LISTED = ("layout", "first", "ties", "bonus", "days", "dice")


def player_text(name: str, bot: str | None) -> str:
    """A player's name; for a bot, with its kind."""
    return phrase("views.bot", player=name, bot=bot) if bot else name


def players_text(names: Sequence[str], seats: Sequence[Seat]) -> str:
    """All players, in seat order."""
    return ", ".join(player_text(name, seat.bot) for name, seat in zip(names, seats, strict=True))


def bot_text(bot: str) -> BotText:
    """What people read about a bot."""
    return narration.bot_text(bot, language())


def bot_lines(names: Iterable[str]) -> Iterator[str]:
    """For each bot what to type, its name, and how it plays."""
    for name in names:
        about = bot_text(name)
        yield phrase("plain.bot_explained", bot=name, label=about.label, style=about.style)


def new_game_lines(chosen: NewGame) -> Iterator[str]:
    """Who plays and with which options, before the game begins; raises SetupError if it cannot."""
    options = options_line(chosen)  # first, because it may raise
    yield phrase("views.players", players=players_text(chosen.names, chosen.seats))
    yield options


def options_line(chosen: NewGame) -> str:
    """Every option of a new game, and its board if it is a custom one."""
    table = chosen.preview().state.table
    board = [phrase("views.board", board=table.board.name)] if chosen.board else []
    return f"{'; '.join((*board, *option_texts(chosen.options, table)))}."


def option_texts(options: Options, table: Table) -> Iterator[str]:
    """Every option with its value, as in `Ties: Shared place`."""
    deck = value_label("deck", table.deck.name, language())  # a custom deck has only a name
    yield f"{option_label('deck', language())}: {deck}"
    for option in _LISTED:
        value = table.days if option == "days" else getattr(options, option)
        yield f"{option_label(option, language())}: {value_label(option, value, language())}"
