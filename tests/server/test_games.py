"""Games over real sockets: actions, refusals, undo, real dice, hints, rematches, records and replays.

Holds `server.http.api`, `server.tables.advisor`, `server.tables.queries` and `server.workers.replaying`.
"""

import msgspec
import pytest

from deadwood import Game, verify
from deadwood.finale import finale

from .people import bots_alone, person, play_to_the_end, started, together, token

# --- playing


@together
async def test_a_finished_game_verifies(server, tmp_path):
    async with started(server, options={"days": 1, "layout": "random"}) as host:
        assert host.table["seed"] is None
        assert len(host.table["salts"]) == 2
        promised = host.table["commitment"]
        await play_to_the_end(host)
        assert host.updates[-1]["events"][-1]["type"] == "GameEnded"
        assert host.offers == []
        assert (await host.ask("play", seq=host.seq + 1, action="end"))["code"] == "table_not_running"
        late = await host.ask("play", seq=host.seq, action="end")
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
async def test_nothing_done_after_a_game_changes_when_it_ended(server):
    async with started(server, options={"days": 1}) as host:
        await play_to_the_end(host)
        ended = server.get(f"/api/tables/{host.code}/games/1")
        await host.do("hand_over", chair=1, secret=token())
        await host.do("set_house", house={"talk": False})
        await host.do("agree", chair=2, salt=token())
        assert server.get(f"/api/tables/{host.code}/games/1") == ended


@together
async def test_the_end_of_a_game_comes_with_its_finale(server):
    async with started(server, options={"days": 1}) as host:
        assert host.table["finale"] is None
        await play_to_the_end(host)
        record = server.get(f"/api/tables/{host.code}/games/1/record")
        game = Game.from_record(record)
        end = msgspec.json.decode(msgspec.json.encode(finale(game.state, game.events)))
        assert host.table["finale"] == server.get(f"/api/tables/{host.code}")["finale"] == end
        address = f"/api/tables/{host.code}/games/1/replay"
        assert server.get(f"{address}?first=0&limit=1")["finale"] is None
        last = server.get(address)["total"] - 1
        assert server.get(f"{address}?first={last}&limit=1")["finale"] == end


@together
async def test_a_pong_carries_the_latest_number(server):
    async with started(server) as host, person(server, host.code) as watcher:
        await host.act()
        pong = await watcher.ask("ping")
        assert (pong["type"], pong["seq"]) == ("pong", host.seq)


@together
async def test_everybody_gets_the_same_update(server):
    async with started(server) as host, person(server, host.code) as watcher:
        await host.act()
        await watcher.hear_update(host.seq)
        seen, own = watcher.updates[-1], host.updates[-1]
        assert seen | {"position": {**seen["position"], "reasons": own["position"]["reasons"]}} == own
        assert watcher.state == host.state


@together
async def test_the_acknowledgement_comes_before_the_update(server):
    async with started(server) as host:
        await host.send({"type": "play", "id": "x", "seq": host.seq + 1, "action": host.offers[0]["action"]})
        assert [(await host.hear())["type"] for _ in range(2)] == ["done", "update"]


@together
async def test_legal_actions_come_with_their_odds(server):
    async with started(server, options={"first": "Ada"}) as host:
        while "act" not in [offer["action"] for offer in host.offers]:
            wanted = [offer["action"] for offer in host.offers]
            roles = [action for action in wanted if action.startswith("take")]
            await host.act(roles[0] if roles else wanted[0])
        act, rehearse = host.offers
        assert act["chance"] == act["odds"]["chance"] == (7 - act["odds"]["needed"]) / 6
        assert rehearse["chance"] > act["chance"]


@together
async def test_choices_say_what_they_bring(server):
    """Odds and pay of a role before it is taken, what waits behind a door, and the points of a rank."""
    async with started(server, options={"first": "Ada", "dice": "table"}) as host:
        face_down = next(offer for offer in host.offers if offer["action"] == "move saloon")
        assert face_down.keys() == {"action", "needs"}
        assert (host.table["position"]["wraps_left"], host.table["position"]["leaders"]) == (9, [])
        await host.act("move saloon", outcome="card 9")  # budget 3
        roles = {offer["action"]: offer["odds"] for offer in host.offers if offer["action"].startswith("take")}
        assert roles["take star 1"] == {
            "needed": 3,
            "chance": 4 / 6,
            "success": {"dollars": 0, "credits": 2},
            "failure": {"dollars": 0, "credits": 0},
            "wraps": False,
            "bonus": pytest.approx(2.04, abs=0.01),  # the worst of three dice
            "expected": pytest.approx(8 / 6),
        }
        assert roles["take extra 1"]["expected"] == pytest.approx(10 / 6)
        assert roles["take extra 1"]["bonus"] == 0  # nobody is on the card


@together
async def test_refusals_come_with_their_reasons(server):
    async with started(server) as host:
        refused = await host.ask("play", seq=host.seq + 1, action="move church")
        assert refused["rule"] == "R4.1"
        assert "There is no doorway from the Trailers to the Church" in refused["sentence"]
        refused = await host.ask("play", seq=host.seq + 1, action="dance")
        assert refused["sentence"].startswith("'dance' is not an action; actions are move AREA")
        refused = await host.ask("play", seq=host.seq + 1, action="act = 6")
        assert (refused["code"], refused["rule"]) == ("not_working", "R6.1")
        refused = await host.ask("play", seq=host.seq + 1, action="end = 6")
        assert (refused["code"], refused["rule"]) == ("dice_are_fair", "R12.7")


@together
async def test_an_update_says_what_the_active_player_may_do_and_why_not_the_rest(server):
    """Nobody has to ask again. Players who cannot act now do not learn what they may not do."""
    code, host_token = server.make(options={"first": "Ada", "days": 1})
    async with person(server, code, host_token) as ada, person(server, code) as bo:
        await bo.do("sit", name="Bo", token=token())
        await bo.be_ready()
        await ada.be_ready()
        await ada.do("start")
        await bo.hear_update(ada.seq)
        reasons = ada.table["position"]["reasons"]
        refused = {action: reason for reason in reasons for action in reason["actions"]}
        assert not refused.keys() & {offer["action"] for offer in ada.offers}
        assert refused["act"]["rule"] == "R6.1"
        assert refused["move church"]["sentence"].startswith("There is no doorway from the Trailers to the Church")
        assert refused["upgrade 2 dollars"] == refused["upgrade 6 credits"]
        assert bo.table["position"]["reasons"] == []
        assert bo.offers == ada.offers
        seq = ada.seq
        await ada.act("end")
        await bo.hear_update(ada.seq)
        (update,) = (one for one in bo.updates if one["seq"] > seq)
        assert "act" in {action for reason in update["position"]["reasons"] for action in reason["actions"]}
        assert ada.table["position"]["reasons"] == []


@together
async def test_only_the_active_player_plays(server):
    code, host_token = server.make(options={"first": "Ada", "days": 1})
    async with person(server, code, host_token) as ada, person(server, code) as bo, person(server, code) as watcher:
        await bo.do("sit", name="Bo", token=token())
        await bo.be_ready()
        await ada.be_ready()
        await ada.do("start")
        for other in (bo, watcher):
            await other.hear_update(ada.seq)
            refused = await other.ask("play", seq=other.seq + 1, action="end")
            assert refused["sentence"] == "It is Ada's turn."
        assert (await watcher.ask("ready", chair=bo.held[0], salt=token()))["code"] == "table_not_waiting"
        await ada.act("end")
        await bo.hear_update(ada.seq)
        await bo.act("end")


@together
async def test_a_stale_action_is_refused_with_the_current_table(server):
    async with started(server) as host:
        seq = host.seq + 1
        await host.act("end")
        refused = await host.ask("play", seq=seq, action="end")
        assert refused["code"] == "stale"
        assert refused["table"]["seq"] == host.seq
        assert refused["table"]["position"]["state"] == host.state
        ahead = await host.ask("play", seq=host.seq + 2, action="end")
        assert ahead["code"] == "stale"


@together
async def test_a_repeated_action_gets_the_first_answer(server):
    async with started(server) as host:
        wish = {"id": "same", "seq": host.seq + 1, "action": "end"}
        first = await host.do("play", **wish)
        await host.act("end")
        assert await host.ask("play", **wish) == first
        assert (await host.ask("ping"))["seq"] == first["seq"] + 1


@together
async def test_only_the_last_action_without_chance_is_undone(server):
    code, host_token = server.make(options={"first": "Ada", "days": 1})
    async with person(server, code, host_token) as ada, person(server, code) as bo:
        await bo.do("sit", name="Bo", token=token())
        await bo.be_ready()
        await ada.be_ready()
        await ada.do("start")
        before = ada.state
        assert (await ada.ask("undo", seq=ada.seq + 1))["code"] == "nothing_to_undo"
        assert ada.table["position"]["undo"]["chair"] is None
        assert (await ada.ask("undo", seq=ada.seq + 1))["sentence"] == ada.table["position"]["undo"]["sentence"]
        await ada.act("end")
        await bo.hear_update(ada.seq)
        assert bo.table["position"]["undo"] == {
            "chair": ada.held[0],
            "sentence": "You can only undo your own last action.",
        }
        assert (await bo.ask("undo", seq=bo.seq + 1))["sentence"] == "You can only undo your own last action."
        await ada.do("undo", seq=ada.seq + 1)
        assert ada.state == before
        assert ada.updates[-1]["sentences"] == ["Ada takes back ending the turn."]
        turning = next(offer["action"] for offer in ada.offers if offer["action"].startswith("move"))
        await ada.act(turning)
        assert (await ada.ask("undo", seq=ada.seq + 1))["code"] == "undo_of_chance"
        await ada.act("end")
        await bo.hear_update(ada.seq)
        await bo.act("end")
        await ada.hear_update(bo.seq)
        assert (await ada.ask("undo", seq=ada.seq + 1))["code"] == "undo_not_yours"


@together
async def test_real_dice_are_typed_in(server):
    async with started(server, options={"first": "Ada", "dice": "table", "days": 1}) as host:
        area = next(offer["action"] for offer in host.offers)
        needed = await host.ask("play", seq=host.seq + 1, action=area)
        assert (needed["code"], needed["needs"]["kind"], needed["needs"]["count"]) == ("outcome_needed", "card", 1)
        assert needed["sentence"] == "Turn a card and enter its number, as in 'card 17'."
        wrong = await host.ask("play", seq=host.seq + 1, action=area, outcome="card 99")
        assert wrong["code"] == "card_unknown"
        await host.act(area, outcome="card 17")
        assert host.updates[-1]["action"] == f"{area} = card 17"


@together
async def test_people_roll_for_a_bot_at_a_table_with_real_dice(server):
    code, host_token = server.make(options={"first": "Random", "dice": "table", "days": 1}, bots=[{"bot": "random"}])
    async with person(server, code, host_token) as ada, person(server, code) as watcher:
        await ada.be_ready()
        await ada.do("start")
        while ada.pending is None:
            if ada.up:
                await ada.act("end")
            else:
                await ada.hear()
        asked = ada.pending
        assert asked["needs"]["kind"] in ("card", "dice")
        outcome = {"card": "card 17", "dice": "1"}[asked["needs"]["kind"]]
        wish = {"seq": ada.seq + 1, "action": asked["action"], "outcome": outcome}
        assert (await ada.ask("play", **{**wish, "action": "end"}))["code"] == "outcome_of_other"
        assert (await watcher.ask("play", **wish))["code"] == "not_your_turn"
        await ada.do("play", **wish)
        assert ada.updates[-1]["chair"] == asked["chair"]


# --- hints, rematch, records


@together
async def test_a_hint_rates_every_legal_action(server):
    async with started(server) as host, person(server, host.code) as watcher:
        hints = await host.ask("hint")
        assert {one["action"] for one in hints["advice"]} == {offer["action"] for offer in host.offers}
        values = [one["value"] for one in hints["advice"]]
        assert values == sorted(values, reverse=True)
        assert all(one["reason"] for one in hints["advice"])
        assert (await watcher.ask("hint"))["code"] == "token_unknown"


@together
async def test_a_rematch_keeps_the_people_and_draws_a_new_seed(server):
    async with started(server, options={"days": 1}) as host:
        assert (await host.ask("rematch"))["code"] == "table_not_finished"
        await play_to_the_end(host)
        old = host.table
        await host.do("rematch")
        assert (host.status, host.table["game"]) == ("waiting", 2)
        assert [seat["name"] for seat in host.table["chairs"]] == ["Ada", "Bo"]
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
        first = await host.do("play", **wish)
        await play_to_the_end(host)
        await host.do("rematch")
        assert await host.ask("play", **wish) == first
        for seat in host.held:
            await host.be_ready(seat)
        await host.do("start")
        before = host.seq
        assert await host.ask("play", **{**wish, "seq": before + 1}) == first  # even if its number would fit now
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
        assert steps[-1]["state"] == host.state
        uploaded = server.post("/api/replays?limit=3", server.get(path.replace("replay", "record")).encode())
        assert uploaded["steps"] == steps[:3]


@pytest.mark.parametrize(
    ("data", "status", "sentence"),
    [
        (b"nonsense", 409, "Line 1: This is not a record this program can read"),
        (b"\xff\xfe", 400, "A record is UTF-8 text."),
        (b"x" * 1_000_001, 413, "A file may have at most 1000000 bytes."),
        (b"deadwood record 1\nplayers: Ada; Bo\n", 409, "The header ends here"),
    ],
)
def test_an_upload_that_is_not_a_record_is_refused(server, data, status, sentence):
    answered, _, answer = server.request("POST", "/api/replays", data)
    assert answered == status
    assert sentence in answer["sentence"]


def test_bots_alone_play_a_whole_game(server):
    made = server.post("/api/tables", bots_alone(3, days=1), status=201)
    code = made["table"]["code"]
    assert made["chairs"] == []

    @together
    async def watch():
        async with person(server, code) as watcher:
            while watcher.status != "finished":
                await watcher.hear()

    watch()
    record = server.get(f"/api/tables/{code}/games/1/record")
    assert {check.verdict for check in verify(record)} == {"passed"}
    refused = server.post("/api/tables", bots_alone(1), status=409)
    assert refused["rule"] == "R2.1"


@together
async def test_a_person_plays_with_bots(server):
    code, host_token = server.make(bots=[{"bot": "random"}, {"bot": "hopeful"}], options={"days": 1})
    async with person(server, code, host_token) as ada:
        await ada.be_ready()
        await ada.do("start")
        await play_to_the_end(ada)
        assert ada.status == "finished"
