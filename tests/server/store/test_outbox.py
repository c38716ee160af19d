"""Waiting notices: written with their entry or not at all, one for each subscription, gone with the chair."""

from msgspec.structs import replace

from deadwood.server.tables.news import Notice
from deadwood.server.tables.ports import Append, Subscription, Unsent

from ..people import together
from .changes import CODE, OTHER, entry, opened

PLACE = "https://box.example/"


def asked(id, chair=1, *, code=CODE, holder="a" * 64, target=None, kind="json", at=1.0):
    return Subscription(id * 32, code, chair, holder, kind, target or PLACE + id, "", "en", at)


def notice(tag="t-1", chair=1, *, code=CODE, holder="a" * 64, at=1.5):
    return Notice(code, chair, holder, "turn", tag, at, at + 5)


def unsent(id, tag="t-1", chair=1, *, at=1.5, due=6.5, attempts=0, code=CODE):
    return Unsent(id * 32, code, chair, "turn", tag, at, due, attempts)


@together
async def test_a_notice_is_stored_with_its_entry_for_all_who_asked(opening):
    async with opened(opening()) as store:
        for one in (asked("1"), asked("2", 2), asked("3", 3, holder="b" * 64), asked("4", code=OTHER), asked("5")):
            assert await store.outbox.subscribe(one, 6)
        assert await store.commit([Append(entry(1), notices=(notice(), notice(chair=3)))]) == [True]
        assert await store.outbox.due(6.4, 9) == []
        assert sorted(one.subscription[0] for one in await store.outbox.due(6.5, 9)) == ["1", "5"]


@together
async def test_an_entry_whose_number_is_taken_announces_nothing(opening):
    async with opened(opening()) as store:
        await store.outbox.subscribe(asked("1"), 6)
        await store.commit([Append(entry(1))])
        late = Append(entry(1), notices=(notice(),), given_up=(1,))
        assert await store.commit([late]) == [False]
        assert await store.outbox.due(1e9, 9) == []
        assert len(await store.outbox.subscriptions(CODE, 1)) == 1


@together
async def test_newer_news_replaces_older_and_settling_the_older_leaves_it(opening):
    async with opened(opening()) as store:
        await store.outbox.subscribe(asked("1"), 6)
        await store.commit([Append(entry(1), notices=(notice(),))])
        (first,) = await store.outbox.due(9, 9)
        assert first == unsent("1")
        await store.commit([Append(entry(2), notices=(notice("t-2", at=2.5),))])
        assert await store.outbox.reschedule(first, 99.0, 1) is False
        await store.outbox.settle(first)
        (second,) = await store.outbox.due(9, 9)
        assert second == unsent("1", "t-2", at=2.5, due=7.5)
        assert await store.outbox.reschedule(second, 99.0, 1) is True
        assert await store.outbox.reschedule(second, 99.0, 1) is False  # somebody else has it
        assert await store.outbox.due(98, 9) == []
        assert await store.outbox.due(99, 9) == [unsent("1", "t-2", at=2.5, due=99.0, attempts=1)]
        await store.outbox.settle(second)
        assert await store.outbox.due(1e9, 9) == []


@together
async def test_with_a_chair_go_its_subscriptions_and_what_waits_for_them(opening):
    async with opened(opening()) as store:
        for one in (asked("1"), asked("2", 2), asked("3", code=OTHER)):
            await store.outbox.subscribe(one, 6)
        news = (notice(), notice(chair=2))
        await store.commit(
            [Append(entry(1), notices=news), Append(entry(1, code=OTHER), notices=(notice(code=OTHER),))]
        )
        await store.commit([Append(entry(2), given_up=(1,))])
        assert sorted(one.subscription[0] for one in await store.outbox.due(9, 9)) == ["2", "3"]
        assert await store.outbox.subscription("1" * 32) is None
        assert await store.outbox.subscriptions(CODE, 1) == []


@together
async def test_a_chair_has_a_limited_number_and_the_same_address_once(opening):
    async with opened(opening()) as store:
        assert await store.outbox.subscribe(asked("1"), 2)
        assert await store.outbox.subscribe(asked("2"), 2)
        assert not await store.outbox.subscribe(asked("3"), 2)
        assert await store.outbox.subscribe(asked("4", target=PLACE + "1", at=2.0), 2)
        found = await store.outbox.subscriptions(CODE, 1)
        assert found == [asked("2"), replace(asked("1"), asked=2.0)]
        assert await store.outbox.subscription("1" * 32) == found[1]
        assert await store.outbox.subscribe(asked("5", holder="b" * 64), 2)  # a new holder starts afresh
        assert [one.id[0] for one in await store.outbox.subscriptions(CODE, 1)] == ["5"]
        await store.outbox.unsubscribe("5" * 32)
        assert await store.outbox.subscriptions(CODE, 1) == []


@together
async def test_a_browser_with_another_address_gets_all_its_notices_there(opening):
    async with opened(opening()) as store:
        old, new = "https://push.example/old", "https://push.example/new"
        for one in (asked("1", target=old, kind="push"), asked("2", 2, target=old, kind="push"), asked("3", 3)):
            await store.outbox.subscribe(one, 6)
        await store.outbox.subscribe(asked("4", 2, target=new, kind="push"), 6)
        assert await store.outbox.redirect(old, new, "keys") == 1
        assert await store.outbox.redirect(old, new, "keys") == 0
        assert [(one.target, one.keys) for one in await store.outbox.subscriptions(CODE, 1)] == [(new, "keys")]
        assert [one.id[0] for one in await store.outbox.subscriptions(CODE, 2)] == ["4"]
        assert await store.outbox.redirect(PLACE + "3", new, "keys") == 0  # a webhook has no keys


@together
async def test_old_subscriptions_are_forgotten_and_keys_are_made_once(opening):
    async with opened(opening()) as store:
        await store.outbox.subscribe(asked("1", at=1.0), 6)
        await store.outbox.subscribe(asked("2", at=5.0), 6)
        await store.outbox.forget(3.0)
        assert [one.id[0] for one in await store.outbox.subscriptions(CODE, 1)] == ["2"]
        assert await store.outbox.key("push", "first") == "first"
        assert await store.outbox.key("push", "second") == "first"
