"""Work that people wait for goes first."""

import asyncio

from deadwood.server.workers.priority_semaphore import PrioritySemaphore

from ..people import together


@together
async def test_the_patient_let_others_go_first():
    turns, order = PrioritySemaphore(1), []

    async def work(name, patient):
        async with turns.acquire(patient):
            order.append(name)
            await asyncio.sleep(0)

    asked = [("first", True), ("patient", True), ("gone", False), ("urgent", False)]
    tasks = [asyncio.create_task(work(*one)) for one in asked]
    await asyncio.sleep(0)
    tasks[2].cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await work("last", True)  # the cancelled one kept no turn
    assert order == ["first", "urgent", "patient", "last"]


@together
async def test_an_address_that_asks_a_lot_keeps_nobody_else_waiting():
    turns, order = PrioritySemaphore(1), []

    async def work(name, address):
        async with turns.acquire(False, address):
            order.append(name)
            await asyncio.sleep(0)

    asked = [(f"many {number}", "192.0.2.1") for number in range(5)] + [("one", "192.0.2.2"), ("two", "192.0.2.2")]
    await asyncio.gather(*(work(*one) for one in asked))
    assert order == ["many 0", "many 1", "one", "many 2", "two", "many 3", "many 4"]
    assert not turns._latest


@together
async def test_an_address_without_requests_is_forgotten_even_if_others_always_wait():
    turns, most = PrioritySemaphore(1), 0

    async def work(address):
        nonlocal most
        async with turns.acquire(False, address):
            most = max(most, len(turns._latest))
            await asyncio.sleep(0)

    waiting = {asyncio.create_task(work(f"2001:db8:{number}::")) for number in range(10)}
    for number in range(10, 300):
        _, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        waiting |= {asyncio.create_task(work(f"2001:db8:{number}::"))}
    await asyncio.wait(waiting)
    assert most <= 10
