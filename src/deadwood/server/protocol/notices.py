"""Notices for people whose page is closed: requests and answers. Over HTTP only."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

WebhookKind = Literal["discord", "slack", "ntfy", "json"]
NoticeKind = Literal["push", "discord", "slack", "ntfy", "json"]
MOST_SUBSCRIPTIONS = 6  # of a chair

Url = Annotated[str, Meta(max_length=1000)]
PublicKey = Annotated[
    str, Meta(pattern=r"^[A-Za-z0-9_-]{87}=?\Z", max_length=88, description="A point on P-256, in base64url.")
]
Auth = Annotated[
    str, Meta(pattern=r"^[A-Za-z0-9_-]{22}={0,2}\Z", max_length=24, description="16 bytes of a browser, in base64url.")
]
SubscriptionId = Annotated[str, Meta(pattern=r"^[0-9a-f]{32}\Z", max_length=32)]


class PushTarget(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="push"):
    """A browser, as its push service describes it (Web Push, RFC 8030 and RFC 8291)."""

    endpoint: Url
    p256dh: PublicKey
    auth: Auth


class WebhookTarget(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="webhook"):
    """An address that takes notices. Without a `kind`, it is derived from the address."""

    url: Url
    kind: WebhookKind | None = None


NoticeTarget = PushTarget | WebhookTarget


class NoticeTest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Ask for a test notice."""

    id: SubscriptionId


class PushMoved(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A push service gave a browser a new address; knowing the old one is enough to report it."""

    was: Url
    now: PushTarget


class SubscriptionView(Struct, frozen=True, kw_only=True):
    """Where notices go, without secrets: only the host. `mark` is the start of the SHA-256 of the whole address."""

    id: str
    kind: NoticeKind
    host: str
    mark: str


class NoticesView(Struct, frozen=True, kw_only=True):
    """Where the holder of a chair gets notices. `key` is the public key that browsers need for push.

    Without `allowed`, this server sends none.
    """

    chair: int
    allowed: bool
    key: str
    most: int
    subscriptions: tuple[SubscriptionView, ...]


class NoticeTried(Struct, frozen=True, kw_only=True):
    """The result of a test notice, and what was `sent`."""

    delivered: bool
    sentence: str
    sent: str


class PushRedirected(Struct, frozen=True, kw_only=True):
    """How many chairs get their notices at the new address."""

    chairs: int
