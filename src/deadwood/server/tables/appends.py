"""Appends: an entry with what lists show after it, and with what people want to know whose page is closed. Pure."""

from msgspec.structs import replace

from ...engine.game import Game
from . import summaries
from .deciding import Decision
from .log import Corrected, Entry, Opened, Played, Undone
from .news import announcements, given_up
from .ports import Append, GameRow, Listing
from .sitting import Sitting

NUMBERS_PER_SECOND = 1_000_000  # a table's number in lists is the microsecond in which it was opened


def append_of(
    listing: Listing, sitting: Sitting, entry: Entry, after: Sitting | None, game: Game | None, delay: float
) -> Append:
    """An entry with all that is stored with it; `after` is the sitting then, None if lists show nothing of it."""
    if after is None:
        return Append(entry, notices=announcements(sitting, sitting, game, entry, delay))
    notices = announcements(sitting, after, after.game, entry, delay)
    return replace(_listed(listing, sitting, entry, after), notices=notices, given_up=given_up(sitting, after))


def _listed(before: Listing, sitting: Sitting, entry: Entry, after: Sitting) -> Append:
    """An entry with what lists show after it."""
    summary = summaries.encode_table(after, before.number / NUMBERS_PER_SECOND)
    due = after.due
    since, at = (None, None) if due is None else (due.since, due.since + due.left)
    listing = replace(before, status=after.status, summary=summary, since=since, due=at)
    return Append(entry, listing, _game(sitting, entry, after))


def _game(sitting: Sitting, entry: Entry, after: Sitting) -> GameRow | None:
    number = after.opened.game
    if isinstance(entry.body, Opened):
        return GameRow(entry.code, number, entry.seq)
    if after.status == "finished":
        if sitting.status == "finished" and not isinstance(entry.body, Corrected):
            return None  # what people do after a game does not change when it ended
        return GameRow(entry.code, number, after.first_seq, entry.seq, summaries.encode_game(after, entry.at))
    if sitting.status == "finished":  # a correction, and the game goes on
        return GameRow(entry.code, number, after.first_seq)
    return None


def changes_game_only(sitting: Sitting, decision: Decision) -> bool:
    """Whether an entry changes nothing that lists show."""
    if sitting.status != "running" or decision.game is None or decision.game.over:
        return False
    if sitting.house.clock is not None or sitting.deserted:  # the table may have to be woken at another time
        return False
    return isinstance(decision.body, Played | Undone | Corrected)
