"""Clients reconnect, even after a restart, and everybody sees who is present."""

from deadwood import verify

from .people import bots_alone, person, play_to_the_end, serving, started, together, token

# --- reconnecting


@together
async def test_a_token_brings_its_chair_back_and_the_updates_that_were_missed(server):
    async with started(server) as host:
        first = host.seq
        actions = []
        for _ in range(4):
            await host.act("end")
            actions.append(host.updates[-1])
        async with person(server, host.code, *host.tokens, since=first + 1) as again:
            missed = again.welcome["missed"]
            assert [one["seq"] for one in missed] == [first + 2, first + 3, first + 4]
            assert [one["sentences"] for one in missed] == [one["sentences"] for one in actions[1:]]
            assert again.welcome["table"]["position"]["state"] == host.state
            assert again.held == host.held
            await again.act("end")  # several tabs of one seat at once
            await host.hear_update(again.seq)
            await host.act("end")
        synced = await host.ask("sync", since=first)
        assert [one["seq"] for one in synced["missed"]] == list(range(first + 1, host.seq + 1))


@together
async def test_players_come_back_after_a_restart(database):
    with serving(database) as server:
        async with started(server, options={"days": 1}) as host:
            for _ in range(5):
                await host.act("end")
            code, tokens, seats, state, seq = host.code, host.tokens, host.held, host.state, host.seq
            last = {"id": "again", "seq": seq, "action": "end"}
    with serving(database) as server:
        async with person(server, code) as watcher:
            assert watcher.welcome["present"] == []
            async with person(server, code, *tokens, since=seq - 2) as host:
                assert (await watcher.hear())["chairs"] == host.held == seats
        async with person(server, code, *tokens, since=seq - 2) as host:
            assert host.state == state
            assert [one["seq"] for one in host.welcome["missed"]] == [seq - 1, seq]
            assert (await host.ask("play", **last))["code"] == "stale"
            await play_to_the_end(host)
            record = server.get(f"/api/tables/{code}/games/1/record")
            assert {check.verdict for check in verify(record)} == {"passed"}


@together
async def test_bots_go_on_after_a_restart(sqlite_url):
    with serving(sqlite_url, bot_pause=0.1) as server:
        made = server.post("/api/tables", bots_alone(2, days=1), status=201)
        code = made["table"]["code"]
        async with person(server, code) as watcher:
            await watcher.hear_update(8)
        heard = {one["seq"]: one["sentences"] for one in watcher.updates}
    with serving(sqlite_url, bot_pause=0.1) as server:
        async with person(server, code, since=0) as watcher:
            assert watcher.status == "running"
            assert heard.items() <= {one["seq"]: one["sentences"] for one in watcher.welcome["missed"]}.items()
            await watcher.hear_update(watcher.seq + 5)


@together
async def test_a_token_of_another_table_holds_no_chair(server):
    code, _ = server.make()
    _, other = server.make()
    async with person(server, code, other) as stranger:
        assert (stranger.held, stranger.welcome["unknown"]) == ([], [0])
        assert (await stranger.ask("start"))["code"] == "not_the_host"


# --- presence


def is_presence(message):
    return message["type"] == "present"


@together
async def test_presence_is_broadcast_as_people_come_and_go(server):
    async with started(server) as host:
        ada, bo = host.held
        assert (await host.ask("sync", since=host.seq))["present"] == [ada, bo]
        async with person(server, host.code) as watcher:
            assert watcher.welcome["present"] == [ada, bo]
            await host.socket.close()
            assert (await watcher.hear_until(is_presence))["chairs"] == []
            async with person(server, host.code, host.tokens[1]) as back:
                assert back.welcome["present"] == [bo]
                assert (await watcher.hear_until(is_presence))["chairs"] == [bo]
            assert (await watcher.hear_until(is_presence))["chairs"] == []


@together
async def test_people_are_present_from_sitting_down_until_they_are_removed(server):
    code, host_token = server.make()
    async with person(server, code, host_token) as ada, person(server, code) as bo:
        done = await bo.do("sit", name="Bo", token=token())
        assert (await ada.hear_until(is_presence))["chairs"] == [*ada.held, done["chair"]]
        await ada.do("remove", chair=done["chair"])
        assert (await ada.ask("sync", since=0))["present"] == ada.held
        await bo.socket.close()
        assert (await ada.ask("sync", since=0))["present"] == ada.held


@together
async def test_spectators_second_tabs_and_other_tables_do_not_change_presence(server):
    async with started(server) as host:
        async with person(server, host.code), person(server, host.code, host.tokens[0]) as tab, started(server):
            assert tab.welcome["present"] == host.held
        await host.send({"type": "sync", "id": "x", "since": host.seq})
        assert (await host.hear())["type"] == "welcome"
