"""Appends: an entry, what lists show after it, and the notices that it causes. Pure."""

from msgspec.structs import replace

from ...engine.game import Game
from .deciding import Decision
from .listing import listed
from .log import Corrected, Entry, Played, Undone
from .news import announcements, given_up
from .ports import Append, Listing
from .sitting import Sitting


def append_of(
    listing: Listing, sitting: Sitting, entry: Entry, after: Sitting | None, game: Game | None, delay: float
) -> Append:
    """An entry with all that is stored with it; `after` is the sitting after it, or None if it changes no list."""
    if after is None:
        return Append(entry, notices=announcements(sitting, sitting, game, entry, delay))
    notices = announcements(sitting, after, after.game, entry, delay)
    return replace(listed(listing, sitting, after, entry), notices=notices, given_up=given_up(sitting, after))


def changes_game_only(sitting: Sitting, decision: Decision) -> bool:
    """Whether an entry changes nothing that lists show."""
    if sitting.status != "running" or decision.game is None or decision.game.over:
        return False
    if sitting.house.clock is not None or sitting.deserted:  # the table may have to be woken at another time
        return False
    return isinstance(decision.body, Played | Undone | Corrected)
