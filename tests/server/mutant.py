"""The mistake that the crash test must find: a move is acknowledged before it is durable."""

import asyncio

from deadwood.server.store.writer import Writer


def acknowledge_before_the_commit():
    commit = Writer._commit

    async def hasty(self, batch):
        for _, done in batch:
            if not done.done():
                done.set_result(True)
        await asyncio.sleep(0)
        await commit(self, batch)

    Writer._commit = hasty
