"""What receivers get: Discord, Slack, ntfy, and programs."""

import json

import pytest

from deadwood.server.notices.targets import parse_target
from deadwood.server.notices.webhooks import kind_of, webhook

from .letterbox import MESSAGE


def sent(kind, url):
    request = webhook(kind, parse_target(url, False), MESSAGE)
    assert request.headers == {"content-type": "application/json"}
    return request.target, json.loads(request.body)


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("https://discord.com/api/webhooks/1/x", "discord"),
        ("https://discordapp.com/api/webhooks/1/x", "discord"),
        ("https://ptb.discord.com/api/webhooks/1/x", "discord"),
        ("https://hooks.slack.com/services/T/B/x", "slack"),
        ("https://ntfy.sh/topic", "ntfy"),
        ("https://ntfy.example.org/topic", "ntfy"),
        ("https://example.org/discord.com", "json"),
        ("https://notdiscord.com/", "json"),
    ],
)
def test_an_address_shows_what_it_takes(url, kind):
    assert kind_of(parse_target(url, False)) == kind


def test_discord_mentions_nobody_and_shows_names_as_they_are():
    _, body = sent("discord", "https://discord.com/api/webhooks/1/x")
    assert body["allowed_mentions"] == {"parse": []}
    assert body["content"].startswith(r"**Deadwood\: \*\<\@everyone\>\*'s table**")
    assert body["content"].endswith("<https://play.example.org/t/K7RM4TXC>")


def test_slack_gets_no_markup_of_others():
    _, body = sent("slack", "https://hooks.slack.com/services/T/B/x")
    assert body["text"].splitlines() == [
        "*Deadwood: ∗&lt;@everyone&gt;∗'s table*",
        "It is your turn, Zoë 🎬.",
        "<https://play.example.org/t/K7RM4TXC>",
    ]


def test_ntfy_gets_its_topic():
    target, body = sent("ntfy", "https://ntfy.example.org/inside/topic?x=y")
    assert target.path == "/inside/"
    assert (body["topic"], body["title"], body["click"]) == ("topic", MESSAGE.title, MESSAGE.link)


def test_programs_get_the_whole_message():
    _, payload = sent("json", "https://example.org/hook")
    assert (payload["type"], payload["tag"], payload["table"], payload["player"]) == (
        "turn",
        MESSAGE.tag,
        MESSAGE.table,
        "Zoë",
    )
