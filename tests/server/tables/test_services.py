"""Services end all background tasks, even those that others start while they end."""

import asyncio

from deadwood.server.settings import Settings
from deadwood.server.tables.services import Services

from ..memory import MemoryStore
from ..people import together


@together
async def test_a_task_that_starts_another_when_it_ends_leaves_none_behind():
    services = Services(MemoryStore(), None, None, Settings(database=""))

    async def wait():
        await asyncio.get_running_loop().create_future()

    async def wait_and_start_another():
        try:
            await wait()
        finally:
            services.spawn(wait())

    services.spawn(wait_and_start_another())
    await asyncio.sleep(0)
    await services.close()
    assert services.tasks == 0
