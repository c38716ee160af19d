"""House rules: how a table treats people who are away or slow, and whether people may talk. Not rules of the game."""

from msgspec import Struct

from ...bots import USUAL_BOT

DAY = 86_400  # seconds
GRACES = (None, 30, 120, 600)
CLOCKS = (None, 30, 60, 120, 300, DAY, 3 * DAY)
USUAL_GRACE = 120  # seconds; without a grace period, it still applies to everything but stand-ins


class HouseRules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the host chooses besides the options; times are in seconds.

    `grace` is how long the others wait for an absent player before `stand_in`, a bot, plays; None means for ever.
    `clock` is the time for a turn; None means any. Nobody new sits down at a `locked` table without an invitation.
    With `talk`, people may chat.
    """

    grace: int | None = USUAL_GRACE
    stand_in: str = USUAL_BOT
    clock: int | None = None
    locked: bool = False
    talk: bool = True

    @property
    def stands_in_after(self) -> int | None:
        """Seconds of absence; None if only the clock counts. With days for a turn, people need not sit at the table."""
        return None if self.clock is not None and self.clock >= DAY else self.grace


BEFORE = HouseRules(grace=None)  # for logs from before house rules existed
