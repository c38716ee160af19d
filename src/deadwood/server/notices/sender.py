"""Sender: sends a message to a subscription of any kind, within the limits."""

import hashlib
from contextlib import suppress
from urllib.parse import urlsplit

import msgspec

from ..limits import Buckets
from ..protocol.notices import NoticeTarget, PushTarget, SubscriptionView
from ..protocol.refusals import refuse
from ..tables.ports import Subscription
from ..tables.services import Services
from .message import Message
from .outgoing import Outgoing, Reply
from .push import BrowserKeys, PushKey, check_browser_keys, new_push_key, payload, push
from .targets import parse_target
from .webhooks import Request, kind_of, webhook

_NOBODY = "mailto:nobody@example.org"  # for push services that want a contact, if the operator gave none
_KEY = "push"
_MARK = 16  # characters


class Sender:
    """Knows how to reach everybody who asked for notices."""

    def __init__(self, services: Services, outgoing: Outgoing) -> None:
        self._services = services
        self._outgoing = outgoing
        limits = services.settings.limits
        self._chairs = Buckets(limits.seat_notices, services.monotonic)
        self._hosts = Buckets(limits.host_notices, services.monotonic)
        self._key: PushKey | None = None

    async def key(self) -> PushKey:
        """The key of this server for push services, created on first use."""
        if self._key is None:
            self._key = PushKey(await self._services.store.outbox.key(_KEY, new_push_key()))
        return self._key

    async def checked(self, asked: NoticeTarget) -> tuple[str, str, str]:
        """The kind, the address and the keys of a new subscription, if notices may go there."""
        private = self._services.settings.private_notices
        if isinstance(asked, PushTarget):
            target, keys = parse_target(asked.endpoint, private), BrowserKeys(asked.p256dh, asked.auth)
            check_browser_keys(keys)
            await self._outgoing.check(target)
            return "push", asked.endpoint, msgspec.json.encode(keys).decode()
        target = parse_target(asked.url, private)
        kind = asked.kind or kind_of(target)
        if kind == "ntfy" and not target.path.partition("?")[0].strip("/"):
            raise refuse("notice_topic_missing", example="https://ntfy.sh/…")
        await self._outgoing.check(target)
        return kind, asked.url, ""

    def wait(self, subscription: Subscription) -> float:
        """Seconds until another notice may go there; if 0, this one counts as sent."""
        chair = self._chairs.take((subscription.code, subscription.chair))
        return chair or self._hosts.take(host_of(subscription))

    async def send(self, subscription: Subscription, message: Message) -> Reply:
        """Send a message. A refusal says why nobody answered; the address may be private by now."""
        request = await self._request(subscription, message)
        return await self._outgoing.post(request.target, request.headers, request.body)

    async def shown(self, subscription: Subscription, message: Message) -> str:
        """What would be sent, for the person who asked for a test."""
        if subscription.kind == "push":
            return payload(message).decode()
        return (await self._request(subscription, message)).body.decode()

    async def _request(self, subscription: Subscription, message: Message) -> Request:
        target = parse_target(subscription.target, self._services.settings.private_notices)
        if subscription.kind != "push":
            return webhook(subscription.kind, target, message)
        signature = (await self.key()).authorization(target, self._contact, self._services.now())
        return push(target, msgspec.json.decode(subscription.keys, type=BrowserKeys), message, signature)

    @property
    def _contact(self) -> str:
        settings = self._services.settings
        return settings.contact or (settings.url if settings.url.startswith("https://") else _NOBODY)

    def forget(self) -> None:
        """Drop the buckets that are full again."""
        self._chairs.forget()
        self._hosts.forget()


def view_of(subscription: Subscription) -> SubscriptionView:
    """A subscription as its owner may see it again."""
    mark = hashlib.sha256(subscription.target.encode()).hexdigest()[:_MARK]
    kind = subscription.kind
    return msgspec.convert(
        {"id": subscription.id, "kind": kind, "host": host_of(subscription), "mark": mark}, SubscriptionView
    )


def host_of(subscription: Subscription) -> str:
    """The host that a subscription leads to."""
    with suppress(ValueError):
        return urlsplit(subscription.target).hostname or ""
    return ""
