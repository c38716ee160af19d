"""What happens at a table besides the game itself; narrated by the sentences of `text/`, like the game's events."""

from typing import Literal

from msgspec import Struct

from ...engine.options import Options
from .commands import Agreement
from .house import HouseRules

StandInReason = Literal["away", "host", "time"]


class TableOpened(Struct, frozen=True, tag=True):
    """A new game will be played here."""

    game: int


class ChairTaken(Struct, frozen=True, tag=True):
    """Somebody sat down; `bot` is a bot's name. `asks_again` if others were ready and must confirm it again."""

    player: str
    colour: str
    bot: str | None
    asks_again: bool = False


class ChairLeft(Struct, frozen=True, tag=True):
    """Somebody left or was removed; `host` is the new host, if that changed; `locked` if that locked the table."""

    player: str
    removed: bool
    host: str | None
    locked: bool = False


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
    """Somebody is ready, or no longer is."""

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


class HouseRulesSet(Struct, frozen=True, tag=True):
    """The host changed the house rules; `asks_again` unless only the lock or the talk of the table has changed.

    `talk` says whether people may talk from now on, if nothing but that has changed.
    """

    house: HouseRules
    asks_again: bool
    locked: bool
    talk: bool | None = None


class InvitationMade(Struct, frozen=True, tag=True):
    """The host keeps chairs for invited people; says how many there are now."""

    kept: int


class StandInCame(Struct, frozen=True, tag=True):
    """A bot plays for somebody: they are `away`, the `host` decided it, or their `time` for this turn is up."""

    player: str
    bot: str
    reason: StandInReason


class PlayersReturned(Struct, frozen=True, tag=True):
    """These people are back and play for themselves again."""

    players: tuple[str, ...]


class PlayerWentHome(Struct, frozen=True, tag=True):
    """Somebody left a running game for good, and a bot plays on; `host` is the new host, if that changed."""

    player: str
    bot: str
    host: str | None


class HostChanged(Struct, frozen=True, tag=True):
    """The host stayed away, and somebody else is the host now."""

    was: str
    host: str


class HandoverOpened(Struct, frozen=True, tag=True):
    """A chair may be taken over with a secret, for a while; `by` is who handed it over, if not the player."""

    player: str
    by: str | None


class ChairTakenOver(Struct, frozen=True, tag=True):
    """Another browser holds a chair now: another device of the same person, or another person."""

    player: str


class PlayersVoted(Struct, frozen=True, tag=True):
    """These people agree to pause or to end the game, or no longer do."""

    players: tuple[str, ...]
    to: Agreement
    agrees: bool


class GamePaused(Struct, frozen=True, tag=True):
    """Everybody present agreed to pause; no clock runs."""


class GameResumed(Struct, frozen=True, tag=True):
    """Somebody ended the pause."""

    player: str


class GameCalledOff(Struct, frozen=True, tag=True):
    """The game is over without a winner: everybody agreed, or nobody is left who could roll real dice."""


class NamesReplaced(Struct, frozen=True, tag=True):
    """The operator of the server replaced a name at this table, everywhere, so that a person can be forgotten."""


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
    | HouseRulesSet
    | InvitationMade
    | StandInCame
    | PlayersReturned
    | PlayerWentHome
    | HostChanged
    | HandoverOpened
    | ChairTakenOver
    | PlayersVoted
    | GamePaused
    | GameResumed
    | GameCalledOff
    | NamesReplaced
)
