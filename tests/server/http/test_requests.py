"""A server that ends does not wait for uploads."""

import asyncio

import pytest

from deadwood.server.http.requests import Uploads

from ..people import together


@together
async def test_uploads_that_are_ending_already_do_not_keep_a_server_from_closing():
    uploads, ended = Uploads(), asyncio.Event()

    async def upload():
        async with uploads.limit():
            try:
                await asyncio.get_running_loop().create_future()
            finally:
                await ended.wait()

    task = asyncio.create_task(upload())
    await asyncio.sleep(0)
    uploads.close()
    await asyncio.sleep(0)
    uploads.close()  # as serving does: once for the goodbyes, once at the very end
    ended.set()
    with pytest.raises(TimeoutError):
        await task


@together
async def test_a_closed_server_takes_no_more_uploads():
    uploads = Uploads()
    uploads.close()
    with pytest.raises(TimeoutError):
        async with uploads.limit():
            await asyncio.get_running_loop().create_future()
