"""The bug that the crash test must find: an action is acknowledged before it is durable."""

from deadwood.server.store.writer import Writer


def acknowledge_before_the_commit():
    """Commit each batch only three later: the last acknowledgement may still be on its way when a kill comes."""
    commit = Writer._commit
    late = []

    async def hasty(self, batch):
        for _, done in batch:
            if not done.done():
                done.set_result(True)
        late.append(batch)
        if len(late) > 3:
            await commit(self, late.pop(0))

    Writer._commit = hasty
