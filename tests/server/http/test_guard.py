"""Every response carries the server's headers, even after a bug."""

import asyncio
import json

import pytest

from deadwood.server.admission import Admission
from deadwood.server.http.guard import HEADERS, Guard
from deadwood.server.metrics import Counters
from deadwood.server.settings import UNLIMITED, Settings

from ..people import together


class App:
    """An application that fails, before or after it has begun to answer."""

    def __init__(self, begins):
        self.begins = begins
        self.state = self
        self.counters = Counters()
        self.admission = Admission(UNLIMITED, asyncio.get_running_loop().time)

    async def __call__(self, scope, receive, send):
        if self.begins:
            await send({"type": "http.response.start", "status": 200, "headers": []})
        raise ZeroDivisionError


@pytest.mark.parametrize(("begins", "status"), [(False, 500), (True, 200)])
@together
async def test_a_bug_is_answered_once_with_all_headers(begins, status):
    app, sent = App(begins), []
    scope = {
        "type": "http",
        "app": app,
        "headers": [],
        "client": None,
        "method": "GET",
        "path": "/",
        "query_string": b"",
    }

    async def send(message):
        sent.append(message)

    with pytest.raises(ZeroDivisionError):
        await Guard(app, Settings(database=""))(scope, None, send)
    (start,) = (message for message in sent if message["type"] == "http.response.start")
    assert start["status"] == status
    headers = {name.decode(): value.decode() for name, value in start["headers"]}
    assert headers.items() >= HEADERS.items()
    bodies = [json.loads(message["body"]) for message in sent if message["type"] == "http.response.body"]
    assert [body["code"] for body in bodies] == ([] if begins else ["server_failed"])
