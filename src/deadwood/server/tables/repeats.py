"""Repeats: commands that were carried out before, and their first answers."""

from ..protocol.commands import ChangeCommand, FileCommand, Sit, TakeOver
from ..protocol.messages import Done
from .deciding import Held
from .ports import Answers, Store
from .sitting import Sitting

SEATING = Sit | TakeOver  # commands by which somebody gets a chair


class Repeats:
    """The answers of the present sitting are in memory, those of earlier ones in the database."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._earlier: tuple[int, Answers] | None = None  # those below this number

    async def first_answer(self, sitting: Sitting, chairs: Held, command: ChangeCommand | FileCommand) -> Done | None:
        """The first answer to this command, if somebody with these chairs has sent it before."""
        taken = None
        if isinstance(command, SEATING):
            taken = sitting.chair_of(command.token)
            chairs = frozenset({taken.id} if taken else ())
        for by in chairs:
            seq = sitting.answers.get((by, command.id))
            if seq is None and sitting.first_seq > 1:
                seq = (await self._answers_before(sitting)).get((by, command.id))
            if seq is None and isinstance(command, Sit):
                seq = sitting.seq  # the token identifies it, not the id
            if seq is not None:
                return Done(id=command.id, seq=seq, chair=taken.id if taken else None)
        return None

    async def _answers_before(self, sitting: Sitting) -> Answers:
        """The answers of earlier sittings, read only once, because every command asks."""
        if self._earlier is None or self._earlier[0] != sitting.first_seq:
            self._earlier = sitting.first_seq, await self._store.answers(sitting.code, sitting.first_seq)
        return self._earlier[1]


def bot_command(seq: int) -> str:
    """The id of a bot's command, so that it is never carried out twice."""
    return f"bot-{seq}"
