"""A server that ends does not wait for uploads."""

import asyncio

import pytest
from starlette.requests import Request

from deadwood.server.http.requests import Uploads, best_encoding, language_of

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
    uploads.close()  # as serving does: once when it says goodbye, once at the very end
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


@pytest.mark.parametrize(("header", "language"), [("fr,de", "de"), ("," * 9 + "de", "de"), ("," * 10 + "de", "en")])
def test_only_the_first_items_of_a_header_count(header, language):
    """A header of 60 kB has 60,000 of them."""
    scope = {"type": "http", "query_string": b"", "headers": [(b"accept-language", header.encode())]}
    assert language_of(Request(scope)) == language
    scope["headers"] = [(b"accept-encoding", header.replace("de", "gzip").encode())]
    assert (best_encoding(Request(scope), ("gzip", "identity")) == "gzip") == (language == "de")
