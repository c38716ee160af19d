"""Decks and boards that people bring: checked over HTTP, played with at a table, kept in its log.

Holds `server.workers.checking`.
"""

import asyncio
import secrets

import pytest

from deadwood import Game, verify
from deadwood.engine.board import parse_board
from deadwood.engine.deck import format_deck, parse_deck
from deadwood.engine.loading import FILE_BYTES
from deadwood.server.limits import Rate
from deadwood.server.settings import Limits

from ...own_files import BOARD, BOARD_NAME, DECK, DECK_NAME
from ..people import knock, person, play_to_the_end, serving, started, together, token

TOML = {"content-type": "application/toml"}
BAD_DECK = DECK.replace("budget = 4", "budget = 9", 1)


def send(server, method, path, text="", who=None, kind="application/toml"):
    return server.request(method, path, text.encode() or None, token=who, headers={"content-type": kind})


def bring(server, code, who, *, deck=DECK, board=BOARD):
    for kind, text in (("deck", deck), ("board", board)):
        status, _, done = send(server, "PUT", f"/api/tables/{code}/{kind}", text, who)
        assert (status, done["type"]) == (200, "done")


# --- checking


def test_a_deck_is_checked(server):
    status, _, checked = send(server, "POST", "/api/decks/check", DECK)
    assert status == 200
    assert checked["deck"]["name"] == DECK_NAME
    assert checked["fingerprint"] == parse_deck(DECK).fingerprint
    assert parse_deck(checked["toml"]) == parse_deck(DECK)


def test_a_board_is_checked(server):
    status, _, checked = send(server, "POST", "/api/boards/check", BOARD, kind="text/plain; charset=UTF-8")
    assert status == 200
    assert checked["board"]["name"] == BOARD_NAME
    assert checked["fingerprint"] == parse_board(BOARD).fingerprint
    assert parse_board(checked["toml"]) == parse_board(BOARD)


def test_a_deck_may_extend_a_built_in_one_and_comes_back_whole(server):
    card = DECK.split("[[cards]]")[1]
    status, _, checked = send(
        server, "POST", "/api/decks/check", f'name = "more"\nextends = "classic"\n[[cards]]{card}'
    )
    assert status == 200
    assert len(checked["deck"]["cards"]) == len(parse_deck(checked["toml"]).cards) == 41


def test_a_deck_that_is_too_big_with_what_it_extends_is_refused(server):
    """Its record could not attach it."""
    card = DECK.split("[[cards]]")[1]
    text = f'name = "more"\nextends = "studio"\n[[cards]]{card}'
    most = FILE_BYTES - 10_000
    for number in range(500, 700):
        more = LONG_CARD.format(number=number, text="x" * 400)
        text += more if len(text) + len(more) < most else ""
    status, _, checked = send(server, "POST", "/api/decks/check", text)
    assert status == 422
    assert "65,536" in checked["sentence"]


LONG_CARD = """
[[cards]]
number = {number}
title = "Scene {number}"
scene = 1
budget = 2
description = "{text}"
roles = [{{ rank = 1, name = "Role {number}", line = "{text}" }}]
"""


def test_a_file_that_is_too_big_gets_a_sentence_about_files(server):
    status, _, refused = server.request("POST", "/api/decks/check", b"#" * (FILE_BYTES + 1), headers=TOML)
    assert (status, refused["code"]) == (413, "file_too_big")
    assert refused["sentence"] == f"A file may have at most {FILE_BYTES} bytes."


def test_problems_of_a_deck_are_reported_with_their_line(server):
    status, _, refused = send(server, "POST", "/api/decks/check", BAD_DECK)
    line = BAD_DECK[: BAD_DECK.index("budget = 9")].count("\n") + 1
    assert (status, refused["code"], refused["line"]) == (422, "file_wrong", line)
    assert refused["sentence"] == (
        f"This file cannot be used: card 101: budget: must be at most 6, not 9 (line {line})."
    )
    _, _, refused = send(server, "POST", "/api/decks/check?language=de", BAD_DECK)
    assert refused["sentence"].startswith("Diese Datei lässt sich nicht verwenden: ")
    assert refused["sentence"].endswith(f"(Zeile {line}).")


HOSTILE = {
    "empty": (b"", 422),
    "too big": (DECK.encode().ljust(FILE_BYTES + 1, b"#"), 413),
    "nested": (b"a = " + b"[" * 60_000, 422),
    "tables": (b"a = " + b"{ b = " * 10_000, 422),
    "dotted": (b"a" + b".a" * 32_000 + b" = 1", 422),
    "null bytes": (b"\0" * 1000, 422),
    "null in a text": (DECK.encode().replace(b"Reel 101", b"Reel \\u0000"), 422),
    "not text": (b"\xff\xfe\x00", 400),
    "ten thousand cards": (b'name = "x"\ncards = [' + b"{}," * 10_000 + b"]", 422),
    "a long number": (b"a = " + b"9" * 60_000, 422),
    "a long number in hexadecimal": (b"name = 0x" + b"f" * 6_000, 422),
    "strings that nobody closed": (b'\\"""\n' * 9_000, 422),
    "a key that looks like a place": (b'"x` - at `$.foo" = 1', 422),
    "an invisible character": (DECK.replace("Reel 101", "Reel \u200f101").encode(), 422),
    "another file": (DECK.replace("\n", '\nextends = "/etc/passwd"\n', 1).encode(), 422),
    "its neighbour": (DECK.replace("\n", '\nextends = "board.toml"\n', 1).encode(), 422),
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("kind", ["decks", "boards"])
def test_hostile_files_get_a_sentence(server, kind, name):
    data, expected = HOSTILE[name]
    status, _, refused = server.request("POST", f"/api/{kind}/check", data, headers=TOML)
    assert (status, refused["type"]) == (expected, "refused")
    assert 10 < len(refused["sentence"]) < 500


def test_a_file_of_just_the_right_size_is_read(server):
    full = DECK.encode().ljust(FILE_BYTES, b"#")
    assert server.request("POST", "/api/decks/check", full, headers=TOML)[0] == 200


@pytest.mark.parametrize("kind", ["application/json", "application/x-www-form-urlencoded", "image/png", ""])
def test_other_content_types_are_refused(server, kind):
    status, _, refused = server.request("POST", "/api/decks/check", DECK.encode(), headers={"content-type": kind})
    assert (status, refused["code"]) == (415, "file_kind_wrong")
    assert "application/toml or text/plain" in refused["sentence"]


# --- in the lobby


def test_the_host_brings_a_deck_and_a_board_and_everybody_sees_them(server):
    code, host = server.make()
    before = server.get(f"/api/tables/{code}")
    assert before["deck"] == {**before["deck"], "name": "classic", "cards": 40, "key": None}
    bring(server, code, host)
    view = server.get(f"/api/tables/{code}")
    assert (view["deck"]["name"], view["board"]["name"]) == (DECK_NAME, BOARD_NAME)
    assert view["deck"]["fingerprint"] == parse_deck(DECK).fingerprint
    assert view["layout"] == "SM/CH"
    deck = server.get(f"/api/tables/{code}/deck?key={view['deck']['key']}")
    assert [card["title"] for card in deck["cards"]][:2] == ["Reel 101", "Reel 102"]
    board = server.get(f"/api/tables/{code}/board?key={view['board']['key']}")
    assert "opera-house" in [area["id"] for area in board["areas"]]
    assert board["prices"][0]["dollars"] == 3
    plan = server.get(f"/api/tables/{code}/floor-plan?layout=long&key={view['board']['key']}")
    assert (plan["layout"], "opera-house" in plan["areas"]) == ("SMCH", True)
    options = {one["name"]: one for one in server.get(f"/api/tables/{code}/options")["options"]}
    assert [value["value"] for value in options["layout"]["values"]] == ["standard", "long", "random"]


def test_a_built_in_deck_is_shown_as_well(server):
    code, _ = server.make(options={"deck": "studio"})
    assert len(server.get(f"/api/tables/{code}/deck")["cards"]) == 60
    assert server.get(f"/api/tables/{code}/board") == server.get("/api/board")
    assert server.get(f"/api/tables/{code}/floor-plan") == server.get("/api/floor-plan")


@together
async def test_everybody_must_be_ready_again_and_hears_why(server):
    code, host_token = server.make()
    async with person(server, code, host_token) as host:
        for kind, text, name in (("deck", DECK, DECK_NAME), ("board", BOARD, BOARD_NAME)):
            await host.be_ready()
            status, _, done = send(server, "PUT", f"/api/tables/{code}/{kind}", text, host_token)
            assert status == 200
            await host.hear_update(done["seq"])
            assert not host.table["chairs"][0]["ready"]
            assert host.updates[-1]["kind"] == f"{kind}_swapped"
            assert f'The host brought the {kind} "{name}"' in host.updates[-1]["sentences"][0]
            await host.be_ready()
            _, _, done = send(server, "DELETE", f"/api/tables/{code}/{kind}", "", host_token)
            await host.hear_update(done["seq"])
            assert not host.table["chairs"][0]["ready"]
            assert host.table[kind]["key"] is None
            assert f"The host went back to the built-in {kind}" in host.updates[-1]["sentences"][0]


def test_the_same_file_again_changes_nothing(server):
    code, host = server.make()
    bring(server, code, host)
    seq = server.get(f"/api/tables/{code}")["seq"]
    bring(server, code, host, deck=format_deck(parse_deck(DECK)))
    assert server.get(f"/api/tables/{code}")["seq"] == seq
    code, host = server.make()
    assert send(server, "DELETE", f"/api/tables/{code}/deck", "", host)[2]["seq"] == 1


def test_a_layout_that_the_board_does_not_have_gives_way(server):
    code, host = server.make(options={"layout": "G'M/CH"})
    bring(server, code, host)
    assert server.get(f"/api/tables/{code}")["options"]["layout"] == "standard"
    send(server, "DELETE", f"/api/tables/{code}/board", "", host)
    assert server.get(f"/api/tables/{code}")["layout"] == "GM/CH"
    code, host = server.make(options={"layout": "random"})
    bring(server, code, host)
    assert server.get(f"/api/tables/{code}")["options"]["layout"] == "random"


@together
async def test_options_are_those_of_the_board(server):
    code, host_token = server.make()
    bring(server, code, host_token)
    async with person(server, code, host_token) as host:
        await host.do("choose", options={"layout": "long"})
        assert host.table["layout"] == "SMCH"
        refused = await host.ask("choose", options={"layout": "GM/CH"})
        assert "'G'" in refused["sentence"]


@together
async def test_only_the_host_may_and_only_before_the_game(server):
    code, _ = server.make()
    guest = token()
    async with person(server, code) as other:
        await other.do("sit", name="Bo", token=guest)
    for who, status, code_ in (
        (guest, 403, "not_the_host"),
        (None, 403, "not_the_host"),
        (token(), 403, "token_unknown"),
    ):
        for method in ("PUT", "DELETE"):
            answered, _, refused = send(server, method, f"/api/tables/{code}/deck", DECK, who)
            assert (answered, refused["code"]) == (status, code_)
    async with started(server) as host:
        answered, _, refused = send(server, "PUT", f"/api/tables/{host.code}/deck", DECK, host.tokens[0])
        assert (answered, refused["code"]) == (409, "table_not_waiting")


@together
async def test_whoever_gives_the_chair_away_while_a_file_arrives_brings_it_in_vain(server):
    code, old = server.make()
    head = f"PUT /api/tables/{code}/deck HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {old}\r\nConnection: close\r\n"
    body = f"Content-Type: text/plain\r\nContent-Length: {len(DECK.encode())}\r\nExpect: 100-continue\r\n\r\n"
    with knock(server, (head + body).encode()) as line:
        assert line.recv(1000).startswith(b"HTTP/1.1 100")  # from now on the server waits for the file
        secret = token()
        async with person(server, code, old) as before, person(server, code) as after:
            await before.do("hand_over", chair=1, secret=secret)
            await after.do("take_over", secret=secret, token=token())
        line.sendall(DECK.encode())
        assert line.recv(1000).startswith(b"HTTP/1.1 403")
    assert server.get(f"/api/tables/{code}")["seq"] == 3  # opened, handed over, taken over


def test_a_file_that_is_wrong_changes_nothing(server):
    code, host = server.make()
    status, _, refused = send(server, "PUT", f"/api/tables/{code}/deck", BAD_DECK, host)
    assert (status, refused["code"]) == (422, "file_wrong")
    assert server.get(f"/api/tables/{code}")["seq"] == 1
    status, _, _ = send(server, "PUT", f"/api/tables/{code}/board", DECK, host)
    assert status == 422


def test_a_client_that_knows_an_older_file_learns_so(server):
    code, host = server.make()
    bring(server, code, host)
    key = server.get(f"/api/tables/{code}")["deck"]["key"]
    send(server, "PUT", f"/api/tables/{code}/deck", DECK.replace("It is dark.", "It is bright."), host)
    view = server.get(f"/api/tables/{code}")
    assert view["deck"]["fingerprint"] == parse_deck(DECK).fingerprint
    assert view["deck"]["key"] != key
    status, _, refused = server.request("GET", f"/api/tables/{code}/deck?key={key}")
    assert (status, refused["code"]) == (409, "file_changed")


@together
async def test_a_deck_that_is_too_small_is_refused_at_the_start(server):
    small = parse_deck(DECK)
    text = format_deck(type(small)(small.name, small.cards[:12]))
    code, host_token = server.make()
    send(server, "PUT", f"/api/tables/{code}/deck", text, host_token)
    async with person(server, code, host_token) as host:
        await host.do("sit", name="Bo", token=token())
        for chair in tuple(host.held):
            await host.be_ready(chair)
        refused = await host.ask("start")
        assert (refused["code"], refused["rule"]) == ("deck_too_small", "R2.5")
        assert host.table["start_refusal"] == refused["sentence"]
        await host.do("choose", options={"days": 1})
        for chair in tuple(host.held):
            await host.be_ready(chair)
        await host.do("start")


@together
async def test_simultaneous_uploads_make_one_entry_each_and_the_last_one_counts(server):
    code, host_token = server.make()
    texts = [DECK.replace(DECK_NAME, f"Reels {number}") for number in range(6)]
    answers = await asyncio.gather(
        *(asyncio.to_thread(send, server, "PUT", f"/api/tables/{code}/deck", text, host_token) for text in texts)
    )
    assert [status for status, _, _ in answers] == [200] * len(texts)
    assert sorted(done["seq"] for _, _, done in answers) == list(range(2, 2 + len(texts)))
    last = max(range(len(texts)), key=lambda number: answers[number][2]["seq"])
    assert server.get(f"/api/tables/{code}")["deck"]["name"] == f"Reels {last}"


def test_files_are_limited_by_address(sqlite_url):
    limits = Limits(files=Rate(0.001, 2))
    with serving(sqlite_url, limits=limits) as server:
        code, host = server.make()
        bring(server, code, host)
        status, headers, refused = send(
            server, "PUT", f"/api/tables/{code}/deck", DECK.replace(DECK_NAME, "Third"), host
        )
        assert (status, refused["code"]) == (429, "too_many_requests")
        assert int({name.lower(): value for name, value in headers.items()}["retry-after"]) > 60
        assert server.get(f"/api/tables/{code}")["deck"]["name"] == DECK_NAME


def test_files_are_limited_by_address_and_day(sqlite_url):
    """At any tables: what a table holds stays for as long as the table."""
    with serving(sqlite_url, limits=Limits(daily_files=Rate(0.001, 2))) as server:
        for address, allowed in (("192.0.2.1", 2), ("192.0.2.2", 1)):
            there = server.at(address)
            for _ in range(allowed):
                code, host = there.make()
                assert send(there, "PUT", f"/api/tables/{code}/deck", DECK, host)[0] == 200
        code, host = server.at("192.0.2.1").make()
        status, headers, refused = send(server.at("192.0.2.1"), "PUT", f"/api/tables/{code}/board", BOARD, host)
        assert (status, refused["code"]) == (429, "too_many_requests")
        assert int({name.lower(): value for name, value in headers.items()}["retry-after"]) > 60


# --- playing


@together
async def test_a_whole_game_verifies_anywhere(server):
    code, host_token = server.make(options={"days": 1})
    bring(server, code, host_token)
    async with person(server, code, host_token) as host:
        await host.do("sit", name="Bo", token=token())
        for chair in tuple(host.held):
            await host.be_ready(chair)
        await host.do("start")
        assert host.table["options"]["deck"] == f"custom:{parse_deck(DECK).fingerprint}"
        assert host.table["deck"]["name"] == DECK_NAME
        assert "opera-house" in host.state["sets"]
        await host.act("end")
        await host.do("undo", seq=host.seq + 1)
        assert host.updates[-1]["kind"] == "undone"
        assert (await host.ask("hint"))["type"] == "hints"
        await play_to_the_end(host)
    record = server.get(f"/api/tables/{code}/games/1/record")
    assert {check.verdict for check in verify(record)} == {"passed"}
    table = Game.from_record(record).state.table
    assert (table.deck, table.board) == (parse_deck(DECK), parse_board(BOARD))
    for replay in (
        server.get(f"/api/tables/{code}/games/1/replay"),
        server.request("POST", "/api/replays", record.encode(), headers={"content-type": "text/plain"})[2],
    ):
        assert replay["deck"]["cards"][0]["title"] == "Reel 101"
        assert "opera-house" in [area["id"] for area in replay["board"]["board"]["areas"]]
        assert replay["board"]["plan"]["layout"] == "SM/CH"


@together
async def test_bots_restarts_and_a_rematch(database):
    with serving(database) as server:
        bots = [{"bot": "extra"}, {"bot": "hopeful"}]
        code, host_token = server.make(bots=bots, options={"days": 1, "first": "Ada"})
        bring(server, code, host_token)
        async with person(server, code, host_token) as host:
            await host.be_ready()
            await host.do("start")
            await host.act("end")
    with serving(database) as server:
        view = server.get(f"/api/tables/{code}")
        assert (view["deck"]["name"], view["board"]["name"], view["status"]) == (DECK_NAME, BOARD_NAME, "running")
        async with person(server, code, host_token) as host:
            await play_to_the_end(host)
            await host.do("rematch")
            assert (host.table["deck"]["name"], host.table["board"]["name"]) == (DECK_NAME, BOARD_NAME)
            assert host.table["options"]["deck"] == "classic"
    with serving(database) as server:
        async with person(server, code, host_token) as host:
            assert host.table["deck"]["name"] == DECK_NAME
            send(server, "DELETE", f"/api/tables/{code}/deck", "", host_token)
            await host.hear_until(lambda message: message["type"] == "update")
            assert host.table["deck"]["name"] == "classic"
            await host.be_ready()
            await host.do("start")
            await play_to_the_end(host)
        first, second = (server.get(f"/api/tables/{code}/games/{number}/record") for number in (1, 2))
        assert "attached deck:" in first
        assert "attached deck:" not in second
        for record in (first, second):
            assert "attached board:" in record
            assert {check.verdict for check in verify(record)} == {"passed"}


@together
async def test_people_roll_real_dice_with_their_own_cards(server):
    code, host_token = server.make(options={"dice": "table", "first": "Ada"})
    bring(server, code, host_token)
    async with person(server, code, host_token) as host:
        await host.do("sit", name="Bo", token=secrets.token_hex(32))
        for chair in tuple(host.held):
            await host.be_ready(chair)
        await host.do("start")
        moves = [offer for offer in host.offers if offer.get("needs")]
        refused = await host.ask("play", seq=host.seq + 1, action=moves[0]["action"], outcome="card 1")
        assert refused["code"] == "card_unknown"
        await host.act(moves[0]["action"], outcome="card 101")
        assert "Reel 101" in " ".join(host.updates[-1]["sentences"])
