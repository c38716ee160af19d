"""`deadwood admin` on servers that run and on databases whose server is stopped.

Holds `cli.admin`, `server.steward`, `server.store.administration`, `server.store.removal` and
`server.tables.forgetting`.
"""

import json
import sqlite3
from contextlib import asynccontextmanager, closing

import pytest
from sqlalchemy import text
from websockets.asyncio.client import connect

from deadwood import verify
from deadwood.server.administration import administering
from deadwood.server.admission import Admission
from deadwood.server.protocol.commands import NewPerson, NewTable, Ready, Sit
from deadwood.server.protocol.refusals import ServerRefused
from deadwood.server.settings import UNLIMITED
from deadwood.server.steward import Steward
from deadwood.server.store.administration import touch
from deadwood.server.store.database import DatabaseStore
from deadwood.server.store.files import database_file
from deadwood.server.store.removal import delete_if_old, delete_table, forget_person
from deadwood.server.tables.caller import Caller
from deadwood.server.tables.hall import Hall
from deadwood.server.tables.log import Deleted
from deadwood.server.tables.ports import MOST_CHANGES, Age, BundleRow, GameRow
from deadwood.server.tables.records import record_of
from deadwood.server.tables.services import Services

from .commands import ok, run
from .people import knock, person, play_to_the_end, serving, settings_for, started, the_end, together, token, until
from .store.changes import opened, writing

DAY = 86_400


@asynccontextmanager
async def process(url):
    """The tables of a process that learns of changes only from the log."""
    async with opened(DatabaseStore.open(url)) as store, writing(store) as writer:
        services = Services(store, writer.append, None, settings_for(url))
        try:
            yield Hall(services)
        finally:
            await services.close()


async def everything(store):
    """All rows of the database as text."""
    found = []
    async with store._engine.connect() as connection:
        for table in ("log", "tables", "games", "talk", "subscriptions", "outbox"):
            found += [str(row) for row in await connection.execute(text(f"SELECT * FROM {table}"))]
    return "\n".join(found)


def served(database, **more):
    return serving(database, admin_poll=0.05, **more)


# --- looking


@together
async def test_tables_games_and_storage_are_listed(database):
    with served(database) as server:
        code, _ = server.make("Zoë", public=True)
        async with started(server, options={"days": 1}) as host:
            await play_to_the_end(host)
        listed = ok("admin", "tables", "--database", database).splitlines()
        assert [line.split()[:3] for line in listed] == [
            [host.code, "finished", "private"],
            [code, "waiting", "public"],
        ]
        assert listed[1].endswith("1 in log  Zoë")
        assert ok("admin", "tables", "--status", "running", "--database", database) == "There are no such tables.\n"
        (game,) = server.get(f"/api/tables/{host.code}/games")["games"]
        shown = ok("admin", "games", host.code, "--database", database)
        assert shown.rstrip().endswith("; ".join(f"{one['name']} {one['score']}" for one in game["standings"]))
        assert ok("admin", "games", code, "--database", database) == "This table has no finished games.\n"
        used = ok("admin", "storage", "--database", database)
        assert f"1  entries of table {code}" in used
        assert "2  rows in tables" in used
        assert "1  tables that are finished" in used


@together
async def test_tables_where_nothing_happens_are_found(database):
    """Running games are never deleted by themselves, so an operator looks for those that nobody plays any more."""
    with serving(database) as server:
        codes = {"waiting": server.make()[0]}
        for name in ("played", "old", "older"):
            async with started(server) as host:
                codes[name] = host.code
                await host.act()
    async with opened(DatabaseStore.open(database)) as store:
        for name, days in {"waiting": 200, "old": 100, "older": 300}.items():
            await age(store, codes[name], days)

    def found(*options):
        lines = ok("admin", "tables", *options, "--database", database).splitlines()
        return [line.split()[0] for line in lines]

    assert found("--idle", 90, "--status", "running") == [codes["older"], codes["old"]]
    assert found("--idle", 90) == [codes["older"], codes["waiting"], codes["old"]]
    assert found("--idle", 90, "--limit", 1) == [codes["older"]]
    assert found("--idle", 1000) == ["There"]  # are no such tables
    ok("admin", "end", codes["old"], "--database", database)
    ok("admin", "delete", codes["older"], "--yes", "--database", database)
    assert found("--idle", 90) == [codes["waiting"]]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A database that a server has made."""
    url = f"sqlite:///{tmp_path_factory.mktemp('made')}/games.sqlite3"
    serve_once(url)
    return url


def serve_once(url):
    with serving(url):
        pass


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("end", "nonsense"), "'nonsense' is no code of a table"),
        (("end", "K7RM-4TXC"), "There is no table K7RM4TXC."),
        (("delete", "K7RM4TXC", "--yes"), "There is no table K7RM4TXC."),
        (("forget", "Ada"), "Say where: --table CODE, or --everywhere."),
        (("forget", "Ada", "--table", "K7RM4TXC"), "There is no table K7RM4TXC."),
        (("clean",), "Say what: --unstarted DAYS, --finished DAYS, or both."),
        (("ban", "example.org"), "'example.org' is not an address or a network"),
        (("ban", "127.0.0.1"), "127.0.0.1/32 cannot be banned: everybody may come from there."),
        (("ban", "::/0"), "::/0 cannot be banned"),
        (("unban", "203.0.113.9"), "203.0.113.9/32 is not banned."),
    ],
)
def test_commands_that_cannot_be_run_get_a_sentence(made, words, sentence):
    done = run("admin", *words, "--database", made)
    assert done.exit_code in (1, 2)
    assert sentence in done.output


def test_a_database_that_is_not_there_is_not_made(tmp_path):
    done = run("admin", "tables", "--database", f"sqlite:///{tmp_path}/none.db")
    assert (done.exit_code, "There is no database" in done.output) == (1, True)
    assert list(tmp_path.iterdir()) == []


# --- ending


@together
async def test_a_game_is_ended_while_people_play_it(database):
    with served(database) as server:
        async with started(server) as host:
            await host.act()
            ok("admin", "end", host.code, "--database", database)
            update = await host.hear_until(lambda message: message["type"] == "update")
            assert [event["type"] for event in update["events"]] == ["GameCalledOff"]
            assert (host.status, host.table["called_off"]) == ("finished", True)
            again = run("admin", "end", host.code, "--database", database)
            assert (again.exit_code, "No game is running" in again.output) == (1, True)
            await host.do("rematch")
        record = server.get(f"/api/tables/{host.code}/games/1/record")
        assert "failed" not in {check.verdict for check in verify(record)}
        assert "traceback" not in server.log()


@together
async def test_a_game_is_ended_however_fast_it_is_played(database, monkeypatch):
    """Each retry reads only what happened since the last try."""
    with served(database) as server:
        async with started(server) as host, administering(database) as admin:
            before, commit, entries, firsts = host.seq, admin._store.commit, admin._store.entries, []

            async def commit_late(appends):
                if len(firsts) < 4:
                    await host.act()
                return await commit(appends)

            async def read(code, first, last=None):
                firsts.append(first)
                return await entries(code, first, last)

            monkeypatch.setattr(admin._store, "commit", commit_late)
            monkeypatch.setattr(admin._store, "entries", read)
            await admin.end(host.code)
            assert firsts == [1, before + 1, before + 2, before + 3]
            await host.hear_update(before + 4)
            assert (host.status, host.table["called_off"]) == ("finished", True)


@together
async def test_a_game_is_ended_while_the_server_is_stopped(sqlite_url):
    with serving(sqlite_url) as server:
        async with started(server) as host:
            await host.act()
    ok("admin", "end", host.code, "--database", sqlite_url)
    with serving(sqlite_url) as server:
        assert server.get(f"/api/tables/{host.code}")["called_off"] is True


# --- deleting


@together
async def test_a_table_is_deleted_while_people_are_there(database):
    with served(database) as server:
        async with started(server) as host:
            ok("admin", "delete", host.code, "--yes", "--database", database)
            closed = await the_end(host)
            assert closed.rcvd.code == 1012
        status, _, answer = server.request("GET", f"/api/tables/{host.code}")
        assert (status, answer["code"]) == (404, "table_unknown")
        await until(lambda: server.metric("tables") == 0)
        assert server.metric("errors_total") == 0


def test_nothing_is_deleted_without_a_yes(sqlite_url):
    with serving(sqlite_url) as server:
        code, _ = server.make()
        assert run("admin", "delete", code, "--database", sqlite_url).exit_code == 1
        assert server.get(f"/api/tables/{code}")["code"] == code


@together
async def test_a_process_that_heard_nothing_cannot_bring_a_deleted_table_back(database):
    async with process(database) as hall:
        mine = token()
        room = await hall.open(NewTable(chairs=(NewPerson(name="Ada", token=mine),)))
        code, store = room.sitting.code, hall.services.store
        assert await store.administer(delete_table(code, 1.5)) is True
        async with hall.visit(code) as visited:
            with pytest.raises(ServerRefused, match="table unknown"):
                await visited.clerk.perform(visited.caller([mine], "en"), Ready(id="a", chair=1, salt=token()))
        with pytest.raises(ServerRefused, match="table unknown"):
            async with hall.visit(code):
                pass
        assert await store.listing(code) is None
        assert await store.tidy(1.5) is False
        left = [(entry.seq, entry.body) for entry in await store.entries(code, 1)]
        assert left == [(1, Deleted()), (2, Deleted())]  # they keep their numbers taken for a day
        assert await store.administer(delete_table(code, 1.5)) is False
        await store.tidy(2 * DAY)
        assert await store.entries(code, 1) == []


@together
async def test_a_process_that_is_far_behind_cannot_take_a_number_of_a_deleted_table(postgres_url):
    async with process(postgres_url) as behind, process(postgres_url) as ahead:
        mine = token()
        room = await behind.open(NewTable(chairs=(NewPerson(name="Ada", token=mine),)))
        code, store = room.sitting.code, ahead.services.store
        async with ahead.visit(code) as other:
            for id in ("a", "b"):
                await other.clerk.perform(other.caller([mine], "en"), Ready(id=id, chair=1, salt=token()))
        await store.administer(delete_table(code, 1.5))
        with pytest.raises(ServerRefused, match="table unknown"):
            await room.clerk.perform(room.caller([mine], "en"), Ready(id="c", chair=1, salt=token()))
        await store.tidy(1.5)
        sleeping = GameRow(code, 1, 1, 3, "{}")  # somebody who asks for a record has just found the game
        with pytest.raises(ServerRefused, match="table unknown"):
            await record_of(ahead.services, sleeping)
        assert await store.listing(code) is None
        assert {type(entry.body) for entry in await store.entries(code, 1)} == {Deleted}


# --- forgetting

FORGOTTEN = ("Quux", "Corge", "Grault")


@together
async def test_a_forgotten_name_is_nowhere_and_records_still_verify(database):
    name = "Zoë O'Quux"
    with served(database) as server:
        async with started(server, (name, "Bo"), options={"days": 1}, public=True) as host:
            await host.do("vote", to="end", agrees=False)
            await host.ask("say", text="Nice hat.", chair=1)
            await host.ask("say", text="Thanks.", chair=2)
            await play_to_the_end(host)
            old = server.get(f"/api/tables/{host.code}/games/1/record")
            await host.do("rematch")
            await host.do("choose", options={"first": name})
            output = ok("admin", "forget", name.upper(), "--table", host.code, "--database", database)
            assert output == f"At {host.code}, '{name.upper()}' is 'Player 1' now.\n"
            update = await host.hear_until(lambda message: message.get("kind") == "rewritten")
            assert [event["type"] for event in update["events"]] == ["NamesReplaced"]
            assert [chair["name"] for chair in host.table["chairs"]] == ["Player 1", "Bo"]
            assert host.table["options"]["first"] == "Player 1"
            for chair in tuple(host.held):
                await host.be_ready(chair)
            await host.do("start")
            await play_to_the_end(host)
        async with person(server, host.code, *host.tokens) as again:
            assert again.held == [1, 2]
            assert [line["name"] for line in again.welcome["talk"]] == ["Bo"]
        for game in (1, 2):
            record = server.get(f"/api/tables/{host.code}/games/{game}/record")
            assert {check.verdict for check in verify(record)} == {"passed"}
            assert name not in record
        first = server.get(f"/api/tables/{host.code}/games/1")
        assert {one["name"] for one in first["standings"]} == {"Player 1", "Bo"}
        renamed = server.get(f"/api/tables/{host.code}/games/1/record")
        assert renamed == old.replace(name, "Player 1")
    async with opened(DatabaseStore.open(database)) as store:
        assert "Quux" not in await everything(store)


@together
async def test_a_process_that_heard_nothing_does_not_write_the_old_name_again(database):
    async with process(database) as hall:
        chairs = (NewPerson(name="Quux", token=token()), NewPerson(name="player 1", token=token()))
        room = await hall.open(NewTable(chairs=chairs, public=True))
        store = hall.services.store
        assert await store.administer(forget_person("Nobody", room.sitting.code, 1.5)) is None
        assert await store.administer(forget_person("Quux", room.sitting.code, 1.5)) == "Player 2"
        sat = await room.clerk.perform(Caller("en"), Sit(id="a", name="Bo", token=token()))
        assert (sat.seq, [chair.name for chair in room.sitting.chairs]) == (3, ["Player 2", "player 1", "Bo"])
        assert "Quux" not in await everything(store)


@together
async def test_people_who_left_or_watched_or_sent_a_program_are_forgotten_too(database):
    with served(database) as server:
        code, mine = server.make("Ada")
        async with person(server, code, mine) as ada, person(server, code) as gone, person(server, code) as watcher:
            await gone.do("sit", name="Quux", token=token())
            await gone.ask("say", text="Howdy")
            await gone.do("leave", chair=2)
            await watcher.ask("say", text="Nice table", name="Corge", voice=token())
            await gone.do("sit", name="Grault", token=token(), bot="gadget")
            await gone.ask("say", text="Beep")
            await ada.ask("say", text="Bye")
            await until(lambda: "4  rows in talk" in ok("admin", "storage", "--database", database))
            output = [ok("admin", "forget", name, "--table", code, "--database", database) for name in FORGOTTEN]
            assert output == [
                f"At {code}, 'Quux' is 'Player 2' now.\n",
                f"What 'Corge' said at {code} is deleted.\n",
                f"At {code}, 'Grault' is 'Player 3' now.\n",
            ]
            for _ in FORGOTTEN:
                await ada.hear_until(lambda message: message.get("kind") == "rewritten")
            assert [(chair["name"], chair["bot"]) for chair in ada.table["chairs"]] == [
                ("Ada", None),
                ("Player 3", "gadget"),
            ]
            async with person(server, code) as late:
                assert not {line["name"] for line in late.welcome["talk"]}.intersection(FORGOTTEN)
            failed = run("admin", "forget", "Corge", "--table", code, "--database", database)
            assert failed.output.endswith("was ever called 'Corge'.\n")
    async with opened(DatabaseStore.open(database)) as store:
        found = await everything(store)
        assert [name for name in FORGOTTEN if name in found] == []


@together
async def test_a_name_is_forgotten_at_all_tables(sqlite_url):
    with served(sqlite_url) as server:
        mine = {server.make("Quux")[0] for _ in range(2)}
        server.make("Ada")
        output = ok("admin", "forget", "quux", "--everywhere", "--database", sqlite_url)
        assert output.startswith("'quux' is forgotten at 2 tables. ")
        assert set(output.split()[-2:]) == mine
        await until(lambda: all(server.get(f"/api/tables/{code}")["chairs"][0]["name"] == "Player 1" for code in mine))


@pytest.mark.parametrize("command", [("forget", "Quuxly", "--table"), ("delete", "--yes")])
def test_forgetting_and_deleting_leave_no_data_in_the_file(sqlite_url, command):
    """By default, SQLite leaves old data in free space and in the WAL."""
    with served(sqlite_url) as server:
        code, _ = server.make("Quuxly", public=True)
        ok("admin", *command, code, "--database", sqlite_url)
        file = database_file(sqlite_url)
        kept = [one.name for one in file.parent.iterdir() if b"Quuxly" in one.read_bytes()]
        assert kept == []


def touch_others(connection):
    for number in range(MOST_CHANGES):
        touch(connection, str(number), 2.5)
    connection.commit()


@together
async def test_however_many_tables_were_changed_a_server_reads_few_of_the_changes(database):
    """Reading a whole day of changes at every poll took too long."""
    async with process(database) as hall:
        room = await hall.open(NewTable(chairs=(NewPerson(name="Quux", token=token()),)))
        store, code = hall.services.store, room.sitting.code
        steward = Steward(hall, Admission(UNLIMITED, hall.services.monotonic))
        await steward.start()
        await store.administer(forget_person("Quux", code, 1.5))
        await store.administer(touch_others)
        assert len((await store.orders(3.5)).touched) == MOST_CHANGES
        await steward.poll()
        assert room.sitting.chairs[0].name == "Player 1"  # nobody knows which changes are missing


# --- retention


async def age(store, code, days):
    """Make a table that many days older."""

    def older(connection):
        connection.execute(text(f"UPDATE log SET at = at - {days * DAY} WHERE code = '{code}'"))
        connection.execute(text(f"UPDATE tables SET number = number - {days * DAY * 10**6} WHERE code = '{code}'"))
        connection.commit()

    await store.administer(older)


@together
async def test_old_tables_go_but_never_a_running_game(database):
    with serving(database) as server:
        codes = {"fresh": server.make()[0], "unstarted": server.make()[0]}
        for name in ("finished", "again", "fresh finished"):
            async with started(server, options={"days": 1}) as host:
                codes[name] = host.code
                await play_to_the_end(host)
                if name == "again":
                    await host.do("rematch")
        async with started(server) as host:
            codes["running"] = host.code
    async with opened(DatabaseStore.open(database)) as store:
        for name, days in {"unstarted": 2, "finished": 91, "again": 91, "running": 9999, "fresh finished": 80}.items():
            await age(store, codes[name], days)
    assert ok("admin", "clean", "--unstarted", 1, "--database", database) == "1 table deleted.\n"
    assert ok("admin", "clean", "--finished", 90, "--database", database) == "2 tables deleted.\n"
    assert ok("admin", "clean", "--unstarted", 1, "--finished", 90, "--database", database) == "0 tables deleted.\n"
    left = ok("admin", "tables", "--database", database)
    assert {line.split()[0] for line in left.splitlines()} == {
        codes[name] for name in ("fresh", "running", "fresh finished")
    }


@together
async def test_a_server_cleans_up_by_itself(sqlite_url):
    with serving(sqlite_url) as server:
        old, new = server.make()[0], server.make()[0]
    async with opened(DatabaseStore.open(sqlite_url)) as store:
        await age(store, old, 2)
    with served(sqlite_url, keep_unstarted=1.0, keep_finished=90.0) as server:
        await until(lambda: server.metric("tables_deleted_total") == 1)
        assert server.request("GET", f"/api/tables/{old}")[0] == 404
        assert server.get(f"/api/tables/{new}")["code"] == new
        async with opened(DatabaseStore.open(sqlite_url)) as store:
            while {type(entry.body) for entry in await store.entries(old, 1)} != {Deleted}:
                pass


@together
async def test_keys_that_nobody_uses_go(database):
    async with opened(DatabaseStore.open(database)) as store:
        for id, used in (("old", 1 * DAY), ("used", 3 * DAY)):
            await store.bundles.swap(BundleRow(id, 1, "sealed", used))
        await store.delete_old(Age(unstarted=5 * DAY, finished=5 * DAY), 5 * DAY, 10)
        assert await store.bundles.find("old") is not None
        await store.delete_old(Age(keys=2 * DAY), 5 * DAY, 10)
        assert await store.bundles.find("old") is None
        assert await store.bundles.find("used") is not None


@together
async def test_a_table_that_starts_at_that_moment_stays(database, monkeypatch):
    """Somebody does something at the table after we have looked at it, and before our entry."""
    async with process(database) as hall:
        mine = token()
        room = await hall.open(NewTable(chairs=(NewPerson(name="Ada", token=mine),)))
        code, store = room.sitting.code, hall.services.store
        await age(store, code, 2)
        late = Age(hall.services.now() - DAY, None)
        stored = await store.entries(code, 1)
        await room.clerk.perform(room.caller([mine], "en"), Ready(id="a", chair=1, salt=token()))
        monkeypatch.setattr("deadwood.server.store.removal._last", lambda *_: stored[-1].seq)
        monkeypatch.setattr("deadwood.server.store.removal._old", lambda _age: _every_table())
        assert await store.administer(delete_if_old(code, late, 1.5)) is False
        assert [entry.seq for entry in await store.entries(code, 1)] == [1, 2]


def _every_table():
    from sqlalchemy import select

    from deadwood.server.store.schema import tables

    return select(tables.c.code)


# --- bans


@together
async def test_a_banned_address_is_cut_off_and_others_are_not(database):
    with served(database) as server:
        bad, good = server.at("203.0.113.9"), server.at("203.0.113.200")
        code, mine = bad.make()
        async with person(bad, code, mine) as one, person(good, code) as other:
            output = ok("admin", "ban", "203.0.113.7/28", "--reason", "spam", "--database", database)
            assert output == "203.0.113.0/28 is banned.\n"
            await the_end(one)
            status, _, refused = bad.request("GET", f"/api/tables/{code}")
            assert (status, refused["code"]) == (403, "address_banned")
            assert (await other.ask("ping"))["type"] == "pong"
        async with connect(bad.socket_url(code), additional_headers=bad.headers) as again:
            assert json.loads(await again.recv())["code"] == "address_banned"
        assert "203.0.113.0/28" in ok("admin", "bans", "--database", database)
        ok("admin", "unban", "203.0.113.0/28", "--database", database)
        await until(lambda: bad.request("GET", f"/api/tables/{code}")[0] == 200)
        assert ok("admin", "bans", "--database", database) == "Nobody is banned.\n"


def test_bans_hold_from_the_first_request_and_end_by_themselves(tmp_path, sqlite_url):
    serve_once(sqlite_url)
    ok("admin", "ban", "2001:db8::1", "--days", 2, "--database", sqlite_url)
    with serving(sqlite_url) as server:
        assert server.at("2001:db8::ffff").request("GET", "/api/about")[0] == 403
    with closing(sqlite3.connect(tmp_path / "games.sqlite3")) as connection:
        connection.execute(f"UPDATE bans SET until = until - {3 * DAY}")
        connection.commit()
    with serving(sqlite_url) as server:
        assert server.at("2001:db8::ffff").request("GET", "/api/about")[0] == 200


def test_only_a_proxy_may_say_where_a_request_comes_from(sqlite_url):
    serve_once(sqlite_url)
    ok("admin", "ban", "203.0.113.9", "--database", sqlite_url)
    ask = b"GET /livez HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 203.0.113.9\r\nConnection: close\r\n\r\n"
    for proxies, status in (((), b"200"), (("127.0.0.0/30",), b"403")):
        with serving(sqlite_url, proxies=proxies) as server, knock(server, ask, "127.0.0.2") as line:
            assert line.recv(12) == b"HTTP/1.1 " + status


# --- read-only


@together
async def test_a_read_only_server_shows_everything_and_changes_nothing(sqlite_url):
    with served(sqlite_url) as server:
        async with started(server, bots=[{"bot": "random"}], options={"first": "Ada"}) as host:
            ok("admin", "read-only", "on", "--database", sqlite_url)
            await until(lambda: server.request("DELETE", "/api/bundle", token=token())[0] == 503)
            offers = host.offers
            refused = await host.ask("play", seq=host.seq + 1, action="end")
            assert refused["code"] == "read_only"
            assert (await host.ask("say", text="Hello?", chair=1))["code"] == "read_only"
            made = {"chairs": [{"type": "person", "name": "Bo", "token": token()}]}
            status, _, answer = server.request("POST", "/api/tables", made)
            assert (status, answer["code"]) == (503, "read_only")
            assert server.get(f"/api/tables/{host.code}")["position"]["offers"] == offers
            ok("admin", "read-only", "off", "--database", sqlite_url)
            await until(lambda: server.request("DELETE", "/api/bundle", token=token())[0] == 200)
            await play_to_the_end(host)
        lines = [json.loads(line)["message"] for line in server.log().splitlines()]
        assert lines == ["the server is read-only now", "the server is no longer read-only"]


@together
async def test_bots_wait_while_a_server_is_read_only_and_then_go_on(sqlite_url):
    serve_once(sqlite_url)
    ok("admin", "read-only", "on", "--database", sqlite_url)
    with served(sqlite_url) as server:
        assert server.request("POST", "/api/tables", {"chairs": [{"type": "bot", "bot": "random"}] * 2})[0] == 503
    ok("admin", "read-only", "off", "--database", sqlite_url)
    with served(sqlite_url, bot_pause=0.1) as server:
        made = server.post("/api/tables", {"chairs": [{"type": "bot", "bot": "random"}] * 2}, status=201)
        async with person(server, made["table"]["code"]) as watcher:
            await watcher.hear_update(watcher.seq + 1)
            ok("admin", "read-only", "on", "--database", sqlite_url)
            await until(lambda: "read-only now" in server.log())
            code = made["table"]["code"]
            seq = server.get(f"/api/tables/{code}")["seq"]
            decided = server.metric("bot_decisions_total")
            ok("admin", "storage", "--database", sqlite_url)
            assert server.get(f"/api/tables/{code}")["seq"] <= seq + 1  # one entry was being stored already
            assert server.metric("bot_decisions_total") <= decided + 1
            ok("admin", "read-only", "off", "--database", sqlite_url)
            await watcher.hear_update(seq + 2)
