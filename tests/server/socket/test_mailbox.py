"""A mailbox keeps messages in order until its reader takes them."""

import asyncio

import pytest

from deadwood.server.socket.mailbox import Mailbox

from ..people import together


@together
async def test_messages_come_in_order_and_the_reader_waits_for_the_next():
    mailbox = Mailbox(asyncio.get_running_loop())
    mailbox.put_nowait(1)
    mailbox.put_nowait(2)
    assert (mailbox.qsize(), await mailbox.get(), await mailbox.get(), mailbox.empty()) == (2, 1, 2, True)
    reader = asyncio.create_task(mailbox.get())
    await asyncio.sleep(0)
    mailbox.put_nowait(3)
    mailbox.put_nowait(4)
    assert (await reader, await mailbox.get()) == (3, 4)


@together
async def test_a_reader_that_gives_up_loses_nothing():
    mailbox = Mailbox(asyncio.get_running_loop())
    reader = asyncio.create_task(mailbox.get())
    await asyncio.sleep(0)
    reader.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reader
    mailbox.put_nowait(1)
    assert await mailbox.get() == 1
