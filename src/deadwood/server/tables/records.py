"""The record of a finished game, made of its log again."""

import asyncio

from ..store.rows import GameRow, Store
from .sitting import sitting_of


async def record_of(store: Store, game: GameRow) -> str:
    """The text of a finished game; beside the loop, because a long game takes a while."""
    entries = await store.entries(game.code, game.first_seq, game.last_seq)
    sitting = await asyncio.to_thread(sitting_of, entries)
    assert sitting.game is not None
    return sitting.game.record()
