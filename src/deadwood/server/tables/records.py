"""The record of a finished game, rebuilt from its log."""

from .ports import GameRow
from .services import Services
from .sitting import sitting_of


async def record_of(services: Services, game: GameRow) -> str:
    """The text of a finished game, replayed outside the event loop, because a long game takes a while."""
    entries = await services.store.entries(game.code, game.first_seq, game.last_seq)
    sitting = await services.offload(sitting_of, entries)
    text: str = sitting.game.record()
    return text
