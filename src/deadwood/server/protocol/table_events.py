"""What happens at a table beside the game itself; narrated by the sentences of `text/`, as the game's events are."""

from msgspec import Struct

from ...engine.options import Options


class TableOpened(Struct, frozen=True, tag=True):
    """A new game will be played here."""

    game: int


class ChairTaken(Struct, frozen=True, tag=True):
    """Somebody sat down; `bot` is a bot's name."""

    player: str
    colour: str
    bot: str | None


class ChairLeft(Struct, frozen=True, tag=True):
    """Somebody left or was removed; `host` is the new host, if that changed."""

    player: str
    removed: bool
    host: str | None


class OptionsChosen(Struct, frozen=True, tag=True):
    """The host changed the options."""

    options: Options


class DeckChosen(Struct, frozen=True, tag=True):
    """The host brought a deck, or returned to a built-in one: its name, and whether it is a custom one."""

    deck: str
    custom: bool


class BoardChosen(Struct, frozen=True, tag=True):
    """The host brought a board, or returned to the built-in one."""

    board: str
    custom: bool


class PlayerReady(Struct, frozen=True, tag=True):
    """Somebody is ready, or no longer."""

    player: str
    ready: bool


class PlayerAgreed(Struct, frozen=True, tag=True):
    """After a game: somebody wants another one, or no longer does."""

    player: str
    agreed: bool


class ActionUndone(Struct, frozen=True, tag=True):
    """Somebody took back the last action."""

    player: str
    action: str


TableEvent = (
    TableOpened
    | ChairTaken
    | ChairLeft
    | OptionsChosen
    | DeckChosen
    | BoardChosen
    | PlayerReady
    | PlayerAgreed
    | ActionUndone
)
