"""What our protocol does itself gives the same result as the library, and what is sent arrives, in order.

Holds `server.socket.endpoint`.
"""

import asyncio
import struct

import pytest
import uvicorn
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode
from websockets.protocol import OPEN

from deadwood.server.socket.endpoint import WebSocketTransport
from deadwood.server.socket.uvicorn_protocol import EXTENSION, TableSocketProtocol, text_frame

from ..people import together


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65_535, 65_536])
def test_a_frame_is_that_of_the_library(size):
    text = b"x" * size
    assert text_frame(text) == Frame(Opcode.TEXT, text).serialize(mask=False)


class Pipe:
    """A transport that notes what is written, in pieces as they come."""

    def __init__(self):
        self.written = []
        self.closing = False

    def write(self, data):
        assert not self.closing
        self.written.append(data)

    def close(self):
        self.closing = True

    abort = close

    def is_closing(self):
        return self.closing

    def get_write_buffer_size(self):
        return 0

    def get_extra_info(self, name):
        return None

    def pause_reading(self):
        pass

    resume_reading = pause_reading


def connected():
    """A protocol in the middle of a conversation."""
    config = uvicorn.Config(app=lambda: None, log_config=None, ws_per_message_deflate=False)
    protocol = TableSocketProtocol(config=config, server_state=ServerState(), app_state={})
    protocol.connection_made(Pipe())
    protocol._end.cancel()
    protocol.conn.state = OPEN
    protocol.conn.parser = protocol.conn.parse()
    next(protocol.conn.parser)
    protocol.handshake_complete = True
    return protocol


def sent_by_client(opcode, data=b""):
    return Frame(opcode, data).serialize(mask=True)


@together
async def test_messages_sent_in_one_turn_of_the_loop_are_written_together():
    protocol = connected()
    for text in (b"done", b"update"):
        assert protocol.send_now(text)
    assert protocol.transport.written == []
    await asyncio.sleep(0)
    assert protocol.transport.written == [text_frame(b"done") + text_frame(b"update")]
    assert protocol.send_now(b"next")
    await asyncio.sleep(0)
    assert protocol.transport.written[1:] == [text_frame(b"next")]


@together
async def test_a_client_that_is_sent_a_lot_in_one_turn_of_the_loop_may_still_have_to_wait():
    protocol = connected()
    protocol.transport.write = lambda data: protocol.pause_writing()  # as if nobody read
    taken = 0
    while protocol.send_now(b"x"):
        taken += 1
    assert 1 < taken < 100


@together
async def test_nothing_is_written_to_a_connection_that_has_closed_meanwhile():
    protocol = connected()
    assert protocol.send_now(b"x")
    protocol.transport.closing = True
    await asyncio.sleep(0)
    assert protocol.transport.written == []
    assert not protocol.send_now(b"y")


ENDS = {
    "a close frame": sent_by_client(Opcode.CLOSE, struct.pack("!H", 1000)),
    "a reserved opcode": b"\x83\x80\0\0\0\0",
    "invalid UTF-8": sent_by_client(Opcode.TEXT, b"\xff"),
    "the end of a message that never began": sent_by_client(Opcode.CONT, b"a"),
    "too many pings": 300 * sent_by_client(Opcode.PING),
}


@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS)
@together
async def test_an_answer_comes_before_the_end_of_a_connection(end):
    protocol = connected()
    assert protocol.send_now(b"done")
    protocol.data_received(end)
    answer, *_, close = filter(None, protocol.transport.written)  # between them, pongs
    assert (answer, close[:1]) == (text_frame(b"done"), b"\x88")
    assert protocol.transport.closing


@together
async def test_an_answer_comes_before_a_clients_half_of_a_connection_is_closed():
    protocol = connected()
    assert protocol.send_now(b"done")
    protocol.eof_received()
    assert protocol.transport.written == [text_frame(b"done")]


@together
async def test_an_answer_comes_before_the_servers_goodbye():
    protocol = connected()
    assert protocol.send_now(b"done")
    protocol.shutdown()
    assert b"".join(protocol.transport.written).startswith(text_frame(b"done") + b"\x88")


def transport_of(protocol):
    protocol.scope = {"extensions": {EXTENSION: protocol}}
    return WebSocketTransport(protocol.scope, protocol.receive, protocol.send)


@pytest.mark.parametrize(("late", "follows"), [(b"late", text_frame(b"late")), (None, b"\x88")], ids=["send", "close"])
@together
async def test_nothing_overtakes_what_waits_for_the_end_of_the_turn(late, follows):
    protocol = connected()
    transport = transport_of(protocol)
    assert transport.send_now(b"early")
    await (transport.close(1000, "") if late is None else transport.send(late))
    assert b"".join(protocol.transport.written).startswith(text_frame(b"early") + follows)


@together
async def test_a_transport_is_ready_as_long_as_messages_wait():
    protocol = connected()
    transport = transport_of(protocol)
    assert not transport.ready()
    protocol.data_received(2 * sent_by_client(Opcode.TEXT, b"a"))
    for left in (True, False):
        assert await transport.receive() == "a"
        assert transport.ready() is left


@together
async def test_only_a_silent_client_gets_a_ping_and_its_answer_does_not_put_off_the_next():
    protocol = connected()
    protocol.ping_interval = protocol.ping_timeout = 3600.0  # this test calls what the timers would call
    written = protocol.transport.written
    protocol.data_received(sent_by_client(Opcode.TEXT, b"{}"))
    protocol.send_keepalive_ping()
    assert written == []
    for _ in range(2):
        protocol.send_keepalive_ping()
        (ping,) = written
        assert ping == Frame(Opcode.PING, protocol.pending_ping_payload).serialize(mask=False)
        protocol.data_received(sent_by_client(Opcode.PONG, protocol.pending_ping_payload))
        written.clear()
    protocol.stop_keepalive()


@together
async def test_a_client_that_sends_a_message_byte_by_byte_gets_a_ping_too():
    """It cannot answer in the middle of a frame, so it does not stay for ever without saying anything."""
    protocol = connected()
    for byte in sent_by_client(Opcode.TEXT, b"{}")[:-1]:
        protocol.data_received(bytes([byte]))
    protocol.send_keepalive_ping()
    assert protocol.transport.written == [Frame(Opcode.PING, protocol.pending_ping_payload).serialize(mask=False)]
    protocol.stop_keepalive()
