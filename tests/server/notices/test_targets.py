"""No address that somebody enters leads into a private network, however it is written.

Holds `server.notices.outgoing`.
"""

import asyncio
import ssl

import pytest

from deadwood.server.notices.outgoing import Outgoing
from deadwood.server.notices.targets import Resolver, Target, addresses_of, is_public, parse_target
from deadwood.server.protocol.refusals import ServerRefused

from ..people import together
from .letterbox import Receiver

PUBLIC = ["1.1.1.1", "93.184.216.34", "2606:4700:4700::1111", "::ffff:1.1.1.1", "100.128.0.1", "172.32.0.1"]
PRIVATE = [
    *("127.0.0.1", "127.8.9.1", "0.0.0.0", "0.1.2.3", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1"),
    *("169.254.169.254", "169.254.0.1", "100.64.0.1", "100.127.255.255", "198.18.0.1", "192.0.2.1", "203.0.113.9"),
    *("224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255", "192.0.0.1"),
    *(
        "::1",
        "::",
        "fe80::1",
        "fe80::1%eth0",
        "fc00::1",
        "fd00:ec2::254",
        "ff02::1",
        "fec0::1",
        "2001:db8::1",
        "100::1",
    ),
    *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:a9fe:a9fe", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::1"),
    *("100::1", "2002:7f00:1::", "2002:a9fe:a9fe::1", "2001:0:7f00:1::", "not an address", ""),
]


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses(address):
    assert is_public(address)


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses(address):
    assert not is_public(address)


WRONG = [
    *("", "x", "https://", "http://example.org/", "ftp://example.org/", "file:///etc/passwd", "gopher://x/", "//x/y"),
    *("https://user@example.org/", "https://user:word@example.org/", "https://example.org:25/", "https://x:0/"),
    *("https://x:99999/", "https://x:y/", "https://[::1/", "https://[fe80::1%25eth0]/", "https://[not]/"),
    *("https://exa mple.org/", "https://example.org/\n", "https://example.org/\r\nhost: x", "https://exämple.org/"),
    *("https://example.org\\@127.0.0.1/", "https:\\\\example.org", "https://.example.org/", "https://a..b/"),
    *("https://" + "a" * 64 + ".org/", "https://example.org/" + "a" * 1000, "https://ex%61mple.org/", "javascript:x"),
]


@pytest.mark.parametrize("url", WRONG)
def test_invalid_addresses_for_notices_are_refused(url):
    with pytest.raises(ServerRefused) as refused:
        parse_target(url, private=False)
    assert refused.value.refusal.key == "notice_address_wrong"


def test_the_parts_of_an_address():
    assert parse_target("https://Example.org/a/b?c=d#e", False) == Target("https", "example.org", 443, "/a/b?c=d")
    assert parse_target("https://example.org:8443", False).authority == "example.org:8443"
    assert parse_target("https://[2606:4700::1]/x", False).origin == "https://[2606:4700::1]"
    assert parse_target("http://box:81/x", True) == Target("http", "box", 81, "/x")


SPELLINGS = [
    *("127.0.0.1", "127.1", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "017700000001", "0", "localhost"),
    *("localhost.", "LOCALHOST", "127.0.0.1.", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:0:0:1]"),
    *("169.254.169.254", "[::]", "0.0.0.0", "10.0.0.1", "[fd00::1]", "[64:ff9b::127.0.0.1]"),
]


@pytest.mark.parametrize("host", SPELLINGS)
def test_no_spelling_of_a_private_address_gets_through(host):
    """However the machine reads the spelling, what counts is the address that it resolves to."""

    @together
    async def ask():
        resolver = Resolver()
        with pytest.raises(ServerRefused) as refused:
            await Outgoing(resolver, private=False).post(parse_target(f"https://{host}/", False), {}, b"")
        resolver.close()
        assert refused.value.refusal.key in ("notice_address_private", "notice_address_unknown")

    ask()


@together
async def test_one_private_address_among_others_is_enough():
    async def mixed(host, port):
        return ["93.184.216.34", "10.0.0.7"]

    with pytest.raises(ServerRefused) as refused:
        await addresses_of(Target("https", "rebound.example", 443, "/"), mixed, private=False)
    assert refused.value.refusal.key == "notice_address_private"


@together
async def test_a_name_is_resolved_once_and_the_checked_address_is_used(monkeypatch):
    """A name that would resolve to another address the second time does no harm: there is no second time."""
    asked, connected = [], []

    async def rebinding(host, port):
        asked.append(host)
        return ["93.184.216.34"] if len(asked) == 1 else ["127.0.0.1"]

    async def connect(address, port, **more):
        connected.append((address, port, more["server_hostname"], type(more["ssl"])))
        raise OSError

    monkeypatch.setattr(asyncio, "open_connection", connect)
    with pytest.raises(ServerRefused) as refused:
        await Outgoing(rebinding, private=False).post(parse_target("https://rebound.example/", False), {}, b"")
    assert refused.value.refusal.key == "notice_unreachable"
    assert asked == ["rebound.example"]
    assert connected == [("93.184.216.34", 443, "rebound.example", ssl.SSLContext)]


async def local(host, port):
    return ["127.0.0.1"]


@together
async def test_redirects_are_not_followed():
    with Receiver() as receiver:
        receiver.replies = [302, 307]
        for status in (302, 307):
            target = parse_target(f"{receiver.url}/hook", True)
            reply = await Outgoing(local, private=True).post(target, {"x": "y"}, b"{}")
            assert (reply.status, reply.taken) == (status, False)
        assert [path for path, _, _ in receiver.posts] == ["/hook", "/hook"]


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"not HTTP at all\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"x: y\r\n" * 100_000,
        b"HTTP/1.1 100 Continue\r\n\r\n" * 100_000,
    ],
    ids=["nothing", "nonsense", "endless head", "endless patience"],
)
def test_an_answer_that_makes_no_sense_or_has_no_end_is_none(answer):
    @together
    async def ask():
        async def babble(reader, writer):
            try:
                writer.write(answer)
                await writer.drain()
                await reader.read()
            except ConnectionError:
                pass
            finally:
                writer.close()

        async with await asyncio.start_server(babble, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            target = parse_target(f"http://127.0.0.1:{port}/", True)
            if not answer:
                server.close()
            with pytest.raises(ServerRefused) as refused:
                await Outgoing(local, private=True).post(target, {}, b"{}")
            assert refused.value.refusal.key == "notice_unreachable"

    ask()


@together
async def test_only_the_head_of_an_answer_is_read():
    async def endless(reader, writer):
        writer.write(b"HTTP/1.1 200 OK\r\nretry-after: 7\r\n\r\n")
        try:
            while True:
                writer.write(b"x" * 65536)
                await writer.drain()
        except ConnectionError:
            writer.close()

    async with await asyncio.start_server(endless, "127.0.0.1", 0) as server:
        target = parse_target(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/", True)
        reply = await Outgoing(local, private=True).post(target, {}, b"{}")
        assert (reply.status, reply.wait) == (200, 7.0)


@together
async def test_hosts_that_never_answer_are_given_up(monkeypatch):
    monkeypatch.setattr("deadwood.server.notices.outgoing.SECONDS", 0.05)

    async def silent(reader, writer):
        await reader.read()
        writer.close()

    async with await asyncio.start_server(silent, "127.0.0.1", 0) as server:
        target = parse_target(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/", True)
        with pytest.raises(ServerRefused) as refused:
            await Outgoing(local, private=True).post(target, {}, b"{}")
        assert refused.value.refusal.key == "notice_unreachable"
