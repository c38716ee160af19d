"""What happens at a table beside the game itself, in names; told by the sentences of `text/`, as events are."""

from msgspec import Struct

from ...engine.options import Options


class TableOpened(Struct, frozen=True, tag=True):
    """A game is to be played here."""

    game: int


class SeatTaken(Struct, frozen=True, tag=True):
    """Somebody sat down; `bot` is the level of one."""

    player: str
    colour: str
    bot: str | None


class SeatLeft(Struct, frozen=True, tag=True):
    """Somebody left, or was sent away."""

    player: str
    kicked: bool
    host: str | None


class OptionsChosen(Struct, frozen=True, tag=True):
    """The host chose other options."""

    options: Options


class PlayerReady(Struct, frozen=True, tag=True):
    """Somebody is ready, or no longer."""

    player: str
    ready: bool


class ActionUndone(Struct, frozen=True, tag=True):
    """Somebody took back the last action."""

    player: str
    action: str


Happening = TableOpened | SeatTaken | SeatLeft | OptionsChosen | PlayerReady | ActionUndone
