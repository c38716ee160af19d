"""The client at a real server: whole evenings, and the messages when something is wrong.

Holds `client.files` and `client.table`.
"""

import asyncio
import contextlib
import io
import re
import socket
from pathlib import Path

import pytest

from deadwood import Game, Options, rules
from deadwood.client import (
    Listener,
    NotAServer,
    Server,
    ServerRefused,
    ServerUnreachable,
    TableLeft,
)
from deadwood.engine.board import built_in_board, format_board
from deadwood.engine.deck import built_in_deck, format_deck

from ..server.people import serving, together

PAGE = Path(__file__).parents[2] / "docs" / "client.md"


def test_the_program_in_the_documents_runs(server):
    (program,) = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        exec(program.replace("http://127.0.0.1:8000", server.url), {})
    assert re.fullmatch(r"(Ada|.+) wins\n", shown.getvalue())


class Ears(Listener):
    def __init__(self):
        self.sentences, self.lines = [], []

    def caught_up(self, missed, first):
        for update in missed:
            self.updated(update)

    def updated(self, update):
        self.sentences += update.sentences

    def said(self, line):
        self.lines.append((line.name, line.text))


@contextlib.asynccontextmanager
async def two_people(server, **options):
    """Ada hosts, Bo sits down; both are ready, and the game has started."""
    async with (
        Server(server.url) as client,
        await client.host("Ada", options=Options(first="Ada", **options)) as ada,
        client.join(ada.code, listener=Ears()) as bo,
    ):
        await bo.sit("Bo")
        for table in (ada, bo):
            await table.ready(table.held[0])
        await ada.until(lambda: all(chair.ready for chair in ada.view.chairs))
        await ada.start()
        await bo.until(lambda: bo.view.status == "running")
        yield client, ada, bo


@together
async def test_two_people_play_talk_undo_and_ask_for_a_hint(server):
    async with two_people(server) as (_, ada, bo):
        assert (ada.my_turn, bo.my_turn) == (True, False)
        state = await ada.state()
        assert rules.legal_actions(state)
        await ada.play("end")
        assert await bo.next_turn()
        await ada.undo()
        assert ada.my_turn
        hints = await ada.hint()
        assert {one.action for one in hints.advice} == {offer.action for offer in ada.position.offers}
        await ada.say("Nice hat.")
        await bo.until(lambda: bo.talk)
        assert bo.listener.lines == [("Ada", "Nice hat.")]
        assert bo.listener.sentences[-1].startswith("Ada takes back")
        with pytest.raises(ServerRefused) as refused:
            await bo.play("end")
        assert refused.value.problem.code == "not_your_turn"
        assert str(refused.value) == refused.value.problem.sentence


@together
async def test_tokens_bring_us_back(server):
    async with two_people(server) as (client, ada, bo):
        await ada.play("end")
        (kept,) = bo.tokens
        await bo.close()
        assert bo.status == "ended"
        with pytest.raises(TableLeft):
            await bo.play("end")
        async with client.join(ada.code, [kept], listener=Ears()) as again:
            assert [chair.name for chair in again.own_chairs] == ["Bo"]
            assert again.my_turn
            assert len(again.listener.sentences) > 4


@together
async def test_a_token_is_kept_before_the_server_knows_it(server):
    code, _ = server.make()

    class Keeper:
        def keep(self, token, name):
            self.kept = token, name
            assert len(server.get(f"/api/tables/{code}")["chairs"]) == 1

        def forget(self, token):
            self.forgotten = token

    async with Server(server.url) as client, client.join(code, keeper=Keeper()) as bo:
        with pytest.raises(ServerRefused):
            await bo.sit("Ada")
        assert bo.tokens == []
        assert bo._keeper.kept == (bo._keeper.forgotten, "Ada")
        await bo.sit("Bo")
        assert bo._keeper.kept == (bo.tokens[0], "Bo")


@together
async def test_leaving_gives_up_the_chair(server):
    async with two_people(server) as (_, ada, bo):
        await bo.leave(bo.held[0])
        assert bo.held == ()
        await ada.until(lambda: ada.view.chairs[1].left)


@together
async def test_a_seat_that_another_device_takes_over_is_ours_no_longer(server):
    async with two_people(server) as (client, ada, bo):
        (chair,) = bo.held
        secret = await bo.hand_over([chair])
        async with client.join(ada.code) as phone:
            assert await phone.take_over(secret) == phone.held == (chair,)
            with pytest.raises(ServerRefused, match="already"):
                await phone.take_over(secret)
            await bo.until(lambda: bo.status == "open" and not bo.held)


@together
async def test_states_of_custom_decks_and_boards(server):
    board = format_board(built_in_board()).replace("Saloon", "Juice Bar").replace("saloon", "juice-bar")
    deck = format_deck(built_in_deck("studio"))
    deck = deck.replace('name = "studio"', 'name = "mine"')
    code, hers = server.make("Ada", bots=[{"bot": "random"}], options={"first": "Ada"})
    for path, text in (("board", board), ("deck", deck)):
        status, _, said = server.request(
            "PUT", f"/api/tables/{code}/{path}", text.encode(), token=hers, headers={"content-type": "text/plain"}
        )
        assert status == 200, said
    async with Server(server.url) as client, client.join(code, [hers]) as ada:
        assert await ada.state() is None
        await ada.ready(ada.held[0])
        await ada.start()
        state = await ada.state()
        assert state.table.deck.name == "mine"
        assert "juice-bar" in state.table.area_numbers
        assert {rules.refusal(state, action) for action in rules.legal_actions(state)} == {None}
        assert (await ada.state()).table is state.table


@together
async def test_the_record_of_a_finished_game(server):
    code = server.post(
        "/api/tables", {"chairs": [{"type": "bot", "bot": "random"}] * 2, "options": {"days": 1}}, status=201
    )
    code = code["table"]["code"]
    async with Server(server.url) as client, client.join(code) as watching:
        await watching.until(lambda: watching.view.status == "finished")
        game = Game.from_record(await client.record(code, 1))
        assert [one.name for one in game.standings()] == [one.name for one in watching.view.standings]
        assert not watching.my_turn


@together
async def test_a_table_that_does_not_exist(server):
    async with Server(server.url) as client:
        with pytest.raises(ServerRefused, match="K7RM4TXC") as refused:
            await client.table("K7RM4TXC")
        assert refused.value.problem.code == "table_unknown"
        with pytest.raises(TableLeft, match="K7RM4TXC"):
            async with client.join("K7RM4TXC"):
                pass


@together
async def test_nobody_listens_there():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    async with Server(f"127.0.0.1:{port}") as client:
        with pytest.raises(ServerUnreachable, match=f"No server answers at http://127.0.0.1:{port}"):
            await client.about()


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
        b"HTTP/1.1 404 Not Found\r\nContent-Length: 5\r\n\r\nhello",
        b"HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}",
    ],
)
@together
async def test_somebody_else_listens_there(answer):
    async def other(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        writer.close()

    async with await asyncio.start_server(other, "127.0.0.1", 0) as listening:
        port = listening.sockets[0].getsockname()[1]
        async with Server(f"http://127.0.0.1:{port}") as client:
            with pytest.raises(NotAServer, match="not a Deadwood server"):
                await client.about()


@together
async def test_a_server_that_restarts_is_found_again(tmp_path):
    database = f"sqlite:///{tmp_path}/games.sqlite3"
    with serving(database) as first:
        port = first.port
        async with Server(first.url) as client, await client.host("Ada", bots=["random"]) as ada:
            await ada.ready(ada.held[0])
            first.kill()
            await ada.until(lambda: ada.status == "lost")
            starting = asyncio.create_task(ada.start())
            with serving(database, port=port):
                ada.check()
                await starting
                assert ada.view.status == "running"
