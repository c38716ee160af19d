"""What becomes due at a table, in simulated time: stand-ins, clocks across restarts, new hosts, agreements.

Holds `server.tables.clerk`, `server.tables.heartbeat`, `server.tables.records` and `server.tables.table_state`.
"""

import asyncio
from itertools import chain, repeat
from types import SimpleNamespace

import pytest

from deadwood import Game, verify
from deadwood.engine.refusal import Refused
from deadwood.server.protocol.commands import (
    AddBot,
    Agree,
    FindHandover,
    HandOver,
    Hello,
    Leave,
    Play,
    Resume,
    StandIn,
    TakeOver,
    Vote,
)
from deadwood.server.protocol.messages import TakenChair
from deadwood.server.protocol.refusals import Stale, StoreFailed
from deadwood.server.protocol.views import ClockView
from deadwood.server.tables import timekeeper
from deadwood.server.tables.records import record_of

from ..people import token
from .evening import Ear, Evening, Hopeful, SlowThinker, Walker, simulated


async def record(evening):
    game = await evening.store.game(evening.code, 1)
    return await record_of(evening.services, game)


# --- stand-ins


@simulated
async def test_a_stand_in_plays_when_the_grace_period_is_over():
    evening = await (await Evening().serve()).open("Bo", "Ada", grace=30)
    bo = await evening.join("Bo")
    await asyncio.sleep(29)
    assert bo.updates == []
    await asyncio.sleep(3)
    assert bo.sentences[0] == "Ada is away, so the bot 'Regular' plays until Ada is back."
    assert (bo.updates[1]["by"], bo.updates[1]["chair"]) == ("regular", 2)
    assert evening.thinker.asked == ["regular"]
    assert evening.sitting.active.name == "Bo"
    table = bo.updates[0]["table"]
    assert [chair["stand_in"] for chair in table["chairs"]] == [None, "regular"]
    await evening.play(bo)
    await asyncio.sleep(2)
    assert evening.sitting.active.name == "Bo"  # it did not wait again


@simulated
async def test_nobody_stops_a_stand_in_by_voting_again_and_again():
    """Every vote is an entry; a bot that started over after each would never play, and the game would stand still."""
    evening = await (await Evening(SlowThinker(1.0)).serve()).open("Bo", "Ada", grace=30)
    bo = await evening.join("Bo")
    await asyncio.sleep(31)
    for _ in range(20):
        await evening.do(bo, Vote, to="end", agrees=False)
        await asyncio.sleep(0.3)
    assert [update["by"] for update in bo.updates if update["kind"] == "played"] == ["regular"]
    assert evening.sitting.active.name == "Bo"


@simulated
async def test_nobody_makes_an_action_late_by_voting():
    evening = await (await Evening().serve()).open("Bo", "Ada")
    bo, ada = await evening.join("Bo"), await evening.join("Ada")
    seen = evening.sitting.seq + 1
    await evening.do(bo, Vote, to="end")
    await evening.do(bo, HandOver, chair=evening.chair("Bo"), secret=token())
    await evening.room.clerk.perform(ada, Play(id="1", seq=seen, action="end"))
    assert evening.sitting.active.name == "Bo"
    with pytest.raises(Stale):
        await evening.room.clerk.perform(ada, Play(id="2", seq=seen, action="end"))
    with pytest.raises(Stale):
        await evening.room.clerk.perform(bo, Play(id="3", seq=evening.sitting.seq, action="end"))
    with pytest.raises(Stale):
        await evening.room.clerk.perform(bo, Play(id="4", seq=evening.sitting.seq + 2, action="end"))


@simulated
async def test_everybody_hears_how_long_they_wait():
    evening = await (await Evening().serve()).open("Bo", "Cy", "Ada", grace=30)
    bo = await evening.join("Bo")
    assert bo.heard == []  # the welcome said so already
    assert evening.room.queries.welcome(bo, None).waiting == ClockView(3, 30.0, True)
    await asyncio.sleep(10)
    cy = await evening.join("Cy")
    assert evening.room.queries.welcome(cy, None).waiting == ClockView(3, 20.0, True)
    evening.leave(bo, cy)
    await asyncio.sleep(100)
    bo = await evening.join("Bo")
    ada = await evening.join("Ada")
    assert [one["waiting"] for one in bo.heard if one["type"] == "waiting"] == [None]
    evening.leave(ada)
    assert bo.heard[-1] == {"type": "waiting", "waiting": {"chair": 3, "seconds": 30.0, "runs": True}}
    await asyncio.sleep(31)
    assert [one["waiting"] for one in bo.heard if one["type"] == "waiting"][-1] is None


@simulated
async def test_the_grace_period_counts_only_while_somebody_waits():
    evening = await (await Evening().serve()).open("Bo", "Cy", "Ada", grace=30)
    bo = await evening.join("Bo")
    await asyncio.sleep(20)
    evening.leave(bo)
    await asyncio.sleep(30)
    bo = await evening.join("Bo")
    await asyncio.sleep(9)
    assert bo.updates == []
    await asyncio.sleep(2)
    assert bo.updates[0]["kind"] == "stood_in"


@simulated
async def test_if_everybody_is_away_nothing_happens():
    evening = await (await Evening(asleep=10.0).serve()).open("Bo", "Ada", grace=30)
    bo = await evening.join("Bo")
    await asyncio.sleep(31)  # Ada's stand-in has begun to think
    evening.leave(bo)
    await asyncio.sleep(10_000)
    assert evening.hall.rooms == {}
    before = await evening.log()
    await evening.wake()
    await asyncio.sleep(100)
    assert await evening.log() == before


@simulated
async def test_a_short_absence_starts_anew():
    evening = await (await Evening().serve()).open("Bo", "Ada", grace=30)
    bo = await evening.join("Bo")
    for _ in range(5):
        await asyncio.sleep(29)
        ada = await evening.join("Ada")
        evening.leave(ada)
    assert bo.updates == []
    await asyncio.sleep(31)
    assert bo.updates != []


@simulated
async def test_a_player_who_returns_has_the_chair_at_once_even_while_the_stand_in_thinks():
    evening = await (await Evening(SlowThinker(20.0)).serve()).open("Bo", "Ada", grace=30)
    bo = await evening.join("Bo")
    await asyncio.sleep(35)
    assert evening.thinker.asked == ["regular"]  # and it is still thinking
    ada = await evening.join("Ada")
    await asyncio.sleep(0.5)
    assert bo.sentences[-1] == "Ada is back."
    await evening.play(ada)
    await asyncio.sleep(100)
    assert await evening.log() == ["opened", "started", "stood_in", "returned", "played"]
    assert await evening.played() == [(2, None)]


@simulated
async def test_a_command_without_a_connection_brings_somebody_back():
    evening = await (await Evening(SlowThinker(20.0)).serve()).open("Bo", "Ada", grace=30)
    await evening.join("Bo")
    await asyncio.sleep(35)
    caller = evening.room.caller([evening.tokens["Ada"]], "en")
    with pytest.raises(Stale):  # its number went to the entry that says that she is back
        await evening.room.clerk.perform(caller, Play(id="a", seq=4, action="end"))
    await evening.room.clerk.perform(caller, Play(id="b", seq=5, action="end"))
    assert (await evening.log())[2:] == ["stood_in", "returned", "played"]


@simulated
async def test_commands_without_a_connection_are_signs_of_life():
    evening = await (await Evening().serve()).open("Bo", "Ada", grace=30)
    bo = await evening.join("Bo")
    caller = evening.room.caller([evening.tokens["Ada"]], "en")
    for number in range(4):
        await asyncio.sleep(25)
        with pytest.raises(Refused):
            await evening.room.clerk.perform(caller, Play(id=f"a{number}", seq=3, action="act"))
    assert bo.updates == []


@simulated
async def test_the_host_lets_a_stand_in_play_at_once():
    evening = await (await Evening().serve()).open("Ada", "Bo", grace=None)
    ada = await evening.join("Ada")
    await asyncio.sleep(10_000)
    assert evening.sitting.active.name == "Bo"
    await evening.do(ada, StandIn, chair=2)
    await asyncio.sleep(2)
    assert evening.sitting.active.name == "Ada"


@simulated
async def test_at_a_table_with_real_dice_people_roll_for_the_stand_in():
    evening = await (await Evening(Walker()).serve()).open("Bo", "Ada", grace=30, options={"dice": "table"})
    bo = await evening.join("Bo")
    await asyncio.sleep(35)
    pending = bo.heard[-1]["pending"]
    assert pending["chair"] == 2
    await evening.do(bo, Vote, to="end", agrees=False)
    assert bo.heard[-1]["pending"] == pending  # a vote does not take the die back
    await evening.do(bo, Play, seq=evening.sitting.seq + 1, action=pending["action"], outcome="card 17")
    assert bo.updates[-1]["by"] == "regular"
    assert evening.sitting.game.record().rstrip().endswith("= card 17 (by regular)")
    ada = await evening.join("Ada")
    await asyncio.sleep(1)
    assert evening.room.pending is None
    assert evening.room.bot_turn is None
    assert ada.sentences[-1] == "Ada is back."


@simulated
async def test_a_store_that_fails_delays_the_stand_in_and_no_more():
    evening = await (await Evening().serve()).open("Bo", "Ada", grace=30)
    commit = evening.services.append
    failing = [True] * 5

    async def append(one):
        if failing:
            failing.pop()
            raise StoreFailed("not now")
        return await commit(one)

    evening.services.append = append
    bo = await evening.join("Bo")
    await asyncio.sleep(60)
    assert [update["kind"] for update in bo.updates] == ["stood_in", "played"]


# --- leaving


@simulated
async def test_when_the_last_person_leaves_the_bots_finish_at_once():
    evening = await (await Evening(Hopeful(0.01), bot_pause=5.0).serve()).open("Bo", "Ada", bots=["random"])
    ada = await evening.join("Ada", "Bo")
    await evening.play(ada)
    await evening.do(ada, Leave, chair=2)
    assert ada.held == {1}
    await evening.do(ada, Leave, chair=1)
    assert ada.held == frozenset()
    began = asyncio.get_running_loop().time()
    while evening.sitting.status != "finished":
        await asyncio.sleep(1)
    assert asyncio.get_running_loop().time() - began < 60
    final = ada.updates[-1]["table"]
    assert final["seed"] is not None
    assert {one["name"]: one["stand_in"] for one in final["standings"]} == {
        "Ada": "regular",
        "Bo": "regular",
        "Tim Tumbleweed": None,
    }
    assert [chair["left"] for chair in final["chairs"]] == [True, True, False]
    text = await record(evening)
    assert {check.verdict for check in verify(text)} == {"passed"}


@simulated
async def test_bots_finish_even_if_the_server_dies():
    evening = await (await Evening(Hopeful()).serve()).open("Bo", "Ada")
    ears = [await evening.join("Bo"), await evening.join("Ada")]
    for chair, ear in enumerate(ears, 1):
        await evening.do(ear, Leave, chair=chair)
    while (await evening.store.listing(evening.code)).status != "finished":
        await evening.kill()
        await evening.serve()
        await asyncio.sleep(30)
    assert "(by regular)" in await record(evening)


# --- clocks


@simulated
async def test_time_that_is_up_costs_this_turn_only():
    evening = await (await Evening().serve()).open("Bo", "Ada", clock=60)
    ada, bo = await evening.join("Ada"), await evening.join("Bo")
    await asyncio.sleep(40)
    assert evening.room.queries.table(ada).position.clock.seconds == pytest.approx(20, abs=0.2)
    await evening.play(ada, "move saloon")
    assert bo.position["clock"] == {"chair": 2, "seconds": 20.0, "runs": True}
    await asyncio.sleep(21.5)
    assert bo.sentences[-2:] == ["The bot 'Regular' plays this turn for Ada.", "Ada is done, and it is Bo's turn."]
    assert bo.position["clock"]["chair"] == 1
    await evening.play(bo)
    await evening.play(ada)


@simulated
async def test_while_the_stand_in_plays_the_person_cannot():
    evening = await (await Evening(SlowThinker(20.0)).serve()).open("Bo", "Ada", clock=60)
    ada = await evening.join("Ada")
    await asyncio.sleep(61)
    assert ada.position["stand_in"] == "regular"
    with pytest.raises(Refused) as refused:
        await evening.play(ada)
    assert refused.value.refusal.key == "time_is_up"
    await asyncio.sleep(20)
    assert ada.position["stand_in"] is None


@simulated
async def test_a_clock_survives_restarts_and_stands_still_while_no_server_runs():
    evening = await (await Evening().serve()).open("Bo", "Ada", clock=86_400)
    await asyncio.sleep(50_000)
    await evening.kill()
    await asyncio.sleep(1_000_000)
    await evening.serve()
    ada = await evening.join("Ada")
    left = evening.room.queries.table(ada).position.clock.seconds
    assert left == pytest.approx(36_400, abs=6)  # up to one heartbeat may be lost
    evening.leave(ada)
    await asyncio.sleep(left - 100)
    assert await evening.log() == ["opened", "started"]
    assert evening.hall.rooms == {}
    await asyncio.sleep(120)
    assert (await evening.log())[2] == "stood_in"


@simulated
async def test_a_game_with_a_clock_goes_on_though_nobody_comes_and_servers_die():
    evening = await (await Evening(Hopeful()).serve()).open("Bo", "Ada", bots=["random"], clock=300)
    for _ in range(10):
        await asyncio.sleep(300)
        await evening.kill()
        await asyncio.sleep(1_000)
        await evening.serve()
    played = await evening.played()
    assert set(played) == {(0, "regular"), (3, None)}
    assert 8 <= (await evening.log()).count("stood_in") <= 11


@simulated
async def test_a_sleeping_machine_counts_for_nobody():
    evening = await (await Evening().serve()).open("Bo", "Ada", clock=60)
    await evening.join("Ada")
    await asyncio.sleep(20)
    evening.services.now = lambda: asyncio.get_running_loop().time() + 10_000
    await asyncio.sleep(10)
    assert 25 < evening.room.seconds_left <= 40


@simulated
async def test_a_pause_stops_everything_until_somebody_goes_on():
    evening = await (await Evening().serve()).open("Ada", "Bo", bots=["random"], clock=60, grace=30)
    ada, bo = await evening.join("Ada"), await evening.join("Bo")
    await asyncio.sleep(20)
    await evening.do(ada, Vote, to="pause")
    await evening.do(bo, Vote, to="pause")
    await asyncio.sleep(1)
    assert bo.sentences[-1] == "The game is paused."
    evening.leave(ada)
    await asyncio.sleep(5000)
    assert bo.updates[-1]["kind"] == "host_passed"  # because the host stayed away, not because of the game
    assert bo.position["paused"]
    assert bo.position["clock"]["runs"] is False
    await evening.do(bo, Resume)
    assert bo.position["clock"]["seconds"] == pytest.approx(40, abs=0.2)
    await asyncio.sleep(41)
    assert "stood_in" in await evening.log()


# --- hosts


@simulated
async def test_a_host_who_vanishes_from_the_lobby_loses_the_role():
    evening = await (await Evening().serve()).open("Ada", "Bo", start=False)
    bo = await evening.join("Bo")
    with pytest.raises(Refused):
        await evening.do(bo, AddBot, bot="random")
    await asyncio.sleep(121)
    assert bo.sentences == ["Ada has been away for a while, so Bo is now the host."]
    await evening.do(bo, AddBot, bot="random")


@simulated
async def test_a_host_who_comes_back_in_time_stays_the_host():
    evening = await (await Evening().serve()).open("Ada", "Bo", start=False)
    bo = await evening.join("Bo")
    await asyncio.sleep(119)
    await evening.join("Ada")
    await asyncio.sleep(500)
    assert bo.updates == []


# --- agreeing to end


@simulated
async def test_those_present_end_the_game_and_the_dice_can_be_verified():
    evening = await (await Evening().serve()).open("Bo", "Cy", "Ada", grace=None)
    ada, bo = await evening.join("Ada"), await evening.join("Bo")
    await evening.play(ada, "move saloon")
    await evening.do(ada, Vote, to="end")
    await evening.do(bo, Vote, to="end")
    await asyncio.sleep(100)
    assert evening.sitting.status == "running"  # Cy may be back any moment
    assert bo.position["votes"] == {"pause": [], "end": [1, 3]}
    await asyncio.sleep(25)
    final = bo.updates[-1]["table"]
    assert (final["status"], final["called_off"], final["standings"]) == ("finished", True, [])
    assert final["position"]["offers"] == []
    assert final["seed"] is not None
    text = await record(evening)
    assert Game.from_record(text).called_off
    assert {check.verdict for check in verify(text)} == {"passed"}


@simulated
async def test_one_who_has_not_agreed_yet_and_goes_no_longer_counts():
    evening = await (await Evening().serve()).open("Bo", "Ada", grace=30)
    ada, bo = await evening.join("Ada"), await evening.join("Bo")
    await evening.do(ada, Vote, to="end")
    await asyncio.sleep(100)
    assert evening.sitting.status == "running"
    evening.leave(bo)
    await asyncio.sleep(31)
    assert evening.sitting.status == "finished"


@simulated
async def test_the_next_game_has_the_same_clock_and_nobody_who_left():
    evening = await (await Evening().serve()).open("Bo", "Cy", "Ada", clock=60, grace=30)
    bo, cy, ada = [await evening.join(name) for name in ("Bo", "Cy", "Ada")]
    await evening.do(cy, Leave, chair=2)
    for ear in (ada, bo):
        await evening.do(ear, Vote, to="end")
    await asyncio.sleep(1)
    assert evening.sitting.game.called_off
    for ear, chair in ((ada, 3), (bo, 1)):
        await evening.do(ear, Agree, chair=chair, salt=token())
    await asyncio.sleep(1)
    assert (evening.sitting.status, evening.sitting.opened.game) == ("running", 2)
    assert [chair.name for chair in evening.sitting.chairs] == ["Bo", "Ada"]
    assert evening.room.seconds_left == pytest.approx(60, abs=2)
    await asyncio.sleep(61)
    assert (await evening.log())[-2:] == ["stood_in", "played"]


# --- handing over


@simulated
async def test_a_chair_that_was_taken_over_is_held_by_one_browser_only():
    evening = await (await Evening().serve()).open("Bo", "Ada")
    ada, phone = await evening.join("Ada"), await evening.join()
    secret, new = token(), token()
    await evening.do(ada, HandOver, chair=2, secret=secret)
    again = {"id": "again", "secret": secret, "token": new}
    first = await evening.room.clerk.perform(phone, TakeOver(**again))
    assert first.chair == 2
    assert (ada.held, ada.left, phone.held) == (frozenset(), {2}, {2})
    assert await evening.room.clerk.perform(phone, TakeOver(**again)) == first  # the answer was lost
    with pytest.raises(Refused):
        await evening.play(ada)
    await evening.play(phone)
    with pytest.raises(Refused):
        evening.room.caller([token()], "en")
    assert evening.room.caller([evening.tokens["Ada"]], "en").left == {2}


@simulated
async def test_a_handover_link_says_what_it_hands_over_and_the_first_browser_learns_that_the_chair_has_moved():
    evening = await (await Evening().serve()).open("Bo", "Ada")
    ada, phone, secret = await evening.join("Ada"), await evening.join(), token()
    asked = FindHandover(id="a", secret=secret)
    await evening.do(ada, HandOver, chair=2, secret=secret)
    await asyncio.sleep(60)
    found = await evening.room.queries.answer(phone, asked)
    assert (found.chairs, found.seconds) == ((2,), pytest.approx(540, abs=2))
    before = Hello(tokens=(token(), evening.tokens["Ada"]))
    assert evening.room.join(Ear(), before).taken == ()
    await evening.do(phone, TakeOver, secret=secret, token=token())
    with pytest.raises(Refused) as refused:
        await evening.room.queries.answer(phone, asked)
    assert refused.value.refusal.key == "handover_used"
    welcome = evening.room.join(Ear(), before)
    assert (welcome.held, welcome.unknown, welcome.taken) == ((), (0, 1), (TakenChair(number=1, chair=2),))
    await evening.do(phone, Leave, chair=2)
    assert evening.room.join(Ear(), before).taken == ()


# --- between two looks


class RunsOut:
    """A table whose clock runs out after the first look at it, as on a machine that stands still for a moment."""

    leads, still, present = True, False, frozenset()
    sitting = SimpleNamespace(attendance=SimpleNamespace(paused=False))

    def __init__(self):
        self._looks = chain([0.01], repeat(-0.01))

    @property
    def seconds_left(self):
        return next(self._looks)

    def spawn(self, work):
        return asyncio.ensure_future(work)


@simulated
async def test_a_clock_that_runs_out_between_two_looks_is_not_forgotten(monkeypatch):
    done = asyncio.Event()

    async def do_timely():
        done.set()
        monkeypatch.setattr(timekeeper, "timely", lambda *_: None)

    monkeypatch.setattr(timekeeper, "countdowns", lambda *_: {})
    monkeypatch.setattr(timekeeper, "timely", lambda _sitting, _present, _over, left: "due" if left <= 0 else None)
    timekeeper.Timekeeper(RunsOut(), SimpleNamespace(closing=False, monotonic=lambda: 0.0), do_timely).wake()
    await asyncio.wait_for(done.wait(), 10)
