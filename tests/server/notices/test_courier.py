"""Notices in simulated time: to whom, when, how often, and when not.

Holds `server.notices.message` and `server.tables.appends`.
"""

import asyncio

import pytest
from msgspec.structs import replace

from deadwood.engine.notation import format_action
from deadwood.engine.rules import legal_actions
from deadwood.server.limits import Rate
from deadwood.server.notices.courier import MOST_AT_ONCE, MOST_TO_A_HOST, UNUSED
from deadwood.server.notices.message import A_DAY
from deadwood.server.notices.outgoing import Reply
from deadwood.server.protocol.commands import Agree, HandOver, Leave, Ready, Remove, Start, TakeOver, Undo
from deadwood.server.settings import Limits

from ..simulation import sensible
from ..tables.evening import SlowThinker, simulated
from .letterbox import NoticeEvening

A_MOMENT, A_WHILE = 20, 1500


def towards_the_end(evening):
    return format_action(sensible(legal_actions(evening.sitting.game.state), format_action, evening._chance))


async def an_evening(*names, asking=("Ada",), options=None, grace=None, thinker=None, start=True, **settings):
    """It is Bo's turn first; Ada asked for notices and is absent."""
    evening = await NoticeEvening(thinker, **{"notice_poll": 2.0, **settings}).serve()
    await evening.open(*(names or ("Ada", "Bo")), grace=grace, options=options, start=start)
    await evening.ask(*asking)
    return evening


@simulated
async def test_a_turn_is_announced_once_to_a_player_who_is_away():
    evening = await an_evening()
    bo = await evening.join("Bo")
    await evening.play(bo)
    assert [one.tag for one in evening.unsent] == [f"{evening.code}-1-2"]
    await asyncio.sleep(A_WHILE)
    assert evening.box.arrived == [("turn", f"{evening.code}-1-2", "Ada")]
    assert evening.unsent == []
    (post,) = evening.box.posts
    assert (post["title"], post["body"]) == ("Deadwood: Ada's table", "It is your turn, Ada.")
    assert post["link"] == f"http://x/t/{evening.code}"
    assert evening.services.counters.notices_sent == 1


@simulated
async def test_people_who_are_there_or_have_just_seen_the_turn_get_no_notice():
    evening = await an_evening()
    ada, bo = await evening.join("Ada"), await evening.join("Bo")
    await evening.play(bo)
    await asyncio.sleep(A_WHILE)
    evening.leave(ada)
    await asyncio.sleep(A_WHILE)
    assert (evening.box.posts, evening.unsent) == ([], [])


@simulated
async def test_people_who_leave_soon_after_a_turn_begins_may_not_have_seen_it():
    evening = await an_evening()
    ada, bo = await evening.join("Ada"), await evening.join("Bo")
    await evening.play(bo)
    await asyncio.sleep(evening.settings.notice_delay + 2)
    evening.leave(ada)
    await asyncio.sleep(evening.settings.notice_seen)
    assert len(evening.box.posts) == 1


@simulated
async def test_a_turn_that_is_taken_back_is_not_announced_and_has_its_tag_when_it_comes_again():
    evening = await an_evening()
    bo = await evening.join("Bo")
    await evening.play(bo)
    await evening.do(bo, Undo, seq=evening.sitting.seq + 1)
    await asyncio.sleep(A_MOMENT)
    assert evening.box.posts == []
    await evening.play(bo)
    await asyncio.sleep(A_MOMENT)
    await evening.do(bo, Undo, seq=evening.sitting.seq + 1)
    await evening.play(bo)
    await asyncio.sleep(A_MOMENT)
    assert evening.box.arrived == [("turn", f"{evening.code}-1-2", "Ada")] * 2


@simulated
async def test_a_notice_is_repeated_with_its_tag_until_it_is_taken_each_time_after_twice_as_long():
    evening = await an_evening()
    evening.box.replies = [500, None, 302, 503]
    bo = await evening.join("Bo")
    await evening.play(bo)
    await asyncio.sleep(A_WHILE)
    assert len(set(evening.box.arrived)) == 1
    waits = [round(later - earlier) for earlier, later in zip(evening.box.times, evening.box.times[1:], strict=False)]
    assert [0 <= wait - due <= 3 for wait, due in zip(waits, (30, 60, 120, 240), strict=True)] == [True] * 4
    assert (evening.services.counters.notices_failed, evening.services.counters.notices_sent) == (4, 1)


@simulated
async def test_a_host_that_asks_for_time_gets_it():
    evening = await an_evening()
    evening.box.replies = [Reply(429, 1000.0)]
    await evening.play(await evening.join("Bo"))
    await asyncio.sleep(A_WHILE)
    first, second = evening.box.times
    assert 1000 <= second - first <= 1003


@simulated
async def test_after_a_day_it_is_dropped():
    evening = await an_evening(notice_poll=60.0)
    evening.box.replies = [None] * 1000
    began = evening.services.now()
    await evening.play(await evening.join("Bo"))
    await asyncio.sleep(1.2 * A_DAY)
    assert evening.unsent == []
    assert 24 <= len(evening.box.posts) <= 40
    assert evening.box.times[-1] - began < A_DAY
    assert evening.services.counters.notices_dropped == 1


@simulated
async def test_a_turn_that_is_over_is_announced_no_more():
    evening = await an_evening()
    evening.box.replies = [500] * 9
    ada, bo = await evening.join("Ada"), await evening.join("Bo")
    evening.leave(ada)
    await evening.play(bo)
    await asyncio.sleep(A_MOMENT)
    await evening.play(await evening.join("Ada"))
    await asyncio.sleep(A_WHILE)
    assert len(evening.box.posts) == 1


@pytest.mark.parametrize("status", [404, 410])
def test_an_address_where_nobody_is_any_more_is_forgotten(status):
    @simulated
    async def play():
        evening = await an_evening()
        evening.box.replies = [status]
        await evening.play(await evening.join("Bo"))
        await asyncio.sleep(A_WHILE)
        assert len(evening.box.posts) == 1
        assert (evening.store.outbox.asked, evening.unsent) == ({}, [])

    play()


@simulated
async def test_a_server_that_dies_before_it_sends_leaves_it_to_the_next():
    evening = await an_evening()
    await evening.play(await evening.join("Bo"))
    await evening.kill()
    assert evening.box.posts == []
    await evening.serve()
    await asyncio.sleep(A_MOMENT)
    assert evening.box.arrived == [("turn", f"{evening.code}-1-2", "Ada")]


@simulated
async def test_a_server_that_dies_while_it_sends_leaves_it_to_the_next_with_the_same_tag():
    evening = await an_evening()
    evening.box.seconds = 8.0
    await evening.play(await evening.join("Bo"))
    await asyncio.sleep(evening.settings.notice_delay + 4)
    assert evening.box.under_way == 1
    await evening.kill()
    await evening.serve()
    await asyncio.sleep(2 * evening.settings.notice_retry)
    assert evening.box.arrived == [("turn", f"{evening.code}-1-2", "Ada")]


@simulated
async def test_the_beginning_and_the_end_of_a_game_are_announced_in_the_language_of_each():
    evening = await an_evening("Ada", "Bo", "Cy", asking=(), start=False)
    await evening.ask("Ada", "Bo")
    await evening.ask("Cy", language="de")
    ada = await evening.join("Ada", "Bo", "Cy")
    for chair in sorted(ada.held):
        await evening.do(ada, Ready, chair=chair, salt=evening._secret())
    await evening.do(ada, Start)
    evening.leave(ada)
    await asyncio.sleep(A_MOMENT)
    assert sorted((one["player"], one["type"], one["body"]) for one in evening.box.posts) == [
        ("Ada", "started", "The game has begun."),
        ("Bo", "started", "The game has begun."),
        ("Cy", "started_turn", "Das Spiel hat begonnen, und du bist dran, Cy."),
    ]
    evening.box.posts.clear()
    ada = await evening.join("Ada")
    for name in ("Ada", "Bo"):
        await evening.do(ada if name == "Ada" else await evening.join(name), Leave, chair=evening.chair(name))
    cy = await evening.join("Cy")
    await evening.do(cy, Leave, chair=evening.chair("Cy"))
    await asyncio.sleep(A_WHILE)
    assert evening.box.posts == []  # nobody is left to notify


@simulated
async def test_the_end_is_announced_to_all_and_so_is_the_next_game():
    evening = await an_evening("Ada", "Bo", asking=("Ada", "Bo"))
    both = await evening.join("Ada", "Bo")
    while evening.sitting.status == "running":
        await evening.play(both, action=towards_the_end(evening))
    evening.leave(both)
    await asyncio.sleep(A_MOMENT)
    assert [(one["type"], one["tag"]) for one in evening.box.posts] == [("over", f"{evening.code}-1-over")] * 2
    assert all("The game is over: " in one["body"] for one in evening.box.posts)
    evening.box.posts.clear()
    both = await evening.join("Ada", "Bo")
    for chair in sorted(both.held):
        await evening.do(both, Agree, chair=chair, salt=evening._secret())
    while evening.sitting.status != "running":
        await asyncio.sleep(1)
    evening.leave(both)
    await asyncio.sleep(A_MOMENT)
    assert sorted(one["type"] for one in evening.box.posts) == ["started", "started_turn"]
    assert {one["game"] for one in evening.box.posts} == {2}


@simulated
async def test_people_who_leave_get_no_more_notices():
    evening = await an_evening("Ada", "Bo", "Cy", asking=("Ada", "Bo"))
    ada = await evening.join("Ada")
    await evening.do(ada, Leave, chair=evening.chair("Ada"))
    assert [one.chair for one in evening.store.outbox.asked.values()] == [evening.chair("Bo")]


@simulated
async def test_people_who_are_removed_get_no_more_notices():
    evening = await an_evening("Ada", "Bo", asking=("Ada", "Bo"), start=False)
    ada = await evening.join("Ada")
    await evening.do(ada, Remove, chair=evening.chair("Bo"))
    assert [one.chair for one in evening.store.outbox.asked.values()] == [evening.chair("Ada")]


@simulated
async def test_a_seat_that_another_device_takes_over_is_announced_nowhere_until_that_asks():
    evening = await an_evening()
    ada, bo = await evening.join("Ada"), await evening.join("Bo")
    await evening.play(bo)
    secret, evening.tokens["Ada"] = evening._secret(), evening._secret()
    await evening.do(ada, HandOver, chair=evening.chair("Ada"), secret=secret)
    phone = await evening.join()
    await evening.do(phone, TakeOver, secret=secret, token=evening.tokens["Ada"])
    assert (evening.store.outbox.asked, evening.unsent) == ({}, [])
    evening.leave(ada, phone)
    await asyncio.sleep(A_WHILE)
    assert evening.box.posts == []


@simulated
async def test_nobody_gets_notices_while_a_stand_in_plays_unless_it_waits_for_company():
    evening = await an_evening(grace=30, thinker=SlowThinker(0.1))
    bo = await evening.join("Bo")
    await evening.play(bo)
    await asyncio.sleep(A_MOMENT)
    assert len(evening.box.posts) == 1  # nobody stands in yet
    while evening.sitting.active.name != "Bo":
        await asyncio.sleep(1)
    await evening.play(bo)
    await asyncio.sleep(A_MOMENT)
    assert evening.sitting.active.name == "Bo"  # the stand-in has played
    await evening.play(bo)
    evening.leave(bo)
    await asyncio.sleep(A_WHILE)
    assert (await evening.wake()).sitting.active.name == "Ada"
    assert [tag for _, tag, _ in evening.box.arrived] == [f"{evening.code}-1-2", f"{evening.code}-1-6"]


@simulated
async def test_at_a_table_with_real_dice_turns_are_announced_too():
    evening = await an_evening(options={"dice": "table"})
    await evening.play(await evening.join("Bo"))
    await asyncio.sleep(A_MOMENT)
    assert [kind for kind, _, _ in evening.box.arrived] == ["turn"]


@simulated
async def test_no_more_go_out_at_once_than_may_and_a_slow_host_keeps_nobody_else_waiting():
    evening = await an_evening(asking=())
    evening.box.seconds = 9.0
    for number in range(6):
        await evening.ask("Ada", host="slow.example", number=number)
    await evening.play(await evening.join("Bo"))
    await asyncio.sleep(evening.settings.notice_delay + 3)
    assert evening.box.under_way == MOST_TO_A_HOST
    await asyncio.sleep(A_WHILE)
    assert len(evening.box.posts) == 6
    assert evening.box.most_under_way == MOST_TO_A_HOST < MOST_AT_ONCE


@simulated
async def test_a_seat_and_a_host_get_a_limited_number():
    evening = await an_evening(asking=(), limits=Limits(seat_notices=Rate(1 / 100, 2), host_notices=Rate(1, 10)))
    for number in range(4):
        await evening.ask("Ada", number=number)
    await evening.play(await evening.join("Bo"))
    await asyncio.sleep(A_MOMENT)
    assert len(evening.box.posts) == 2
    await asyncio.sleep(A_WHILE)
    assert len(evening.box.posts) == 4
    assert evening.services.counters.notices_failed == 0


@simulated
async def test_subscriptions_that_nobody_renews_are_forgotten_in_the_end():
    evening = await an_evening(notice_poll=60.0)
    asked = evening.store.outbox.asked
    asked.update({id: replace(one, asked=-UNUSED) for id, one in asked.items()})
    await asyncio.sleep(3700)
    assert evening.store.outbox.asked == {}
