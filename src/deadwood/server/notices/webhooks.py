"""Webhooks: requests as Discord, Slack, ntfy and other programs expect them."""

import re
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ..protocol.notices import WebhookKind
from .message import Message
from .targets import Target

_DISCORD = ("discord.com", "discordapp.com")
_SPECIAL = re.compile(r"([\\`*_~|>\[\]()#@<:-])")  # what Discord would take for markup


class Request(Struct, frozen=True):
    """What is sent, and where to."""

    target: Target
    headers: dict[str, str]
    body: bytes


def kind_of(target: Target) -> WebhookKind:
    """The kind of receiver, as far as the address shows."""
    host = target.host.lower().rstrip(".")
    if any(host == one or host.endswith(f".{one}") for one in _DISCORD):
        return "discord"
    if host == "hooks.slack.com":
        return "slack"
    return "ntfy" if host == "ntfy.sh" or host.startswith("ntfy.") else "json"


def webhook(kind: str, target: Target, message: Message) -> Request:
    """A notice as the receiver expects it."""
    match kind:
        case "discord":
            content = f"**{_plain(message.title)}**\n{_plain(message.body)}\n<{message.link}>"
            return _json(target, {"content": content, "allowed_mentions": {"parse": []}})
        case "slack":
            return _json(target, {"text": f"*{_escaped(message.title)}*\n{_escaped(message.body)}\n<{message.link}>"})
        case "ntfy":
            return _ntfy(target, message)
        case _:
            return _json(target, {**msgspec.structs.asdict(message), "type": message.kind})


def _ntfy(target: Target, message: Message) -> Request:
    """The last part of the path is the topic; JSON goes to the part before it, and may hold any letters."""
    path = target.path.partition("?")[0].rstrip("/")
    folder, _, topic = path.rpartition("/")
    fields = {"topic": topic, "title": message.title, "message": message.body, "click": message.link}
    return _json(replace(target, path=f"{folder}/"), {**fields, "tags": ["clapper"]})


def _json(target: Target, value: dict[str, Any]) -> Request:
    return Request(target, {"content-type": "application/json"}, msgspec.json.encode(value))


def _plain(text: str) -> str:
    """A text with markup escaped, because people choose their names."""
    return _SPECIAL.sub(r"\\\1", text)


def _escaped(text: str) -> str:
    """A text with the three characters that Slack wants escaped, and no asterisks, which would end the bold title."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("*", "∗")
