"""A new game before it starts: players, colours and options."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from ..engine.board import Board
from ..engine.deck import Deck
from ..engine.game import Game
from ..engine.options import Options
from ..engine.seats import COLOURS, NAME_LENGTH, Seat, name_refusal

PEOPLE = ("Ada", "Bo", "Cy", "Dot", "Eli", "Flo", "Gus", "Hattie")
STAGE_NAMES = (
    *("Annie", "Buck", "Calamity", "Dusty", "Effie", "Frank", "Gertie", "Hank", "Ida", "Jesse", "Kit", "Lottie"),
    *("Mabel", "Ned", "Opal", "Pete", "Quincy", "Randy", "Sal", "Tex", "Ulla", "Virgil", "Wyatt", "Xena", "Yancy"),
    "Zeke",
)


class NewPlayer(Struct, frozen=True):
    """A person, or the bot named `bot` that plays as `name`."""

    name: str
    bot: str | None = None


class NewGame(Struct, frozen=True, kw_only=True):
    """Everything a new game needs; `file` is where to keep it, if not among the user's games."""

    players: tuple[NewPlayer, ...] = ()
    options: Options = Options()
    colours: tuple[str, ...] = ()  # of the first seats; the others get the colours that are left
    deck: Deck | None = None  # a custom one; otherwise the options name it
    board: Board | None = None
    seed: int | None = None
    file: Path | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """All names, in seat order."""
        return tuple(player.name for player in self.players)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats, in the chosen colours and then in the usual ones."""
        colours = (*self.colours, *(colour for colour in COLOURS if colour not in self.colours))
        return tuple(Seat(colour, player.bot) for colour, player in zip(colours, self.players, strict=False))

    @property
    def has_people(self) -> bool:
        """Whether a person plays."""
        return any(player.bot is None for player in self.players)

    def preview(self) -> Game:
        """The game that would start, but always with the same random draws; raises SetupError if it cannot start."""
        return Game.new(self.names, self.options, seed=0, board=self.board, deck=self.deck, seats=self.seats)


def suggested_name(taken: Sequence[str], preferred: str | None = None) -> str:
    """A free name for a person; the preferred one, if it is free."""
    names = (preferred, *PEOPLE) if preferred else PEOPLE
    return next(name for name in names if name_refusal(name, taken) is None)


def new_bot(bot: str, taken: Sequence[str]) -> NewPlayer:
    """A bot under a name that is still free, as in `Random Randy`."""
    return NewPlayer(next(name for name in _stage_names(bot) if name_refusal(name, taken) is None), bot)


def quick_game(person: str, bot: str, opponents: int) -> NewGame:
    """One person against some bots of a kind, with the usual options."""
    players: tuple[NewPlayer, ...] = (NewPlayer(person),)
    for _ in range(opponents):
        players = (*players, new_bot(bot, [player.name for player in players]))
    return NewGame(players=players)


def _stage_names(bot: str) -> Iterator[str]:
    """Alliterations first; a bot `module:Class` goes by its class."""
    title = bot.rpartition(":")[2].capitalize()[: NAME_LENGTH // 2]
    for name in sorted(STAGE_NAMES, key=lambda name: name[0] != title[:1]):
        yield f"{title} {name}"
    number = 2
    while True:
        yield f"{title} {number}"
        number += 1
