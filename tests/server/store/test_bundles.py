"""What personal keys carry, in every store: SQLite, PostgreSQL, and the one in memory that the simulation uses."""

import asyncio

from deadwood.server.tables.ports import BundleRow

from ..people import together
from .changes import opened


@together
async def test_a_bundle_is_swapped_only_for_the_version_before(opening):
    async with opened(opening()) as store:
        first, second = BundleRow("a" * 64, 1, "one", 5.5), BundleRow("a" * 64, 2, "two", 6.5)
        assert await store.bundles.find(first.id) is None
        assert not await store.bundles.swap(second)
        assert await store.bundles.swap(first)
        assert not await store.bundles.swap(BundleRow("a" * 64, 1, "late", 9.0))
        assert not await store.bundles.swap(BundleRow("a" * 64, 3, "early", 9.0))
        assert await store.bundles.find(first.id) == first
        assert await store.bundles.swap(second)
        await store.bundles.use(first.id, 7.5)
        assert await store.bundles.swap(BundleRow("b" * 64, 1, "other", 1.5))
        assert await store.bundles.find(first.id) == BundleRow("a" * 64, 2, "two", 7.5)
        await store.bundles.drop(first.id)
        assert await store.bundles.find(first.id) is None
        assert await store.bundles.find("b" * 64) is not None


@together
async def test_only_one_of_many_simultaneous_swaps_succeeds(opening):
    async with opened(opening()) as store:
        for version in (1, 2):
            rows = [BundleRow("a" * 64, version, f"{number}", 1.0) for number in range(8)]
            assert sum(await asyncio.gather(*map(store.bundles.swap, rows))) == 1
