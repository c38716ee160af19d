"""What people can do, over real sockets."""

import pytest
from people import person, play_to_the_end, serving, started, together, token

from deadwood import Game, verify
from deadwood.server.codes import read_code


@pytest.fixture(params=["sqlite"])
def own_server(database):
    with serving(database) as running:
        yield running


# --- tables


def test_a_new_table_has_a_code_that_can_be_read_out_and_a_link(server):
    code, _ = server.make()
    assert read_code(code) == code
    assert server.get(f"/api/tables/{code}")["link"] == f"{server.url}/t/{code}"


def test_a_code_may_be_typed_in_many_ways(server):
    code, _ = server.make()
    for typed in (code.lower(), f"{code[:4]}-{code[4:]}", f"{code[:4]}%20{code[4:]}"):
        assert server.get(f"/api/tables/{typed}")["code"] == code


def test_all_options_can_be_chosen(server):
    options = {"deck": "studio", "layout": "G'M/CH", "ties": "shared", "bonus": "actors", "days": 2, "dice": "fair"}
    code, _ = server.make(options={**options, "first": "Ada"})
    assert server.get(f"/api/tables/{code}")["options"] == {**options, "first": "Ada"}


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"days": 9}, "The option 'days' must be a whole number from 1 to 4, not 9."),
        ({"deck": "tarot"}, "The option 'deck' cannot be 'tarot'; it can be classic or studio."),
        ({"deck": "custom:" + "0" * 64}, "it can be classic or studio."),
        ({"layout": "XY"}, "The layout 'XY' contains 'X'"),
        ({"first": "Zed"}, "Nobody here is called 'Zed'; the first player is one of Ada, or 'random'."),
        ({"ties": "never"}, "Invalid enum value 'never' - at `$.options.ties`"),
        ({"speed": 1}, "Object contains unknown field `speed` - at `$.options`"),
    ],
)
def test_wrong_options_are_refused_with_a_reason(server, options, sentence):
    body = {"host": {"name": "Ada", "token": token()}, "options": options}
    status, _, told = server.request("POST", "/api/tables", body)
    assert status in (400, 409)
    assert sentence in told["sentence"]


def test_public_tables_are_listed_and_others_are_not(tmp_path):
    with serving(f"sqlite:///{tmp_path}/x.db") as server:
        hidden, _ = server.make()
        codes = [server.make(public=True)[0] for _ in range(5)]
        first = server.get("/api/tables?limit=3")
        rest = server.get(f"/api/tables?limit=3&before={first['next']}")
        listed = [table["code"] for table in (*first["tables"], *rest["tables"])]
        assert listed == codes[::-1]
        assert rest["next"] is None
        assert hidden not in listed
        assert first["tables"][0]["seats"][0]["name"] == "Ada"


@together
async def test_lists_tell_waiting_from_running(server):
    async with started(server, public=True) as host:
        running = server.get("/api/tables?status=running")["tables"]
        assert host.code in [table["code"] for table in running]
        assert host.code not in [table["code"] for table in server.get("/api/tables?status=waiting")["tables"]]


# --- seats


@together
async def test_joining_with_name_and_colour(server):
    code, host_token = server.make("  Ada ", public=False)
    async with person(server, code, host_token) as ada, person(server, code) as bo:
        done = await bo.do("sit", name="Zoe\u0308", token=token(), colour="green")  # decomposed: kept as NFC
        await ada.hear_update(done["seq"])
        assert [(seat["name"], seat["colour"]) for seat in ada.table["seats"]] == [
            ("Ada", "red"),
            ("Zo\u00eb", "green"),
        ]
        assert ada.updates[-1]["told"] == ["Zo\u00eb takes a seat, green."]
        assert ada.table["host"] == ada.held[0]


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"name": " ADA "}, "name_taken"),
        ({"name": "x" * 41}, "name_too_long"),
        ({"name": " "}, "name_empty"),
        ({"name": "a\u202eb"}, "name_character"),
        ({"name": "a\x00b"}, "name_character"),
        ({"name": "a;b"}, "name_character"),
        ({"name": "Result"}, "name_reserved"),
        ({"name": "Bo", "colour": "red"}, "colour_taken"),
        ({"name": "Bo", "colour": "pink"}, "colour_unknown"),
        ({"name": "Bo", "token": "0" * 64}, "token_weak"),
    ],
)
def test_a_seat_is_refused_with_a_reason(server, more, code):
    table, _ = server.make()
    body = {"type": "sit", "id": "a", "token": token(), **more}
    assert server.post(f"/api/tables/{table}/commands", body, status=409)["code"] == code
    assert len(server.get(f"/api/tables/{table}")["seats"]) == 1


@together
async def test_a_repeated_join_gets_the_first_answer(server):
    code, _ = server.make()
    mine = token()
    body = {"type": "sit", "id": "once", "name": "Bo", "token": mine}
    first = server.post(f"/api/tables/{code}/commands", body)
    assert server.post(f"/api/tables/{code}/commands", body) == first
    assert len(server.get(f"/api/tables/{code}")["seats"]) == 2


@together
async def test_eight_can_sit_and_no_more(server):
    code, host_token = server.make()
    async with person(server, code, host_token) as host:
        for number in range(7):
            await host.do("sit", name=f"P{number}", token=token())
        assert (await host.ask("sit", name="P8", token=token()))["code"] == "table_full"
        assert (await host.ask("add_bot", level="random"))["code"] == "table_full"


@together
async def test_bots_come_and_go(server):
    code, host_token = server.make()
    async with person(server, code, host_token) as host:
        await host.do("add_bot", level="regular")
        await host.do("add_bot", level="regular")
        await host.do("add_bot", level="random", name="Randy", colour="black")
        names = [(seat["name"], seat["bot"], seat["ready"]) for seat in host.table["seats"]]
        assert names[1:] == [("Regular", "regular", True), ("Regular 2", "regular", True), ("Randy", "random", True)]
        await host.do("remove", seat=host.table["seats"][2]["seat"])
        assert [seat["name"] for seat in host.table["seats"]] == ["Ada", "Regular", "Randy"]
        assert (await host.ask("add_bot", level="gentle"))["sentence"].startswith(
            "There is no bot called 'gentle'; there are"
        )


@together
async def test_the_host_chooses_who_starts_and_all_say_ready_again(server):
    code, host_token = server.make()
    async with person(server, code, host_token) as host:
        await host.do("sit", name="Bo", token=token())
        await host.be_ready()
        await host.do("choose", options={"first": "Bo", "days": 1})
        assert not any(seat["ready"] for seat in host.table["seats"])
        for seat in host.held:
            await host.be_ready(seat)
        await host.do("start")
        assert host.updates[-1]["events"][0]["first"] == "Bo"
        assert host.table["drawn"] == []


@together
async def test_starting_needs_the_host_two_players_and_everybody_ready(server):
    code, host_token = server.make()
    async with person(server, code, host_token) as ada, person(server, code) as bo:
        await ada.be_ready()
        assert (await ada.ask("start"))["sentence"] == "Deadwood is for 2 to 8 players, not for 1."
        await bo.do("sit", name="Bo", token=token())
        assert (await bo.ask("start"))["code"] == "not_the_host"
        refused = await ada.ask("start")
        assert refused["sentence"] == "Not everybody is ready: Bo must say so first."
        await bo.be_ready()
        await bo.do("ready", seat=bo.held[0], salt=None)
        assert (await ada.ask("start"))["code"] == "not_ready"
        await bo.be_ready()
        await ada.do("start")
        assert ada.status == "running"


@together
async def test_the_host_leaves_and_the_next_person_is_the_host(server):
    code, host_token = server.make()
    async with person(server, code, host_token) as ada, person(server, code) as bo:
        await ada.do("add_bot", level="random")
        await bo.do("sit", name="Bo", token=token())
        await ada.do("leave", seat=ada.held[0])
        await bo.hear_update(ada.seq)
        assert bo.updates[-1]["told"] == ["Ada left, and Bo is the host now."]
        assert bo.table["host"] == bo.held[0]
        await bo.do("add_bot", level="random")
        assert (await ada.ask("add_bot", level="random"))["code"] == "not_the_host"


@together
async def test_a_token_is_worth_nothing_after_leaving(server):
    code, host_token = server.make()
    async with person(server, code, host_token) as ada:
        mine = token()
        await ada.do("sit", name="Bo", token=mine)
        await ada.do("leave", seat=ada.held[1])
        status, _, told = server.request(
            "POST", f"/api/tables/{code}/commands", {"type": "start", "id": "a"}, token=mine
        )
        assert (status, told["code"]) == (403, "token_unknown")
        assert (await ada.ask("sit", name="Bo", token=mine))["code"] == "token_spent"
        await ada.do("sit", name="Bo", token=token())


@together
async def test_a_repeated_leave_gets_the_first_answer(server):
    code, host_token = server.make()
    path = f"/api/tables/{code}/commands"
    mine = token()
    async with person(server, code, host_token) as ada, person(server, code) as bo:
        seat = (await bo.do("sit", name="Bo", token=mine))["seat"]
        first = await bo.do("leave", seat=seat, id="bye")
        await ada.do("add_bot", level="random")
        assert await bo.ask("leave", seat=seat, id="bye") == first
        assert (await bo.ask("leave", seat=seat, id="other"))["code"] == "seat_unknown"
    async with person(server, code, mine) as again:
        assert again.held == []
        assert await again.ask("leave", seat=seat, id="bye") == first
    assert server.post(path, {"type": "leave", "id": "bye", "seat": seat}, mine) == first
    for wish in ({"type": "leave", "id": "c", "seat": seat}, {"type": "choices", "id": "d"}):
        assert server.post(path, wish, mine, status=403)["code"] == "token_unknown"


@together
async def test_a_kicked_connection_can_do_nothing_more(server):
    code, host_token = server.make()
    async with person(server, code, host_token) as ada, person(server, code) as bo:
        done = await bo.do("sit", name="Bo", token=token())
        await ada.do("remove", seat=done["seat"])
        await ada.do("add_bot", level="random")
        await ada.be_ready()
        await ada.do("start")
        await bo.hear_update(ada.seq)
        assert (await bo.ask("sync", since=0))["held"] == []
        assert (await bo.ask("hint"))["code"] == "token_unknown"
        assert (await bo.ask("leave", seat=done["seat"]))["code"] in ("seat_unknown", "table_not_waiting")


@together
async def test_a_spent_token_stays_spent_in_a_rematch(server):
    mine = token()
    code, host_token = server.make(bots=[{"level": "random"}], options={"days": 1})
    async with person(server, code, host_token) as host:
        await host.do("leave", seat=(await host.do("sit", name="Bo", token=mine))["seat"])
        host.held = [1]
        await host.be_ready()
        await host.do("start")
        await play_to_the_end(host)
        await host.do("rematch")
        assert (await host.ask("sit", name="Bo", token=mine))["code"] == "token_spent"


@together
async def test_a_kicked_person_watches(server):
    code, host_token = server.make()
    async with person(server, code, host_token) as ada, person(server, code) as bo:
        done = await bo.do("sit", name="Bo", token=token())
        await ada.do("remove", seat=done["seat"])
        await bo.hear_update(ada.seq)
        assert bo.updates[-1]["told"] == ["Bo was sent away by the host."]
        assert (await bo.ask("ready", seat=done["seat"], salt=token()))["code"] == "seat_unknown"
        assert (await ada.ask("remove", seat=ada.held[0]))["code"] == "host_stays"
        assert (await ada.ask("remove", seat=99))["code"] == "seat_unknown"


@together
async def test_the_last_person_leaves_and_the_next_one_is_the_host(server):
    code, host_token = server.make()
    async with person(server, code, host_token) as ada:
        await ada.do("leave", seat=ada.held[0])
        assert ada.table["host"] is None
        done = await ada.do("sit", name="Bo", token=token())
        assert ada.table["host"] == done["seat"]


@together
async def test_nothing_about_seats_changes_once_the_game_runs(server):
    async with started(server) as host:
        seat = host.held[0]
        for wish in (
            {"type": "sit", "name": "Cy", "token": token()},
            {"type": "leave", "seat": seat},
            {"type": "remove", "seat": host.held[1]},
            {"type": "add_bot", "level": "random"},
            {"type": "choose", "options": {}},
            {"type": "ready", "seat": seat, "salt": None},
            {"type": "start"},
        ):
            assert (await host.ask(**wish))["code"] == "table_not_waiting"


# --- playing


@together
async def test_a_game_is_played_to_its_end_and_can_be_verified(server, tmp_path):
    async with started(server, options={"days": 1, "layout": "random"}) as host:
        assert host.table["seed"] is None
        assert len(host.table["salts"]) == 2
        promised = host.table["commitment"]
        await play_to_the_end(host)
        assert host.updates[-1]["events"][-1]["type"] == "GameEnded"
        assert host.table["offers"] == []
        assert (await host.ask("move", seq=host.seq + 1, action="end"))["code"] == "table_not_running"
        late = await host.ask("move", seq=host.seq, action="end")
        assert (late["code"], late["table"]["status"]) == ("stale", "finished")
        record = server.get(f"/api/tables/{host.code}/games/1/record")
        assert {check.verdict for check in verify(record)} == {"passed"}
        summary = server.get(f"/api/tables/{host.code}/games/1")
        game = Game.from_record(record)
        assert (summary["commitment"], summary["seed"]) == (promised, host.table["seed"])
        assert [one["score"] for one in summary["standings"]] == [one.score for one in game.standings()]
        assert f"commitment: {promised}" in record
        assert all(salt in record for salt in summary["salts"])


@together
async def test_a_ping_tells_how_far_the_table_is(server):
    async with started(server) as host, person(server, host.code) as watcher:
        await host.move()
        pong = await watcher.ask("ping")
        assert (pong["type"], pong["seq"]) == ("pong", host.seq)


@together
async def test_everybody_sees_the_same(server):
    async with started(server) as host, person(server, host.code) as watcher:
        await host.move()
        await watcher.hear_update(host.seq)
        assert watcher.updates[-1] == host.updates[-1]
        assert watcher.table["state"] == host.table["state"]


@together
async def test_the_acknowledgement_comes_before_the_news(server):
    async with started(server) as host:
        await host.send({"type": "move", "id": "x", "seq": host.seq + 1, "action": host.table["offers"][0]["action"]})
        assert [(await host.hear())["type"] for _ in range(2)] == ["done", "update"]


@together
async def test_legal_actions_come_with_their_odds(server):
    async with started(server, options={"first": "Ada"}) as host:
        while "act" not in [offer["action"] for offer in host.table["offers"]]:
            wanted = [offer["action"] for offer in host.table["offers"]]
            roles = [action for action in wanted if action.startswith("take")]
            await host.move(roles[0] if roles else wanted[0])
        act, rehearse = host.table["offers"]
        assert act["chance"] == act["odds"]["chance"] == (7 - act["odds"]["needed"]) / 6
        assert rehearse["chance"] > act["chance"]


@together
async def test_refusals_come_with_their_reasons(server):
    async with started(server) as host:
        refused = await host.ask("move", seq=host.seq + 1, action="move church")
        assert refused["rule"] == "R4.1"
        assert "There is no doorway from the Trailers to the Church" in refused["sentence"]
        refused = await host.ask("move", seq=host.seq + 1, action="dance")
        assert refused["sentence"].startswith("'dance' is not an action; actions are move AREA")
        refused = await host.ask("move", seq=host.seq + 1, action="act = 6")
        assert refused["code"] == "dice_are_fair" or refused["code"] == "not_working"
        choices = (await host.ask("choices"))["choices"]
        assert {choice["action"] for choice in choices if "refusal" not in choice} == {
            offer["action"] for offer in host.table["offers"]
        }
        assert {"action": "act", "refusal": "You are not working on a role; take one first.", "rule": "R6.1"} in choices


@together
async def test_nobody_moves_for_another(server):
    code, host_token = server.make(options={"first": "Ada", "days": 1})
    async with person(server, code, host_token) as ada, person(server, code) as bo, person(server, code) as watcher:
        await bo.do("sit", name="Bo", token=token())
        await bo.be_ready()
        await ada.be_ready()
        await ada.do("start")
        for other in (bo, watcher):
            await other.hear_update(ada.seq)
            refused = await other.ask("move", seq=other.seq + 1, action="end")
            assert refused["sentence"] == "It is Ada's turn, and you do not hold that seat."
        assert (await watcher.ask("ready", seat=bo.held[0], salt=token()))["code"] == "table_not_waiting"
        await ada.move("end")
        await bo.hear_update(ada.seq)
        await bo.move("end")


@together
async def test_a_stale_move_is_refused_with_the_present_state(server):
    async with started(server) as host:
        seq = host.seq + 1
        await host.move("end")
        refused = await host.ask("move", seq=seq, action="end")
        assert refused["code"] == "stale"
        assert refused["table"]["seq"] == host.seq
        assert refused["table"]["state"] == host.table["state"]
        ahead = await host.ask("move", seq=host.seq + 2, action="end")
        assert ahead["code"] == "stale"


@together
async def test_a_repeated_move_gets_the_first_answer(server):
    async with started(server) as host:
        wish = {"id": "same", "seq": host.seq + 1, "action": "end"}
        first = await host.do("move", **wish)
        await host.move("end")
        assert await host.ask("move", **wish) == first
        assert host.seq == first["seq"] + 1
        await host.hear_update(host.seq)


@together
async def test_undo(server):
    code, host_token = server.make(options={"first": "Ada", "days": 1})
    async with person(server, code, host_token) as ada, person(server, code) as bo:
        await bo.do("sit", name="Bo", token=token())
        await bo.be_ready()
        await ada.be_ready()
        await ada.do("start")
        before = ada.table["state"]
        assert (await ada.ask("undo", seq=ada.seq + 1))["code"] == "nothing_to_undo"
        assert (await ada.ask("choices"))["undo"] == "There is nothing to take back."
        await ada.move("end")
        await bo.hear_update(ada.seq)
        assert (await ada.ask("choices"))["undo"] is None
        assert (await bo.ask("choices"))["undo"] == "Only Ada can take that back."
        assert (await bo.ask("undo", seq=bo.seq + 1))["sentence"] == "Only Ada can take that back."
        await ada.do("undo", seq=ada.seq + 1)
        assert ada.table["state"] == before
        assert ada.updates[-1]["told"] == ["Ada takes back 'end'."]
        turning = next(offer["action"] for offer in ada.table["offers"] if offer["action"].startswith("move"))
        await ada.move(turning)
        assert (await ada.ask("undo", seq=ada.seq + 1))["code"] == "undo_of_chance"
        await ada.move("end")
        await bo.hear_update(ada.seq)
        await bo.move("end")
        await ada.hear_update(bo.seq)
        assert (await ada.ask("undo", seq=ada.seq + 1))["code"] == "undo_not_yours"


@together
async def test_real_dice(server):
    async with started(server, options={"first": "Ada", "dice": "table", "days": 1}) as host:
        area = next(offer["action"] for offer in host.table["offers"])
        needed = await host.ask("move", seq=host.seq + 1, action=area)
        assert (needed["code"], needed["needed"]) == ("outcome_needed", "card 1")
        assert needed["sentence"] == "Turn a card and say its number, as in 'card 17'."
        wrong = await host.ask("move", seq=host.seq + 1, action=area, outcome="card 99")
        assert wrong["code"] == "card_unknown"
        await host.move(area, outcome="card 17")
        assert host.updates[-1]["action"] == f"{area} = card 17"


@together
async def test_people_roll_for_a_bot_at_a_table_with_real_dice(server):
    code, host_token = server.make(options={"first": "Random", "dice": "table", "days": 1}, bots=[{"level": "random"}])
    async with person(server, code, host_token) as ada, person(server, code) as watcher:
        await ada.be_ready()
        await ada.do("start")
        while ada.pending is None:
            if ada.up:
                await ada.move("end")
            else:
                await ada.hear()
        asked = ada.pending
        assert asked["kind"] in ("card", "dice")
        outcome = {"card": "card 17", "dice": "1"}[asked["kind"]]
        wish = {"seq": ada.seq + 1, "action": asked["action"], "outcome": outcome}
        assert (await ada.ask("move", **{**wish, "action": "end"}))["code"] == "outcome_of_other"
        assert (await watcher.ask("move", **wish))["code"] == "not_your_turn"
        await ada.do("move", **wish)
        assert ada.updates[-1]["seat"] == asked["seat"]


# --- hints, rematch, records


@together
async def test_a_hint(server):
    async with started(server) as host, person(server, host.code) as watcher:
        hints = await host.ask("hint")
        assert {one["action"] for one in hints["advice"]} == {offer["action"] for offer in host.table["offers"]}
        values = [one["value"] for one in hints["advice"]]
        assert values == sorted(values, reverse=True)
        assert all(one["reason"] for one in hints["advice"])
        assert (await watcher.ask("hint"))["code"] == "token_unknown"


@together
async def test_a_rematch_with_the_same_people(server):
    async with started(server, options={"days": 1}) as host:
        assert (await host.ask("rematch"))["code"] == "table_not_finished"
        await play_to_the_end(host)
        old = host.table
        await host.do("rematch")
        assert (host.status, host.table["game"]) == ("waiting", 2)
        assert [seat["name"] for seat in host.table["seats"]] == ["Ada", "Bo"]
        assert host.table["commitment"] != old["commitment"]
        assert host.table["seed"] is None
        for seat in host.held:
            await host.be_ready(seat)
        await host.do("start")
        await play_to_the_end(host, seed=2)
        games = server.get(f"/api/tables/{host.code}/games")["games"]
        assert [game["game"] for game in games] == [2, 1]
        assert games[1]["seed"] == old["seed"]
        for number in (1, 2):
            record = server.get(f"/api/tables/{host.code}/games/{number}/record")
            assert {check.verdict for check in verify(record)} == {"passed"}


@together
async def test_a_repeat_from_an_earlier_game_gets_its_first_answer(server):
    async with started(server, options={"days": 1}) as host:
        wish = {"id": "early", "seq": host.seq + 1, "action": "end"}
        first = await host.do("move", **wish)
        await play_to_the_end(host)
        await host.do("rematch")
        assert await host.ask("move", **wish) == first
        for seat in host.held:
            await host.be_ready(seat)
        await host.do("start")
        before = host.seq
        assert await host.ask("move", **{**wish, "seq": before + 1}) == first  # even where it would fit
        assert (await host.ask("sync", since=before))["table"]["seq"] == before


@together
async def test_the_replay_of_a_finished_game(server):
    async with started(server, options={"days": 1}) as host:
        assert server.request("GET", f"/api/tables/{host.code}/games/1/record")[0] == 404
        await play_to_the_end(host)
        game = Game.from_record(server.get(f"/api/tables/{host.code}/games/1/record"))
        path = f"/api/tables/{host.code}/games/1/replay"
        part = server.get(f"{path}?limit=3")
        assert [step["number"] for step in part["steps"]] == [0, 1, 2]
        assert part["total"] == len(game.steps) + 1
        steps = part["steps"]
        while part["next"]:
            part = server.get(f"{path}?first={part['next']}")
            steps += part["steps"]
        assert len(steps) == len(game.steps) + 1
        assert steps[-1]["state"] == host.table["state"]
        uploaded = server.post("/api/replays?limit=3", server.get(path.replace("replay", "record")).encode())
        assert uploaded["steps"] == steps[:3]


@pytest.mark.parametrize(
    ("data", "status", "sentence"),
    [
        (b"nonsense", 409, "Line 1: This is not a record this program can read"),
        (b"\xff\xfe", 400, "A record is UTF-8 text."),
        (b"x" * 1_000_001, 413, "A message has at most 1000000 bytes."),
        (b"deadwood record 1\nplayers: Ada; Bo\n", 409, "The header ends here"),
    ],
)
def test_an_upload_that_is_no_record(server, data, status, sentence):
    answered, _, told = server.request("POST", "/api/replays", data)
    assert answered == status
    assert sentence in told["sentence"]


def test_bots_alone_play_a_whole_game(server):
    made = server.post("/api/tables", {"bots": [{"level": "random"}] * 3, "options": {"days": 1}}, status=201)
    code = made["table"]["code"]
    assert made["seat"] is None

    @together
    async def watch():
        async with person(server, code) as watcher:
            while watcher.status != "finished":
                await watcher.hear()

    watch()
    record = server.get(f"/api/tables/{code}/games/1/record")
    assert {check.verdict for check in verify(record)} == {"passed"}
    refused = server.post("/api/tables", {"bots": [{"level": "random"}]}, status=409)
    assert refused["sentence"] == "Without a host a table needs 2 to 8 bots, which then play at once."


@together
async def test_a_person_plays_with_bots(server):
    code, host_token = server.make(bots=[{"level": "random"}, {"level": "hopeful"}], options={"days": 1})
    async with person(server, code, host_token) as ada:
        await ada.be_ready()
        await ada.do("start")
        await play_to_the_end(ada)
        assert ada.status == "finished"


# --- coming back


@together
async def test_coming_back_with_the_token_and_what_was_missed(server):
    async with started(server) as host:
        first = host.seq
        actions = []
        for _ in range(4):
            await host.move("end")
            actions.append(host.updates[-1])
        async with person(server, host.code, *host.tokens, since=first + 1) as again:
            missed = again.welcome["missed"]
            assert [one["seq"] for one in missed] == [first + 2, first + 3, first + 4]
            assert [one["told"] for one in missed] == [one["told"] for one in actions[1:]]
            assert again.welcome["table"]["state"] == host.table["state"]
            assert again.held == host.held
            await again.move("end")  # several tabs of one seat at once
            await host.hear_update(again.seq)
            await host.move("end")
        synced = await host.ask("sync", since=first)
        assert [one["seq"] for one in synced["missed"]] == list(range(first + 1, host.seq + 1))


@together
async def test_coming_back_after_the_server_was_restarted(database):
    with serving(database) as server:
        async with started(server, options={"days": 1}) as host:
            for _ in range(5):
                await host.move("end")
            code, tokens, state, seq = host.code, host.tokens, host.table["state"], host.seq
            last = {"id": "again", "seq": seq, "action": "end"}
    with serving(database) as server:
        async with person(server, code, *tokens, since=seq - 2) as host:
            assert host.table["state"] == state
            assert [one["seq"] for one in host.welcome["missed"]] == [seq - 1, seq]
            assert (await host.ask("move", **last))["code"] == "stale"
            await play_to_the_end(host)
            record = server.get(f"/api/tables/{code}/games/1/record")
            assert {check.verdict for check in verify(record)} == {"passed"}


@together
async def test_bots_go_on_after_the_server_was_restarted(sqlite_url):
    with serving(sqlite_url, bot_pause=0.01) as server:
        made = server.post("/api/tables", {"bots": [{"level": "random"}] * 2, "options": {"days": 1}}, status=201)
        code = made["table"]["code"]
        async with person(server, code) as watcher:
            await watcher.hear_update(8)
    with serving(sqlite_url) as server:
        async with person(server, code) as watcher:
            while watcher.status != "finished":
                await watcher.hear()


# --- who is here


def is_presence(message):
    return message["type"] == "present"


@together
async def test_who_is_here_is_told_as_people_come_and_go(server):
    async with started(server) as host:
        ada, bo = host.held
        assert (await host.ask("sync", since=host.seq))["present"] == [ada, bo]
        async with person(server, host.code) as watcher:
            assert watcher.welcome["present"] == [ada, bo]
            await host.socket.close()
            assert (await watcher.hear_until(is_presence))["seats"] == []
            async with person(server, host.code, host.tokens[1]) as back:
                assert back.welcome["present"] == [bo]
                assert (await watcher.hear())["seats"] == [bo]
            assert (await watcher.hear())["seats"] == []


@together
async def test_who_sits_down_is_here_and_who_is_sent_away_is_not(server):
    code, host_token = server.make()
    async with person(server, code, host_token) as ada, person(server, code) as bo:
        done = await bo.do("sit", name="Bo", token=token())
        assert (await ada.hear_until(is_presence))["seats"] == [*ada.held, done["seat"]]
        await ada.do("remove", seat=done["seat"])
        assert (await ada.ask("sync", since=0))["present"] == ada.held
        await bo.socket.close()
        assert (await ada.ask("sync", since=0))["present"] == ada.held


@together
async def test_nobody_hears_of_spectators_second_tabs_and_other_tables(server):
    async with started(server) as host:
        async with person(server, host.code), person(server, host.code, host.tokens[0]) as tab, started(server):
            assert tab.welcome["present"] == host.held
        await host.send({"type": "sync", "id": "x", "since": host.seq})
        assert (await host.hear())["type"] == "welcome"


@together
async def test_nobody_is_here_after_a_restart_until_they_come_back(database):
    with serving(database) as first:
        async with started(first) as host:
            code, tokens, seats = host.code, host.tokens, host.held
    with serving(database) as second:
        async with person(second, code) as watcher:
            assert watcher.welcome["present"] == []
            async with person(second, code, *tokens):
                assert (await watcher.hear())["seats"] == seats


@together
async def test_a_token_of_another_table_opens_nothing(server):
    code, _ = server.make()
    _, other = server.make()
    async with person(server, code, other) as stranger:
        assert (stranger.held, stranger.welcome["unknown"]) == ([], [0])
        assert (await stranger.ask("start"))["code"] == "not_the_host"
