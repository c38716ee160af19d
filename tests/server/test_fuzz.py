"""Every input gets a clear answer: no 5xx, no unhandled exception, no 1011."""

import asyncio
import json
import secrets
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from deadwood.server.protocol.commands import MESSAGE_BYTES

from .fuzzed import TIMES, fuzzed_server
from .people import PATIENCE, person

HTTP_CASES = Path(__file__).with_name("http_cases.py")
MANY = settings(deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    with fuzzed_server(tmp_path_factory.mktemp("fuzz")) as server:
        yield server


def test_http_answers_as_the_openapi_document_says():
    """Schemathesis makes its cases during collection. In a separate process, only this test waits for that."""
    pytest = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "schemathesis"]
    ran = subprocess.run([*pytest, HTTP_CASES], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


# --- the socket

texts = st.text(st.characters(codec=None), max_size=60)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)
KINDS = ["hello", "sit", "leave", "remove", "add_bot", "choose", "ready", "start", "play", "undo", "rematch", "hint"]
KINDS += ["sync", "hand_over", "take_over", "find_handover", "chat", ""]
plausible = {
    "type": st.sampled_from(KINDS),
    "id": st.sampled_from(["a", "b", ""]) | texts,
    "seq": st.integers(-1, 40) | st.integers(),
    "since": st.integers(-1, 40),
    "chair": st.integers(-1, 9),
    "action": st.sampled_from(["end", "act", "move saloon", "take star 1", "upgrade 6 credits", "act = 6"]) | texts,
    "outcome": st.sampled_from(["card 17", "5 / 6 5"]) | texts,
    "name": texts,
    "colour": st.sampled_from(["red", "blue"]) | texts,
    "bot": st.sampled_from(["random", "regular"]) | texts,
    "token": st.just("0123456789abcdef" * 4) | texts,
    "salt": st.just("0123456789abcdef" * 4) | st.none() | texts,
    "tokens": st.lists(texts, max_size=3),
    "secret": st.just("0123456789abcdef" * 4) | texts,
    "options": st.fixed_dictionaries(
        {},
        optional={
            "days": st.integers(),
            "layout": st.sampled_from(["random", "GM/CH", "'"]) | texts,
            "first": texts,
            "dice": st.sampled_from(["fair", "table"]),
            "deck": texts,
        },
    ),
}


@st.composite
def commands(draw):
    """Almost valid commands: known fields with valid, odd and impossible values."""
    names = draw(st.sets(st.sampled_from(sorted(plausible)), max_size=6)) | {"type", "id"}
    message = {name: draw(plausible[name]) for name in sorted(names)}
    if draw(st.booleans()):
        message[draw(texts)] = draw(values)
    return json.dumps(message)


frames = st.one_of(
    commands(),
    commands(),
    values.map(json.dumps),
    st.text(max_size=200),
    st.binary(max_size=200),
    st.just("[" * MESSAGE_BYTES),
)


def said_why(closed):
    """A close frame gets lost if we still send when the socket closes; a 1011 would be in the log as well."""
    return closed.rcvd is None or closed.rcvd.code in (1007, 1008, 1009)


async def say_all(place, table, messages):
    code, token = place.codes[table % len(place.codes)]
    try:
        async with person(place, code, token) as one:
            for message in messages:
                data = message.encode("utf-8", "surrogatepass") if isinstance(message, str) else message
                await one.socket.send(data, text=isinstance(message, str))
            await one.ask("sync", since=0)
    except ConnectionClosed as closed:
        assert said_why(closed)


@given(table=st.integers(0, 3), messages=st.lists(frames, min_size=1, max_size=12))
@settings(MANY, max_examples=150 * TIMES)
def test_any_frames_get_an_answer_or_a_reason(place, table, messages):
    asyncio.run(asyncio.wait_for(say_all(place, table, messages), PATIENCE))


@given(messages=st.lists(frames, min_size=1, max_size=3))
@settings(MANY, max_examples=50 * TIMES)
def test_any_first_frames_get_an_answer_or_a_reason(place, messages):
    async def knock():
        async with connect(place.socket_url(place.codes[2][0])) as line:
            for message in messages:
                data = message.encode("utf-8", "surrogatepass") if isinstance(message, str) else message
                await line.send(data, text=isinstance(message, str))
            try:
                async with asyncio.timeout(PATIENCE):
                    await line.recv()
                    await line.recv()
            except ConnectionClosed as closed:
                assert said_why(closed)

    asyncio.run(asyncio.wait_for(knock(), 2 * PATIENCE))


@given(st.binary(min_size=1, max_size=300))
@settings(MANY, max_examples=50 * TIMES)
def test_arbitrary_bytes_do_not_break_the_server(place, data):
    async def knock():
        reader, writer = await asyncio.open_connection("127.0.0.1", place.port)
        writer.write(data + b"\r\n\r\n")
        writer.write_eof()
        answer = await asyncio.wait_for(reader.read(), PATIENCE)
        writer.close()
        assert b" 500 " not in answer[:40]

    asyncio.run(knock())


def test_the_server_still_works(place):
    code, _ = place.make()
    path = f"/api/tables/{code}/commands"
    assert place.post(path, {"type": "sit", "id": "a", "name": "Bo", "token": secrets.token_hex(32)})["chair"] == 2
