"""The mistake that the crash test must find: a move is acknowledged before it is durable."""

from deadwood.server.store.writer import Writer


def acknowledge_before_the_commit():
    """Commit every batch when the next one comes, so that a kill at any moment loses something acknowledged."""
    commit = Writer._commit
    late = []

    async def hasty(self, batch):
        for _, done in batch:
            if not done.done():
                done.set_result(True)
        late.append(batch)
        if len(late) > 1:
            await commit(self, late.pop(0))

    Writer._commit = hasty
