"""Who plays and how, before a game starts."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from ..engine.game import Game
from ..engine.options import Options
from ..engine.seats import COLOURS, NAME_LENGTH, Seat, name_refusal

PEOPLE = ("Ada", "Bo", "Cy", "Dot", "Eli", "Flo", "Gus", "Hattie")
STAGE_NAMES = (
    *("Annie", "Buck", "Calamity", "Dusty", "Effie", "Frank", "Gertie", "Hank", "Ida", "Jesse", "Kit", "Lottie"),
    *("Mabel", "Ned", "Opal", "Pete", "Quincy", "Randy", "Sal", "Tex", "Ulla", "Virgil", "Wyatt", "Xena", "Yancy"),
    "Zeke",
)


class PlayerToBe(Struct, frozen=True):
    """A name, and the level of the bot that plays; a person does where `bot` is None."""

    name: str
    bot: str | None = None


class Setup(Struct, frozen=True, kw_only=True):
    """All that a new game needs; `file` is where it is kept, if not among the user's games."""

    players: tuple[PlayerToBe, ...] = ()
    options: Options = Options()
    colours: tuple[str, ...] = ()  # of the first seats; the others get what is left
    seed: int | None = None
    file: Path | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Everybody's name, in seat order."""
        return tuple(player.name for player in self.players)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Everybody's seat, in the chosen colours and then in the usual ones."""
        colours = (*self.colours, *(colour for colour in COLOURS if colour not in self.colours))
        return tuple(Seat(colour, player.bot) for colour, player in zip(colours, self.players, strict=False))

    @property
    def has_people(self) -> bool:
        """Whether a person plays."""
        return any(player.bot is None for player in self.players)

    def checked(self) -> Game:
        """A game like the one that would start, or a SetupError."""
        return Game.new(self.names, self.options, self.seed, seats=self.seats)


def suggested_name(taken: Sequence[str]) -> str:
    """A name for a person that nobody has yet."""
    return next(name for name in PEOPLE if name_refusal(name, taken) is None)


def new_bot(level: str, taken: Sequence[str]) -> PlayerToBe:
    """A bot with a name that nobody has yet, as in `Random Randy`."""
    return PlayerToBe(next(name for name in _bot_names(level) if name_refusal(name, taken) is None), level)


def _bot_names(level: str) -> Iterator[str]:
    """Alliterations first."""
    title = level.capitalize()[: NAME_LENGTH // 2]
    for name in sorted(STAGE_NAMES, key=lambda name: name[0] != title[:1]):
        yield f"{title} {name}"
    number = 2
    while True:
        yield f"{title} {number}"
        number += 1
