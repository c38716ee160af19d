"""The writer commits in groups: no change is lost, doubled, or spoilt by another one.

Holds `server.store.writing`.
"""

import asyncio
import random
from contextlib import AsyncExitStack

import pytest

from deadwood.server.protocol.refusals import StoreFailed, StoreGone
from deadwood.server.store.database import DatabaseStore

from ..memory import MemoryStore
from ..people import together
from .changes import CODE, OTHER, change, opened, writing


@pytest.mark.parametrize("count", [1, 2])
@together
async def test_many_writers_take_every_number_once(opening, count):
    """Two writers stand for two processes that compete for the same numbers."""
    numbers = [(code, seq, name) for code in (CODE, OTHER) for seq in range(1, 41) for name in "abc"]
    random.Random(1).shuffle(numbers)
    async with AsyncExitStack() as stack:
        stores = [await stack.enter_async_context(opened(opening())) for _ in range(count)]
        writers = [await stack.enter_async_context(writing(store)) for store in stores]
        changes = [change(seq, code=code, command=name) for code, seq, name in numbers]
        kept = await asyncio.gather(*(writers[at % count].append(one) for at, one in enumerate(changes)))
        won = {(one.entry.code, one.entry.seq): one.entry for one, was in zip(changes, kept, strict=True) if was}
        assert sum(kept) == len(won) == 80
        for code in (CODE, OTHER):
            assert await stores[0].entries(code, 1) == [won[code, seq] for seq in range(1, 41)]


@together
async def test_changes_that_wait_together_are_committed_together(sqlite_url):
    sizes = []
    async with (
        opened(DatabaseStore.open(sqlite_url)) as store,
        writing(store, lambda entries, _seconds: sizes.append(entries)) as writer,
    ):
        assert all(await asyncio.gather(*(writer.append(change(seq)) for seq in range(1, 1201))))
    assert sum(sizes) == 1200
    assert len(sizes) <= 4


@together
async def test_closing_a_writer_commits_what_was_appended(sqlite_url):
    async with opened(DatabaseStore.open(sqlite_url)) as store:
        async with writing(store) as writer:
            waiting = [asyncio.create_task(writer.append(change(seq))) for seq in range(1, 50)]
            await asyncio.sleep(0)
        assert await asyncio.gather(*waiting) == [True] * 49


@together
async def test_after_a_failed_commit_the_next_one_works(database):
    async with opened(DatabaseStore.open(database)) as store, writing(store) as writer:
        with pytest.raises(StoreFailed):
            await writer.append(change(1, command=None))
        assert await writer.append(change(1)) is True


@together
async def test_a_change_that_cannot_be_committed_does_not_fail_its_neighbours(database):
    async with opened(DatabaseStore.open(database)) as store, writing(store) as writer:
        changes = [change(seq, command=None if seq == 2 else "") for seq in range(1, 5)]
        first, failed, *others = await asyncio.gather(*map(writer.append, changes), return_exceptions=True)
    assert isinstance(failed, StoreFailed)
    assert [first, *others] == [True] * 3


class Gone(MemoryStore):
    """A store without a connection."""

    tried = 0

    async def commit(self, changes):
        self.tried += 1
        raise StoreGone("no connection")


@together
async def test_without_a_connection_changes_are_not_tried_one_by_one():
    store = Gone()
    async with writing(store) as writer:
        kept = await asyncio.gather(*(writer.append(change(seq)) for seq in range(1, 9)), return_exceptions=True)
    assert [type(one) for one in kept] == [StoreGone] * 8
    assert store.tried == 1


@together
async def test_a_cancelled_append_is_committed_all_the_same_and_the_writer_goes_on(sqlite_url):
    async with opened(DatabaseStore.open(sqlite_url)) as store, writing(store) as writer:
        waiting = asyncio.create_task(writer.append(change(1)))
        failing = asyncio.create_task(writer.append(change(2, command=None)))
        await asyncio.sleep(0)
        waiting.cancel()
        failing.cancel()
        assert await writer.append(change(3)) is True
        assert await writer.append(change(1)) is False
