"""Connections are counted from the moment they open, and must send a complete request in time."""

import asyncio
import gc
import socket
import weakref
from contextlib import asynccontextmanager, suppress
from unittest.mock import Mock

import h11
import pytest
import uvicorn
from uvicorn.server import ServerState

from deadwood.server import connection_limits
from deadwood.server.connection_limits import (
    HEAD_BYTES,
    MOST_CHUNKS,
    LimitedProtocol,
    OpenConnections,
    UnreadAnswers,
    lifespan_state,
)
from deadwood.server.socket import uvicorn_protocol
from deadwood.server.socket.uvicorn_protocol import TableSocketProtocol

from .people import together, until


def line_from(address):
    return Mock(**{"get_extra_info.return_value": (address, 1)})


def test_connections_are_limited_by_address():
    lines, one, two, three = OpenConnections(2), *(line_from("192.0.2.1") for _ in range(3))
    assert lines.add(one)
    assert lines.add(two)
    assert not lines.add(three)
    assert lines.add(line_from("192.0.2.2"))
    lines.remove(three)  # it was never counted
    assert lines.closed == 0
    lines.remove(one)
    assert lines.add(three)
    assert lines.closed == 1


def test_a_proxy_on_this_machine_may_open_any_number_of_connections():
    lines = OpenConnections(1)
    assert all(lines.add(line_from("127.0.0.1")) for _ in range(9))


async def ok(_scope, _receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
    await send({"type": "http.response.body"})


@asynccontextmanager
async def listening(app=ok, open_lines=None):
    open_lines = OpenConnections(100) if open_lines is None else open_lines
    config = uvicorn.Config(app, ws=TableSocketProtocol, lifespan="off", log_config=None, timeout_keep_alive=1)
    config.load()
    state, lines = ServerState(), lifespan_state(open_lines)

    def protocol():
        return LimitedProtocol(config=config, server_state=state, app_state=lines)

    async with await asyncio.get_running_loop().create_server(protocol, "127.0.0.1", 0) as server:
        yield server.sockets[0].getsockname()


async def is_cut(reader):
    with suppress(ConnectionResetError):
        while await reader.read(1000):
            pass


@pytest.mark.parametrize(("proxies", "allowed"), [((), False), (("10.0.0.0/8",), True)])
def test_connections_of_a_proxy_are_not_counted_by_address(proxies, allowed):
    lines, transports = OpenConnections(1, proxies), [Mock(), Mock()]
    for transport in transports:
        transport.get_extra_info.return_value = ("10.1.2.3", 4)
    assert [lines.add(transport) for transport in transports] == [True, allowed]


WHOLE = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


@pytest.mark.parametrize("requests", [0, 1])
@pytest.mark.parametrize("sent", [b"", WHOLE[:-2]], ids=["nothing", "half a request"])
@together
async def test_a_connection_without_a_complete_request_in_time_is_closed(monkeypatch, requests, sent):
    monkeypatch.setitem(connection_limits._SECONDS, h11.IDLE, 0.1)
    async with listening() as address:
        reader, writer = await asyncio.open_connection(*address)
        for _ in range(requests):
            writer.write(WHOLE)
            assert await reader.readuntil(b"\r\n\r\n")
        writer.write(sent)
        await is_cut(reader)
        writer.close()


@pytest.mark.parametrize(("size", "status"), [(HEAD_BYTES - 1000, 200), (4 * HEAD_BYTES, 400)])
@together
async def test_a_head_that_is_too_big_is_refused_even_in_one_piece(size, status):
    config = uvicorn.Config(ok, ws=TableSocketProtocol, lifespan="off", log_config=None)
    config.load()
    sent, transport = asyncio.Event(), Mock(**{"get_extra_info.return_value": None})
    transport.is_closing.side_effect = lambda: transport.close.called
    transport.write.side_effect = lambda _data: sent.set()
    protocol = LimitedProtocol(
        config=config, server_state=ServerState(), app_state=lifespan_state(OpenConnections(100))
    )
    transport.get_protocol.return_value = protocol
    protocol.connection_made(transport)
    protocol.data_received(b"GET / HTTP/1.1\r\nHost: x\r\nX-Long: " + b"x" * size + b"\r\n\r\n")
    await sent.wait()
    assert transport.write.call_args_list[0].args[0].startswith(b"HTTP/1.1 %d " % status)
    protocol.connection_lost(None)


async def reading(_scope, receive, send):
    while (await receive()).get("more_body"):
        pass
    await ok(_scope, receive, send)


@pytest.mark.parametrize(("chunks", "status"), [(MOST_CHUNKS, 200), (20 * MOST_CHUNKS, 400)])
@together
async def test_a_body_in_crumbs_is_refused(chunks, status):
    """Reading a megabyte byte by byte took half a minute, and nobody else was served meanwhile."""
    async with listening(reading) as address:
        reader, writer = await asyncio.open_connection(*address)
        writer.write(b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
        writer.write(b"1\r\nx\r\n" * chunks + b"0\r\n\r\n")
        assert (await reader.readline()).startswith(b"HTTP/1.1 %d " % status)
        writer.close()


async def hasty(_scope, receive, send):
    await receive()
    await ok(_scope, receive, send)


CHUNKED = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n"


@pytest.mark.parametrize("answered", [False, True])
@together
async def test_a_body_that_is_not_http_leaves_no_error_behind(answered, caplog):
    """Whether the answer was sent already or is still under way: uvicorn would send another."""
    before = asyncio.all_tasks()
    async with listening(hasty) as address:
        reader, writer = await asyncio.open_connection(*address)
        writer.write(CHUNKED if answered else CHUNKED + b"no chunk\r\n")
        if answered:
            assert await reader.readuntil(b"\r\n\r\n")
            writer.write(b"no chunk\r\n")
        await is_cut(reader)
        writer.close()
        await until(lambda: asyncio.all_tasks() <= before)
    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == []


UPGRADE = (
    b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


async def undecided(_scope, receive, _send):
    while (await receive())["type"] != "websocket.disconnect":
        pass


@together
async def test_a_handshake_that_is_not_answered_in_time_ends(monkeypatch):
    monkeypatch.setattr(uvicorn_protocol, "_HANDSHAKE", 0.1)
    async with listening(undecided) as address:
        reader, writer = await asyncio.open_connection(*address)
        writer.write(UPGRADE)
        await is_cut(reader)
        writer.close()


async def polite(_scope, receive, send):
    await receive()
    await send({"type": "websocket.accept"})
    await receive()


@together
async def test_a_connection_that_is_gone_leaves_no_cycles(monkeypatch):
    """Only a full garbage collection would find them, and everybody would wait for it."""
    made, connection_made = [], TableSocketProtocol.connection_made

    def remember(protocol, transport):
        made.append(weakref.ref(protocol))
        connection_made(protocol, transport)

    monkeypatch.setattr(TableSocketProtocol, "connection_made", remember)
    gc.disable()
    try:
        async with listening(polite) as address:
            reader, writer = await asyncio.open_connection(*address)
            writer.write(UPGRADE)
            await reader.readuntil(b"\r\n\r\n")
            writer.close()
            await writer.wait_closed()
            await until(lambda: made[0]() is None)
    finally:
        gc.enable()


# --- answers that nobody reads

MUCH = 2**24  # bytes: more than all buffers on the way can take


async def much(_scope, _receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", str(MUCH).encode())]})
    await send({"type": "http.response.body", "body": bytes(MUCH)})


@together
async def test_an_answer_that_nobody_reads_ends_the_connection(monkeypatch):
    """The answer is complete and the connection idle, but closing it would wait for the client to read everything."""
    monkeypatch.setattr(connection_limits, "UNREAD_SECONDS", 0.1)
    open_lines = OpenConnections(100)
    async with listening(much, open_lines) as address:
        with socket.create_connection(address) as line:
            line.sendall(WHOLE)
            await until(lambda: open_lines.closed == 1)


@pytest.mark.parametrize(
    ("sizes", "cut"),
    [
        ([100_000, 100_000], True),
        ([100_000, 99_999], True),
        ([100_000, 50_000, 10_000, 0], False),
        ([100_000, 50_000, 50_000], True),
        ([100, 100], True),
        ([100, 0], False),
    ],
)
def test_only_those_who_do_not_read_are_cut_off(sizes, cut):
    """`sizes`: the unread bytes after sending, and then at every check."""
    looks, now = [], [sizes[0]]
    loop = Mock(**{"call_later.side_effect": lambda _seconds, look: looks.append(look) or Mock()})
    transport = Mock()
    transport.get_write_buffer_size.side_effect = lambda: now[0]
    reading = UnreadAnswers(transport, loop)
    reading.watch()
    for now[0] in sizes[1:]:
        looks.pop()()
    assert transport.abort.called == cut
    assert bool(looks) == (not cut and now[0] > 0)
