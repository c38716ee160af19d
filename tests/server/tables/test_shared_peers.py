"""Several processes at one table, in simulated time: they see the same, one of them plays the bots, and any may die.

Holds `server.tables.bulletins`, `server.tables.following`, `server.tables.logkeeper` and `server.tables.peering`.
"""

import asyncio
import os

import msgspec
import pytest
from msgspec.structs import replace

from deadwood.server.metrics import Counters
from deadwood.server.protocol.commands import Play, Say, Vote
from deadwood.server.protocol.refusals import StoreFailed
from deadwood.server.protocol.talk import TalkLine
from deadwood.server.tables import shared_peers
from deadwood.server.tables.bulletins import Appended, Attending, Parting, Spoken
from deadwood.server.tables.chores import PORTION
from deadwood.server.tables.log import Entry, Played, Undone
from deadwood.server.tables.ports import Append
from deadwood.server.tables.shared_peers import BEAT, LIFE, MOST_ADOPTED, MOST_BYTES, SharedPeers

from ..memory import MemoryExchange, MemoryStore
from ..people import together
from .evening import Evening, SlowThinker, Walker, simulated
from .halls import Turns

SOON = 0.1  # seconds after which everybody has heard everything
TAKEOVER = 5.0


class Cuttable(MemoryExchange):
    """An exchange whose connection can break."""

    broken = False
    slowness = 0.0  # seconds until the database hears from us

    def _demand(self):
        if self.broken:
            self._store.ears.pop(self, None)
        super()._demand()

    async def renew(self, server, seconds):
        await asyncio.sleep(self.slowness)
        return await super().renew(server, seconds)


async def processes(count, thinker=None, **settings):
    """Processes on one store."""
    store = MemoryStore()
    found = []
    for _ in range(count):
        exchange = Cuttable(store)
        one = Evening(thinker, store, SharedPeers(exchange, os.urandom, Counters()), **settings)
        one.exchange = exchange
        found.append(await one.serve())
    await asyncio.sleep(1.5)  # until they know of each other
    return found


async def table(count=2, *names, thinker=None, settings=None, **more):
    """A running game that all processes know; it is opened at the first one."""
    first, *others = await processes(count, thinker, **(settings or {}))
    await first.open(*names, **more)
    for other in others:
        other.code, other.tokens = first.code, first.tokens
    return [first, *others]


def leaders(evenings):
    return [one for one in evenings if one.services.peers.fence(one.code) is not None]


def leader(evenings):
    (found,) = leaders(evenings)
    return found


def kinds(ear):
    return [message["type"] for message in ear.heard]


@simulated
async def test_players_at_different_processes_see_each_others_actions():
    here, there = await table(2, "Bo", "Ada")
    bo, ada = await here.join("Bo"), await there.join("Ada")
    await there.play(ada)
    await asyncio.sleep(SOON)
    await here.play(bo)
    await asyncio.sleep(SOON)
    assert [one["seq"] for one in bo.updates] == [one["seq"] for one in ada.updates] == [3, 4]
    assert here.sitting.seq == there.sitting.seq == 4


@simulated
async def test_people_connected_to_another_process_are_present():
    here, there = await table(2, "Bo", "Ada", grace=30)
    bo = await here.join("Bo")
    ada = await there.join("Ada")
    await asyncio.sleep(SOON)
    assert {"type": "present", "chairs": [1, 2]} in bo.heard
    assert here.room.present == there.room.present == {1, 2}
    await asyncio.sleep(100)
    assert await here.log() == ["opened", "started"]  # no stand-in for Ada
    there.leave(ada)
    await asyncio.sleep(SOON)
    assert {"type": "present", "chairs": [1]} in bo.heard
    await asyncio.sleep(32)
    assert "stood_in" in await here.log()


@simulated
async def test_a_process_that_wakes_a_table_learns_who_is_there():
    here, there = await table(2, "Bo", "Ada")
    await here.join("Bo")
    await there.wake()
    await asyncio.sleep(SOON)
    assert there.room.present == {1}


@simulated
async def test_people_who_come_from_another_process_see_everything_that_is_stored():
    """The process that stored an entry may have died before it told anybody."""
    here, there = await table(2, "Bo", "Ada")
    ada = await here.join("Ada")
    await there.wake()
    here.services.peers.tell = lambda bulletin: None
    await here.play(ada)
    assert (await there.wake()).sitting.seq == 3


@simulated
async def test_a_lost_bulletin_is_healed_by_looking():
    here, there = await table(2, "Bo", "Ada")
    ada, bo = await here.join("Ada"), await there.join("Bo")
    here.services.peers.tell = lambda bulletin: None
    await here.play(ada)
    await asyncio.sleep(1.5)
    assert [one["seq"] for one in bo.updates] == [3]


@simulated
async def test_actions_travel_with_their_bulletins():
    here, there = await table(2, "Bo", "Ada")
    ada, bo = await here.join("Ada"), await there.join("Bo")
    await asyncio.sleep(SOON)
    reads = count_reads(here.services.store)
    await here.play(ada, "move saloon")
    await here.play(ada, "end")
    await asyncio.sleep(SOON)
    await there.play(bo)
    await asyncio.sleep(SOON)
    assert [one["seq"] for one in bo.updates] == [one["seq"] for one in ada.updates] == [3, 4, 5]
    assert here.sitting.seq == there.sitting.seq == 5
    assert reads == []


@simulated
async def test_an_action_without_the_one_before_it_is_read_from_the_log():
    here, there = await table(2, "Bo", "Ada")
    ada, bo = await here.join("Ada"), await there.join("Bo")
    await asyncio.sleep(SOON)
    reads, tell = count_reads(here.services.store), here.services.peers.tell
    here.services.peers.tell = lambda bulletin: None
    await here.play(ada, "move saloon")
    here.services.peers.tell = tell
    await here.play(ada, "end")
    await asyncio.sleep(SOON)
    assert [one["seq"] for one in bo.updates] == [3, 4]
    assert reads == [3]


@simulated
async def test_after_a_commit_of_unknown_fate_the_log_counts_and_no_bulletin():
    here, there = await table(2, "Bo", "Ada")
    ada, bo = await here.join("Ada"), await there.join("Bo")
    await asyncio.sleep(SOON)
    reads = count_reads(here.services.store)
    there.room.follower.unsure = True
    await here.play(ada)
    await asyncio.sleep(SOON)
    assert [one["seq"] for one in bo.updates] == [3]
    assert reads == [3]


def count_reads(store):
    """The first numbers of what is read of logs from now on."""
    reads, entries = [], store.entries

    async def counted(code, first, last=None):
        reads.append(first)
        return await entries(code, first, last)

    store.entries = counted
    return reads


def test_only_actions_travel_and_only_in_a_version_that_is_understood():
    action = Entry("K7RM4TXC", 3, 17.5, 1, "id", Played("move saloon", "card 17"))
    bulletin = Appended.of(action)
    assert msgspec.json.decode(msgspec.json.encode(bulletin), type=Appended).entry == action
    later = replace(bulletin.action, body=bulletin.action.body.replace('"version":1', '"version":2'))
    assert replace(bulletin, action=later).entry is None
    assert Appended.of(Entry("K7RM4TXC", 3, 17.5, 1, "id", Undone())) == Appended("K7RM4TXC", 3)


@simulated
async def test_actions_that_never_fit_do_not_pile_up():
    _, there = await table(2, "Bo", "Ada")
    await there.join("Bo")
    for seq in range(10, 1000):
        there.room.follower.learn(seq, Entry(there.code, seq, 0.0, 1, "", Played("end", "")))
    assert len(there.room.follower._carried) <= 100
    await asyncio.sleep(SOON)
    assert there.room.follower._carried == {}


@simulated
async def test_talk_reaches_everybody_once():
    here, there = await table(2, "Bo", "Ada")
    bo, ada = await here.join("Bo"), await there.join("Ada")
    said = await here.room.talk(bo, Say(id="1", text="Howdy"))
    await asyncio.sleep(SOON)
    assert [one["line"]["text"] for one in ada.heard if one["type"] == "said"] == ["Howdy"]
    assert [line.text for line in there.services.grapevine.lines(there.code)] == ["Howdy"]
    assert (await there.room.talk(bo, Say(id="1", text="Howdy"))).number == said.number  # sent again, to the other one
    await asyncio.sleep(5)
    assert kinds(ada).count("said") == kinds(bo).count("said") == 1
    assert [row.line.text for row in await here.store.talk.lines(here.code)] == ["Howdy"]


@simulated
async def test_people_who_come_later_get_talk_that_is_not_stored_yet():
    here, there = await table(2, "Bo", "Ada")
    bo = await here.join("Bo")
    await here.room.talk(bo, Say(id="1", text="Howdy"))
    await there.wake()
    await asyncio.sleep(SOON)
    assert [line.text for line in there.services.grapevine.lines(there.code)] == ["Howdy"]


@simulated
async def test_cleared_talk_does_not_come_back_from_elsewhere():
    here, there = await table(2, "Bo", "Ada")
    bo, ada = await here.join("Bo"), await there.join("Ada")
    await there.room.talk(ada, Say(id="1", text="psst"))
    await asyncio.sleep(SOON)
    await here.services.grapevine.clear(here.code)
    await asyncio.sleep(5)
    assert kinds(ada)[-1] == kinds(bo)[-1] == "talk_cleared"
    assert await here.store.talk.lines(here.code) == []
    assert there.services.grapevine.lines(there.code) == ()


@simulated
async def test_bots_play_in_one_process():
    here, there = await table(2, "Ada", bots=("random",), options={"first": "Ada"})
    ada = await there.join("Ada")
    await there.play(ada)
    await asyncio.sleep(3)
    assert len(here.thinker.asked) + len(there.thinker.asked) == 1
    assert there.sitting.active.name == "Ada"


@simulated
async def test_bots_go_on_after_a_moment_in_which_nobody_was_sure_of_the_lease():
    """The database was slow, but not so slow that another process took over."""
    here, there = await table(2, "Ada", bots=("random",), options={"first": "Ada"})
    ada = await there.join("Ada")
    here.exchange.slowness = 1.6
    while leaders([here, there]):
        await asyncio.sleep(0.01)
    await there.play(ada)
    await asyncio.sleep(SOON)
    here.exchange.slowness = 0.0
    await asyncio.sleep(TAKEOVER)
    assert leaders([here, there]) == [here]
    assert there.sitting.active.name == "Ada"


@simulated
async def test_another_process_plays_on_when_one_dies():
    here, there = await table(2, "Ada", bots=("random",), options={"first": "Ada"}, thinker=SlowThinker(2.0))
    ada = await there.join("Ada")
    await asyncio.sleep(SOON)
    assert leader([here, there]) is here
    await there.play(ada)
    await here.kill()
    here.exchange._store.ears.pop(here.exchange)
    await asyncio.sleep(TAKEOVER + 2.0)  # the bot thinks for two seconds
    assert there.sitting.active.name == "Ada"


@simulated
async def test_tables_that_nobody_came_to_are_taken_over_as_well():
    here, there = await table(2, "Ada", bots=("random",), options={"first": "Ada"}, thinker=SlowThinker(2.0))
    ada = await here.join("Ada")
    await here.play(ada)
    here.leave(ada)
    await here.kill()
    await asyncio.sleep(TAKEOVER + 2.0)
    assert there.sitting.active.name == "Ada"


@simulated
@pytest.mark.parametrize("phase", [0.0, 0.3, 0.6, 0.9])
async def test_a_thousand_tables_of_a_dead_process_are_taken_over_in_time(phase):
    """Whenever it died, between two beats of the one that takes over."""
    store, woken = MemoryStore(), []
    peers = SharedPeers(MemoryExchange(store), os.urandom, Counters())
    living = asyncio.create_task(peers.live(woken.append))
    await asyncio.sleep(10.0 + phase * BEAT)
    store.servers["dead"] = asyncio.get_running_loop().time() + LIFE  # its last report
    store.leases.update({f"T{number:07}": ("dead", 1) for number in range(MOST_ADOPTED)})
    await asyncio.sleep(LIFE + BEAT + SOON)
    assert LIFE + BEAT + SOON < TAKEOVER
    assert peers.leases == len(set(woken)) == MOST_ADOPTED == 1000
    assert not living.done()


@simulated
async def test_two_processes_share_the_tables_of_a_dead_one():
    """A process that has a thousand tables to wake takes no more."""
    store = MemoryStore()
    peers = [SharedPeers(MemoryExchange(store), os.urandom, Counters()) for _ in range(2)]
    living = [asyncio.create_task(one.live(lambda _code: None)) for one in peers]
    store.leases.update({f"T{number:07}": ("dead", 1) for number in range(2 * MOST_ADOPTED)})
    await asyncio.sleep(LIFE)
    assert [one.leases for one in peers] == [MOST_ADOPTED, MOST_ADOPTED]
    assert not any(task.done() for task in living)


@simulated
async def test_nobody_looks_after_a_table_of_a_dead_process_that_was_deleted_meanwhile(caplog):
    """A process that retried at every beat would fill the log."""
    here, there = await table(2, "Bo", "Ada")
    await here.kill()
    del here.exchange._store.tables[here.code]
    await asyncio.sleep(TAKEOVER + 10.0)
    assert caplog.text.count(f"table {here.code} could not be woken") == 1
    assert there.services.peers.leases == 0


@simulated
async def test_people_connected_to_a_dead_process_are_absent():
    here, there = await table(2, "Bo", "Ada")
    bo = await there.join("Bo")
    await here.join("Ada")
    await asyncio.sleep(SOON)
    await here.kill()
    await asyncio.sleep(TAKEOVER)
    assert bo.heard[-1]["type"] == "waiting"
    assert {"type": "present", "chairs": [1]} in bo.heard
    assert there.room.present == {1}


@simulated
async def test_a_process_that_ends_properly_is_replaced_at_once():
    here, there = await table(2, "Bo", "Ada")
    await there.wake()
    await here.kill()
    await here.services.peers.close()
    await asyncio.sleep(SOON)
    assert leader([there]) is there


@simulated
async def test_a_table_that_goes_to_sleep_leaves_its_lease_to_those_who_use_it():
    here, there = await table(2, "Bo", "Ada", settings={"asleep": 20.0})
    await there.join("Bo")
    await asyncio.sleep(31)
    assert here.code not in here.hall.rooms
    assert leader([here, there]) is there


@simulated
async def test_a_slow_process_cannot_store_anything_under_its_old_lease():
    here, there = await table(2, "Bo", "Ada")
    await there.wake()
    await asyncio.sleep(SOON)
    fence = here.services.peers.fence(here.code)
    assert fence
    here.exchange.broken = True
    await asyncio.sleep(TAKEOVER)
    assert leader([here, there]) is there
    entry = (await here.store.entries(here.code, 2))[0]
    stale = Append(replace(entry, seq=3), fence=fence)
    assert await here.store.commit([stale]) == [False]
    valid = Append(replace(entry, seq=3), fence=there.services.peers.fence(here.code))
    assert await here.store.commit([valid]) == [True]


@simulated
async def test_a_process_that_learns_of_its_lost_lease_stops():
    """Nobody told it, and by its own clock it still has the lease."""
    here, there = await table(2, "Ada", bots=("random",), options={"first": "Ada"})
    ada = await here.join("Ada")
    _, number = here.store.leases[here.code]
    here.store.leases[here.code] = "another", number + 1
    here.store.servers["another"] = 1e9
    await here.play(ada)
    await asyncio.sleep(10)
    assert here.services.peers.fence(here.code) is None
    assert here.sitting.seq == 3
    assert there.services.peers.fence(here.code) is None


@simulated
async def test_a_process_that_is_cut_off_sends_everybody_to_the_others():
    here, there = await table(2, "Bo", "Ada")
    bo = await here.join("Bo")
    here.exchange.broken = True
    await asyncio.sleep(LIFE + 1.5)
    assert here.services.peers.cut_off
    here.hall.send_to_others()
    assert bo.heard[-1]["type"] == "goodbye"
    assert 0.1 <= bo.heard[-1]["retry_after"] <= 1.0
    here.exchange.broken = False
    await asyncio.sleep(1)
    assert not here.services.peers.cut_off
    assert not there.services.peers.cut_off


@simulated
async def test_a_process_that_has_just_heard_of_another_knows_where_to_send_people():
    (here,) = await table(1, "Bo", "Ada")
    there = Evening(None, here.store, SharedPeers(MemoryExchange(here.store), os.urandom, Counters()))
    await there.serve()
    there.code = here.code
    await there.wake()
    await asyncio.sleep(SOON)
    assert here.services.peers.others == 1
    here.exchange.broken = True
    await asyncio.sleep(LIFE + 1.5)
    assert here.services.peers.cut_off


@simulated
async def test_a_process_without_others_keeps_its_people_whatever_happens():
    (alone,) = await table(1, "Bo", "Ada")
    bo = await alone.join("Bo")
    alone.exchange.broken = True
    await asyncio.sleep(60)
    alone.hall.send_to_others()
    assert "goodbye" not in kinds(bo)


@simulated
async def test_after_a_break_everybody_knows_everything_again():
    here, there = await table(2, "Bo", "Ada")
    bo, ada = await here.join("Bo"), await there.join("Ada")
    there.exchange.broken = True
    await there.room.talk(ada, Say(id="1", text="from there"))
    await asyncio.sleep(1)
    await here.room.talk(bo, Say(id="2", text="from here"))
    await asyncio.sleep(10)
    assert here.room.present == {1}
    there.exchange.broken = False
    await asyncio.sleep(3)
    assert here.room.present == there.room.present == {1, 2}
    for one in (here, there):
        said = {line.text for line in one.services.grapevine.lines(one.code)}
        assert said == {"from there", "from here"}


@simulated
async def test_a_pause_needs_those_at_other_processes_too():
    here, there = await table(2, "Bo", "Ada")
    bo, ada = await here.join("Bo"), await there.join("Ada")
    await asyncio.sleep(SOON)
    await here.do(bo, Vote, to="pause")
    await asyncio.sleep(SOON)
    assert "paused" not in await here.log()
    await there.do(ada, Vote, to="pause")
    await asyncio.sleep(SOON)
    assert (await here.log())[-1] == "paused"
    assert here.sitting.attendance.paused
    assert there.sitting.attendance.paused


@simulated
async def test_dice_for_a_bot_are_asked_for_at_every_process():
    here, there = await table(
        2, "Ada", bots=("random",), thinker=Walker(0.1), options={"dice": "table", "first": "Ada"}
    )
    ada = await there.join("Ada")
    await there.play(ada)
    await asyncio.sleep(10)
    wanted = [one["pending"] for one in ada.heard if one["type"] == "pending"]
    assert len(wanted) == 1
    assert wanted[0]["action"].startswith("move")
    done = await there.do(ada, Play, seq=there.sitting.seq + 1, action=wanted[0]["action"], outcome="17")
    await asyncio.sleep(SOON)
    assert here.sitting.seq >= done.seq
    assert here.room.pending is None


@simulated
async def test_notices_are_sent_by_whoever_has_the_lease():
    here, there = await table(2, "Bo", "Ada")
    await asyncio.sleep(SOON)
    assert await here.services.peers.claim([here.code]) == {here.code}
    assert await there.services.peers.claim([here.code]) == set()


@simulated
async def test_long_bulletins_travel_in_several_letters():
    store = MemoryStore()
    texts = []
    listening, telling = MemoryExchange(store), SharedPeers(MemoryExchange(store), os.urandom, Counters())
    await listening.open(texts.append)
    for number in range(40):
        line = TalkLine(number=number, name="Ada", chair=1, text="\u00e4" * 300)
        telling.tell(Spoken("CCCCFFFF", f"c{number}", line))
    asyncio.create_task(telling.live(lambda code: None))  # noqa: RUF006 - it ends with the test
    await asyncio.sleep(SOON)
    assert len(texts) > 2
    assert max(len(text.encode()) for text in texts) < MOST_BYTES + 200
    bulletins = [one for text in texts for one in shared_peers._decode(text).bulletins]
    assert [one.line.number for one in bulletins] == list(range(40))


@simulated
async def test_a_later_bulletin_replaces_an_earlier_one():
    store = MemoryStore()
    texts = []
    listening, telling = MemoryExchange(store), SharedPeers(MemoryExchange(store), os.urandom, Counters())
    await listening.open(texts.append)
    for seq in range(1, 100):
        telling.tell(Appended("CCCCFFFF", seq))
        telling.tell(Attending("CCCCFFFF", seq))
    asyncio.create_task(telling.live(lambda code: None))  # noqa: RUF006 - it ends with the test
    await asyncio.sleep(SOON)
    (letter,) = [shared_peers._decode(text) for text in texts]
    assert letter.bulletins == (Appended("CCCCFFFF", 99), Attending("CCCCFFFF", 99))


@together
async def test_the_queue_for_the_database_is_bounded(monkeypatch):
    monkeypatch.setattr(shared_peers, "MOST_WAITING", 10)
    telling = SharedPeers(MemoryExchange(MemoryStore()), os.urandom, Counters())
    for number in range(100):
        telling.tell(Appended(f"{number:08}", 1))
    assert len(telling._outgoing) == 10


@simulated
async def test_nonsense_from_another_version_is_left_out(caplog):
    here, _ = await table(2, "Bo", "Ada")
    await MemoryExchange(here.store).open(lambda text: None)
    for ear in tuple(here.store.ears.values()):
        ear('{"sender": "x", "bulletins": [{"type": "unheard_of"}]}')
    assert "same version" in caplog.text


@simulated
async def test_without_the_database_nobody_claims_anything():
    here, _ = await processes(2)
    here.exchange.broken = True
    with pytest.raises(StoreFailed):
        await here.services.peers.claim(["CCCCFFFF"])


# --- much to do


class SlowToSend(MemoryExchange):
    """An exchange that takes a moment to send, and counts the reports that its process is alive."""

    reports = 0

    async def send(self, texts):
        await asyncio.sleep(0.005)
        await super().send(texts)

    async def renew(self, server, seconds):
        self.reports += 1
        return await super().renew(server, seconds)


@simulated
async def test_a_process_that_always_has_something_to_tell_still_reports_that_it_lives():
    """Bulletins arise faster than they are sent. A lease that is wanted meanwhile is taken as well."""
    store, texts = MemoryStore(), []
    await MemoryExchange(store).open(texts.append)
    exchange = SlowToSend(store)
    busy = SharedPeers(exchange, os.urandom, Counters())
    living = asyncio.create_task(busy.live(lambda _code: None))
    store.servers["another"] = 1e9
    for number in range(2000):
        busy.tell(Appended(f"{number:08}", 1))
        await asyncio.sleep(0.003)
        if number == 100:
            busy.join("CCCCFFFF", StillTable(), is_new=True)
        assert not busy.cut_off
        assert number < 110 or busy.fence("CCCCFFFF")
    await asyncio.sleep(SOON)
    assert exchange.reports >= 5
    told = [one.code for text in texts for one in shared_peers._decode(text).bulletins]
    assert told == [f"{number:08}" for number in range(2000)]
    assert not living.done()


class StillTable:
    """A table that notes who woke it and whose end it heard of."""

    def __init__(self, turns=None, leave=lambda: None):
        self.woken = 0
        self.lost = []
        self._turns = turns or Turns()
        self._leave = leave

    def wake(self):
        self._turns.note()
        self.woken += 1

    def hear(self, sender, bulletin):
        pass

    def lose(self, sender):
        self._turns.note()
        self.lost.append(sender)
        self._leave()

    async def refresh(self):
        pass


class BrokenTable(StillTable):
    """A table with a bug that shows whenever somebody else turns to it."""

    def wake(self):
        raise RuntimeError("a bug of ours")

    def hear(self, sender, bulletin):
        raise RuntimeError("a bug of ours")

    def lose(self, sender):
        raise RuntimeError("a bug of ours")

    async def refresh(self):
        raise RuntimeError("a bug of ours")


@simulated
async def test_a_bug_at_one_table_keeps_nobody_from_the_others(caplog):
    """The lease of the first is taken, others come to it and go, and the process looks at its log."""
    here, there = await processes(2)
    peers, still = SharedPeers(MemoryExchange(here.store), os.urandom, counters := Counters()), StillTable()
    peers.join("CCCCCCCC", BrokenTable())
    peers.join("CCCCFFFF", still)
    living = asyncio.create_task(peers.live(lambda _code: None))
    await asyncio.sleep(2.0)
    assert peers.leases == 2
    assert still.woken
    for code in ("CCCCCCCC", "CCCCFFFF"):
        there.services.peers.tell(Attending(code, 1, (1,), True))
    await asyncio.sleep(SOON)
    await there.kill()
    await there.services.peers.close()
    await asyncio.sleep(SOON)
    assert still.lost
    assert counters.errors >= 4
    assert "waking a table failed" in caplog.text
    assert not living.done()


async def many_tables(exchange, turns, **more):
    """A process with a thousand tables, and the task that keeps it alive."""
    peers = SharedPeers(exchange, os.urandom, Counters())
    tables = {f"T{number:07}": StillTable(turns, **more) for number in range(1000)}
    for code, one in tables.items():
        peers.join(code, one)
    living = asyncio.create_task(peers.live(lambda _code: None))
    await asyncio.sleep(2.0)
    assert peers.leases == 1000
    return peers, tables, living


def attend(store, sender, *codes, then=()):
    """A process with this life reports people at these tables."""
    bulletins = (*(Attending(code, 1, (1,), True) for code in codes), *then)
    for ear in tuple(store.ears.values()):
        ear(msgspec.json.encode(shared_peers.Letter(sender, bulletins)).decode())


@simulated
@pytest.mark.parametrize("then", [(), (Parting(),)], ids=["dies", "parts"])
async def test_the_end_of_a_process_concerns_the_tables_where_it_had_people_and_others_have_their_turn(then):
    turns, store = Turns(), MemoryStore()
    peers, tables, living = await many_tables(MemoryExchange(store), turns)
    codes = list(tables)
    attend(store, "dead", *codes[:500])
    attend(store, "other", *codes[250:])
    store.servers["other"] = 1e9
    attend(store, "dead", then=(*(Attending(code, 1) for code in codes[:50]), *then))
    turns.most = 0
    await asyncio.sleep(SOON if then else BEAT + SOON)
    assert [code for code, one in tables.items() if one.lost == ["dead"]] == codes[50:500]
    assert not any(one.lost for one in [*tables.values()][500:])
    assert turns.most == PORTION
    assert peers.others == 1
    assert not living.done()


@simulated
async def test_a_table_that_leaves_while_a_dead_process_is_forgotten_is_left_alone():
    store, left = MemoryStore(), []

    def leave():
        code = f"T{999 - len(left):07}"
        peers.leave(code)
        left.append(code)

    peers, tables, living = await many_tables(MemoryExchange(store), Turns(), leave=leave)
    attend(store, "dead", *tables)
    await asyncio.sleep(BEAT + SOON)
    assert sum(len(one.lost) for one in tables.values()) == 500
    assert not any(tables[code].lost for code in left)
    assert not living.done()


@simulated
async def test_a_dead_process_that_is_heard_of_again_is_forgotten_again():
    """It was frozen, and sends what it had left before it notices that its life is over."""
    store = MemoryStore()
    _, tables, _ = await many_tables(MemoryExchange(store), Turns())
    (code, one), *_ = tables.items()
    attend(store, "dead", code)
    await asyncio.sleep(BEAT + SOON)
    attend(store, "dead", code)
    await asyncio.sleep(BEAT + SOON)
    assert one.lost == ["dead", "dead"]


@simulated
async def test_after_a_standstill_all_tables_are_woken_and_others_have_their_turn():
    turns, exchange = Turns(), Cuttable(MemoryStore())
    peers, *_ = await many_tables(exchange, turns)
    exchange.slowness = 2.8
    while peers.fence("T0000000"):
        await asyncio.sleep(0.01)
    woken = turns.total
    exchange.slowness = 0.0
    await asyncio.sleep(LIFE)
    assert peers.fence("T0000000")
    assert turns.total == woken + 1000
    assert turns.most == PORTION
