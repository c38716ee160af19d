"""The server's own pages come from the addresses that it listens on."""

import socket

import pytest
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from deadwood.server.limits import PROXIES
from deadwood.server.networks import as_peers
from deadwood.server.origins import (
    address,
    best_address,
    client_address,
    is_loopback,
    network_address,
    origins,
)

from .people import together


def test_a_page_may_come_from_every_name_of_the_server():
    assert origins("127.0.0.1", 8000) == {"http://127.0.0.1:8000", "http://localhost:8000"}
    assert len(origins("0.0.0.0", 80)) >= 2


def test_an_address_is_written_as_browsers_do():
    assert address("example.org", 80) == "http://example.org"
    assert address("::1", 8000) == "http://[::1]:8000"


def test_others_get_an_address_that_leads_to_us():
    assert best_address("192.168.1.20") == "192.168.1.20"
    assert best_address("127.0.0.1") == "127.0.0.1"
    assert best_address("0.0.0.0") == (network_address() or "127.0.0.1")
    for here in ("127.0.0.1", "127.0.1.1", "::1", "localhost", "deadwood.localhost"):
        assert is_loopback(here)
    for elsewhere in ("192.168.1.20", "fe80::1", "example.org", "localhost.example.org", ""):
        assert not is_loopback(elsewhere)


def test_a_machine_on_no_network_says_so(monkeypatch):
    class Unplugged(socket.socket):
        def connect(self, _address):
            raise OSError("Network is unreachable")

    monkeypatch.setattr(socket, "socket", Unplugged)
    assert network_address() is None
    assert best_address("0.0.0.0") == "127.0.0.1"
    assert origins("0.0.0.0", 8000) >= {"http://127.0.0.1:8000", "http://localhost:8000"}


async def address_from(peer, *forwarded):
    """The address of a request from this peer with these headers, as the application sees it."""
    found = []

    async def app(scope, _receive, _send):
        found.append(client_address(scope))

    headers = [(b"x-forwarded-for", one.encode()) for one in forwarded]
    scope = {"type": "http", "client": (peer, 40_000), "headers": headers}
    await ProxyHeadersMiddleware(app, [*as_peers((*PROXIES, "10.0.0.0/24"))])(scope, None, None)
    return found[0]


@together
@pytest.mark.parametrize("peer", ["127.0.0.1", "::1", "127.0.0.2", "::ffff:127.0.0.1"])
async def test_whoever_comes_from_this_machine_does(peer):
    assert is_loopback(await address_from(peer))


@together
@pytest.mark.parametrize("peer", ["127.0.0.1", "127.0.0.2", "::1", "10.0.0.7"])
@pytest.mark.parametrize(
    "said", ["127.0.0.1", "::1", "::ffff:127.0.0.1", "127.9.9.9", "localhost", "x.localhost", "[::1]:80"]
)
async def test_nobody_whose_request_is_forwarded_comes_from_this_machine(peer, said):
    for forwarded in ((said,), (said, said), (f"{said}, 10.0.0.8",)):
        found = await address_from(peer, *forwarded)
        assert not is_loopback(found)
        assert found not in PROXIES


@together
@pytest.mark.parametrize("peer", ["127.0.0.1", "::1", "::ffff:127.0.0.1", "10.0.0.7", "::ffff:10.0.0.7"])
async def test_a_proxy_says_who_its_client_is(peer):
    assert await address_from(peer, "203.0.113.9") == "203.0.113.9"
    assert await address_from(peer, "127.0.0.1, 203.0.113.9") == "203.0.113.9"


@together
async def test_nobody_else_does():
    assert await address_from("203.0.113.9", "127.0.0.1") == "203.0.113.9"
