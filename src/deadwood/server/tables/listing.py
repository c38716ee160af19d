"""What lists show of a table after an entry, stored with it."""

from msgspec.structs import replace

from . import summaries
from .log import Corrected, Entry, Opened
from .ports import Append, GameRow, Listing
from .sitting import Sitting

NUMBERS_PER_SECOND = 1_000_000  # a table's number in lists is the microsecond in which it was opened


def listed(listing: Listing, before: Sitting, after: Sitting, entry: Entry) -> Append:
    """An entry, and how lists show the table after it."""
    summary = summaries.encode_table(after, listing.number / NUMBERS_PER_SECOND)
    due = after.due
    since, at = (None, None) if due is None else (due.since, due.since + due.left)
    shown = replace(listing, status=after.status, summary=summary, since=since, due=at)
    return Append(entry, shown, _game(before, after, entry))


def _game(before: Sitting, after: Sitting, entry: Entry) -> GameRow | None:
    if isinstance(entry.body, Opened):
        return GameRow(entry.code, after.opened.game, entry.seq)
    if after.status == "finished":
        if before.status == "finished" and not isinstance(entry.body, Corrected):
            return None  # nothing that people do after a game changes when it ended
        summary = summaries.encode_game(after, entry.at)
        return GameRow(entry.code, after.opened.game, after.first_seq, entry.seq, summary)
    if before.status == "finished":  # a correction, and the game goes on
        return GameRow(entry.code, after.opened.game, after.first_seq)
    return None
