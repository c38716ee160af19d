"""Courier: sends the notices that wait in the outbox, at least once, while they are still true and useful."""

import logging

from msgspec.structs import replace

from ..protocol.refusals import ServerRefused, StoreFailed
from ..tables.chores import keep_doing
from ..tables.hall import Hall
from ..tables.news import latest_news
from ..tables.ports import Subscription, Unsent
from ..tables.room import Room
from ..tables.services import Services
from .message import A_DAY, Message, written
from .outgoing import Reply
from .sender import Sender, host_of

log = logging.getLogger("deadwood.server")
MOST_AT_ONCE = 64  # notices under way: enough that a few malicious, slow receivers keep nobody else waiting
MOST_TO_A_HOST = 4  # of them: a slow host keeps nobody else waiting
LONGEST_WAIT = 3600.0  # seconds between two attempts
UNUSED = 180 * A_DAY  # after which a subscription that nobody renewed is forgotten
_SWEEP = 3600.0  # seconds between two searches for those


class Courier:
    """One task that looks into the outbox, and one for every notice under way."""

    def __init__(self, services: Services, hall: Hall, sender: Sender) -> None:
        self._services = services
        self._outbox = services.store.outbox
        self._hall = hall
        self._sender = sender
        self._under_way: dict[str, str] = {}  # the host, by subscription
        self._swept = services.monotonic()

    async def live(self) -> None:
        """Check the outbox regularly until the server ends."""
        await keep_doing(self._try, self._services.settings.notice_poll, self._services.counters, "the courier")

    async def _try(self) -> None:
        try:
            await self.look()
        except StoreFailed as error:
            log.warning("notices have to wait: %s", error)

    async def look(self) -> None:
        """Start what is due, as much as there is room for."""
        self._sender.forget()
        await self._sweep()
        free = MOST_AT_ONCE - len(self._under_way)
        if free > 0:
            due = await self._outbox.due(self._services.now(), MOST_AT_ONCE + free)
            due = [one for one in due if one.subscription not in self._under_way]
            ours = await self._services.peers.claim({one.code for one in due})
            for unsent in [one for one in due if one.code in ours][:free]:
                self._under_way[unsent.subscription] = ""
                self._services.spawn(self._deliver(unsent))

    async def _sweep(self) -> None:
        if self._services.monotonic() - self._swept >= _SWEEP:
            self._swept = self._services.monotonic()
            await self._outbox.forget(self._services.now() - UNUSED)

    async def _deliver(self, unsent: Unsent) -> None:
        try:
            await self._consider(unsent)
        except StoreFailed as error:
            log.warning("a notice has to wait: %s", error)
        finally:
            del self._under_way[unsent.subscription]

    async def _consider(self, unsent: Unsent) -> None:
        """Send a notice, put it off, or drop it because it is too late or no longer wanted."""
        now = self._services.now()
        subscription = await self._outbox.subscription(unsent.subscription)
        if subscription is None or now - unsent.at >= A_DAY:
            self._services.counters.notices_dropped += subscription is not None
            await self._outbox.settle(unsent)
            return
        found = await self._message(unsent, subscription, now)
        if found is None:
            await self._outbox.settle(unsent)
            return
        wait = found if isinstance(found, float) else self._room(subscription)
        if isinstance(found, float) or wait:
            await self._outbox.reschedule(unsent, now + wait, unsent.attempts)
            return
        await self._send(unsent, subscription, found, now)

    async def _message(self, unsent: Unsent, subscription: Subscription, now: float) -> Message | float | None:
        """The message to send, or the seconds to wait until that is clear, or None if there is nothing to say."""
        try:
            async with self._hall.visit(unsent.code) as room:
                return self._news(room, unsent, subscription, now)
        except ServerRefused:
            return None  # there is no such table

    def _news(self, room: Room, unsent: Unsent, subscription: Subscription, now: float) -> Message | float | None:
        sitting, settings, age = room.sitting, self._services.settings, now - unsent.at
        chair = sitting.chair(unsent.chair)
        if chair is None or chair.token != subscription.holder:
            return None
        news = latest_news(sitting, chair, sitting.game)
        if news is None or news.tag != unsent.tag:
            return None  # the turn is over
        if chair.id in room.present:  # perhaps only because a broken connection has not been noticed yet
            return None if age >= settings.notice_seen else settings.notice_seen - age
        if room.bot_turn is not None and room.bot_turn.chair.id == chair.id:
            return settings.notice_delay  # a stand-in plays, and may finish the turn or not
        link = self._services.link(sitting.code)
        return written(news.kind, news.tag, sitting, chair, link, subscription.language, age)

    def _room(self, subscription: Subscription) -> float:
        """How long to wait because others are under way to the same host, or because of the limits."""
        host = host_of(subscription)
        if list(self._under_way.values()).count(host) >= MOST_TO_A_HOST:
            return self._services.settings.notice_delay
        wait = self._sender.wait(subscription)
        if not wait:
            self._under_way[subscription.id] = host
        return wait

    async def _send(self, unsent: Unsent, subscription: Subscription, message: Message, now: float) -> None:
        """Schedule the next attempt before this one, so that it happens even if the server dies in between."""
        pause = min(self._services.settings.notice_retry * 2**unsent.attempts, LONGEST_WAIT)
        if not await self._outbox.reschedule(unsent, now + pause, unsent.attempts + 1):
            return
        try:
            reply = await self._sender.send(subscription, message)
        except ServerRefused:
            self._services.counters.notices_failed += 1
            return
        if reply.taken:
            self._services.counters.notices_sent += 1
            await self._outbox.settle(unsent)
        else:
            await self._failed(unsent, subscription, reply, now + pause)

    async def _failed(self, unsent: Unsent, subscription: Subscription, reply: Reply, due: float) -> None:
        self._services.counters.notices_failed += 1
        if reply.gone:
            await self._outbox.unsubscribe(subscription.id)
        elif reply.wait is not None and self._services.now() + reply.wait > due:
            again = replace(unsent, due=due, attempts=unsent.attempts + 1)
            await self._outbox.reschedule(again, self._services.now() + reply.wait, again.attempts)
