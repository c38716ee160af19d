"""A store in memory for the simulation and its clock. It passes the same tests as the real stores."""

import asyncio

from msgspec.structs import replace

from deadwood.server.protocol.refusals import StoreFailed
from deadwood.server.tables.ports import MOST_ANSWERS, MOST_TALK, TALK_DAYS, Unsent


class MemoryStore:
    """`log` stands for the disk: it survives the server that wrote it."""

    def __init__(self, latency=lambda: 0.0):
        self.log = {}
        self.tables = {}
        self.games_kept = {}
        self.runs_kept = {}
        self.outbox = MemoryOutbox()
        self.talk = MemoryTalk()
        self.bundles = MemoryBundles()
        self.servers = {}  # how long each counts as alive
        self.leases = {}  # each lease's owner and number
        self.ears = {}  # who receives what is sent, by exchange
        self._latency = latency

    async def commit(self, changes):
        await asyncio.sleep(self._latency())
        kept = [self._commit(change) for change in changes]
        await asyncio.sleep(self._latency())
        return kept

    def _commit(self, change):
        entry = change.entry
        if (entry.code, entry.seq) in self.log:
            return False
        if change.fence and self.leases[entry.code][1] != change.fence:
            return False
        self.log[entry.code, entry.seq] = entry
        if change.listing:
            self.tables[entry.code] = change.listing
        if change.game:
            self.games_kept[change.game.code, change.game.number] = change.game
        self.outbox.take(change)
        return True

    async def listing(self, code):
        return self.tables.get(code)

    async def listings(self, status, before, limit):
        found = [one for one in self.tables.values() if one.public and one.status == status]
        found = [one for one in found if before is None or one.number < before]
        return sorted(found, key=lambda one: one.number, reverse=True)[:limit]

    async def entries(self, code, first, last=None):
        found = [entry for (owner, seq), entry in self.log.items() if owner == code and seq >= first]
        return sorted((entry for entry in found if last is None or entry.seq <= last), key=lambda entry: entry.seq)

    async def games(self, code, before, limit):
        found = [game for (owner, number), game in self.games_kept.items() if owner == code]
        found = [game for game in found if before is None or game.number < before]
        return sorted(found, key=lambda game: game.number, reverse=True)[:limit]

    async def game(self, code, number):
        return self.games_kept.get((code, number))

    async def answers(self, code, before):
        entries = await self.entries(code, max(1, before - MOST_ANSWERS), before - 1)
        return {(one.by, one.command): one.seq for one in entries if one.command}

    async def due(self, now, limit):
        found = [one for one in self.tables.values() if one.due is not None and one.due <= now]
        return sorted(found, key=lambda one: one.due)[:limit]

    async def postpone(self, listing, since, due):
        found = self.tables[listing.code]
        if (found.since, found.due) == (listing.since, listing.due):
            self.tables[listing.code] = replace(found, since=since, due=due)

    async def runs(self):
        return list(self.runs_kept.values())

    async def beat(self, run):
        self.runs_kept[run.id] = run

    async def tidy(self, now):
        self.talk.expire(now)
        return False

    async def close(self):
        pass


class MemoryExchange:
    """How the servers of a `MemoryStore` reach each other."""

    def __init__(self, store):
        self._store = store

    async def open(self, receive):
        self._store.ears[self] = receive

    async def send(self, texts):
        self._demand()
        for ear in tuple(self._store.ears.values()):
            for text in texts:
                ear(text)

    def _demand(self):
        if self not in self._store.ears:
            raise StoreFailed("there is no connection")

    def _lives(self, server):
        return self._store.servers.get(server, 0.0) > asyncio.get_running_loop().time()

    async def enter(self, server, before, seconds):
        self._demand()
        self._store.servers[server] = asyncio.get_running_loop().time() + seconds
        await self.part(before)

    async def renew(self, server, seconds):
        self._demand()
        lives = self._lives(server)
        if lives:
            self._store.servers[server] = asyncio.get_running_loop().time() + seconds
        return lives

    async def living(self):
        self._demand()
        return {one for one in self._store.servers if self._lives(one)}

    async def part(self, server):
        self._demand()
        if server in self._store.servers:
            self._store.servers[server] = 0.0

    async def claim(self, server, codes):
        self._demand()
        claimed = {}
        for code in codes:
            owner, number = self._store.leases.get(code, ("", 0))
            if owner == server or not self._lives(owner):
                self._store.leases[code] = server, number + 1
                claimed[code] = number + 1
        return claimed

    async def release(self, server, codes):
        self._demand()
        for code in codes:
            owner, number = self._store.leases.get(code, ("", 0))
            if owner == server:
                self._store.leases[code] = "", number

    async def fence(self, server, code):
        self._demand()
        owner, number = self._store.leases.get(code, ("", 0))
        return number if owner == server else None

    async def orphans(self, limit):
        self._demand()
        lost = [code for code, (owner, _) in self._store.leases.items() if owner and not self._lives(owner)]
        return lost[:limit]

    async def latest(self, codes):
        self._demand()
        return {code: seq for code, seq in sorted(self._store.log) if code in codes}

    async def close(self):
        self._store.ears.pop(self, None)


class MemoryOutbox:
    """Notices that wait, and where to send them."""

    def __init__(self):
        self.asked = {}
        self.unsent = {}
        self.keys = {}

    def take(self, change):
        gone = {(change.entry.code, chair) for chair in change.given_up}
        for kept in (self.asked, self.unsent):
            for id in [id for id, one in kept.items() if (one.code, one.chair) in gone]:
                del kept[id]
        for notice in change.notices:
            for one in self.asked.values():
                if (one.code, one.chair, one.holder) == (notice.code, notice.chair, notice.holder):
                    row = Unsent(one.id, notice.code, notice.chair, notice.kind, notice.tag, notice.at, notice.due)
                    self.unsent[one.id] = row

    async def subscribe(self, subscription, most):
        own = [one for one in self.asked.values() if (one.code, one.chair) == (subscription.code, subscription.chair)]
        for one in [one for one in own if one.holder != subscription.holder]:
            own.remove(one)
            del self.asked[one.id]
        same = next((one.id for one in own if one.target == subscription.target), None)
        if same is None and len(own) >= most:
            return False
        self.asked[same or subscription.id] = replace(subscription, id=same or subscription.id)
        return True

    async def unsubscribe(self, id):
        self.asked.pop(id, None)
        self.unsent.pop(id, None)

    async def subscription(self, id):
        return self.asked.get(id)

    async def subscriptions(self, code, chair):
        own = [one for one in self.asked.values() if (one.code, one.chair) == (code, chair)]
        return sorted(own, key=lambda one: (one.asked, one.id))

    async def redirect(self, was, target, keys):
        there = {(one.code, one.chair) for one in self.asked.values() if one.target == target}
        old = [one for one in self.asked.values() if one.target == was and one.kind == "push"]
        moved = 0
        for one in old:
            if was != target and (one.code, one.chair) in there:
                del self.asked[one.id]
            else:
                self.asked[one.id] = replace(one, target=target, keys=keys)
                moved += 1
        return moved

    async def due(self, now, limit):
        return sorted((one for one in self.unsent.values() if one.due <= now), key=lambda one: one.due)[:limit]

    async def reschedule(self, unsent, due, attempts):
        if self.unsent.get(unsent.subscription) != unsent:
            return False
        self.unsent[unsent.subscription] = replace(unsent, due=due, attempts=attempts)
        return True

    async def settle(self, unsent):
        found = self.unsent.get(unsent.subscription)
        if found is not None and (found.tag, found.at) == (unsent.tag, unsent.at):
            del self.unsent[unsent.subscription]

    async def forget(self, asked_before):
        self.asked = {id: one for id, one in self.asked.items() if one.asked >= asked_before}

    async def size(self):
        return len(self.unsent)

    async def key(self, name, made):
        return self.keys.setdefault(name, made)


class MemoryTalk:
    """What people said at tables."""

    def __init__(self):
        self.rows = []

    def expire(self, now):
        oldest = (now - TALK_DAYS * 86_400) * 1_000_000
        self.rows = [row for row in self.rows if row.line.number >= oldest]

    async def lines(self, code):
        return sorted((row for row in self.rows if row.code == code), key=lambda row: row.line.number)

    async def keep(self, rows):
        self.rows += rows
        for code in {row.code for row in rows}:
            lines = await self.lines(code)
            for channel in (True, False):
                old = [row for row in lines if (row.line.chair is None) is channel][:-MOST_TALK]
                self.rows = [row for row in self.rows if row not in old]

    async def forget(self, code, number):
        self.rows = [row for row in self.rows if row.code != code or row.line.number > number]

    async def forget_names(self, code, names):
        self.rows = [row for row in self.rows if row.code != code or row.line.name not in names]


class MemoryBundles:
    """What personal keys carry."""

    def __init__(self):
        self.kept = {}

    async def find(self, id):
        return self.kept.get(id)

    async def swap(self, row):
        before = self.kept.get(row.id)
        if row.version - 1 != (before.version if before else 0):
            return False
        self.kept[row.id] = row
        return True

    async def use(self, id, used):
        self.kept[id] = replace(self.kept[id], used=used)

    async def drop(self, id):
        self.kept.pop(id, None)
