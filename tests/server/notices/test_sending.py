"""What receivers get: Discord, Slack, ntfy, programs, and browsers."""

import base64
import json

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from deadwood.server.notices.message import Message
from deadwood.server.notices.push import BrowserKeys, PushKey, check_browser_keys, new_push_key, payload, push
from deadwood.server.notices.targets import parse_target
from deadwood.server.notices.webhooks import kind_of, webhook
from deadwood.server.protocol.refusals import ServerRefused

from .letterbox import Browser, signed

MESSAGE = Message(
    kind="turn",
    tag="K7RM4TXC-1-5",
    table="K7RM4TXC",
    game=1,
    player="Zoë",
    title="Deadwood: *<@everyone>*'s table",
    body="It is your turn, Zoë 🎬.",
    link="https://play.example.org/t/K7RM4TXC",
    seconds=86_400,
)


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


def test_programs_get_all_of_it():
    _, body = sent("json", "https://example.org/hook")
    assert (body["type"], body["tag"], body["table"], body["player"]) == ("turn", MESSAGE.tag, MESSAGE.table, "Zoë")


def test_a_browser_can_read_what_is_encrypted_for_it():
    browser, key = Browser("https://push.example/x"), PushKey(new_push_key())
    target = parse_target("https://push.example/x", False)
    keys = BrowserKeys(browser.target["p256dh"], browser.target["auth"])
    check_browser_keys(keys)
    request = push(target, keys, MESSAGE, key.authorization(target, "mailto:admin@example.org", 4e9))
    assert browser.read(request.body) == json.loads(payload(MESSAGE))
    assert MESSAGE.title.encode() not in request.body
    claims = signed(request.headers["authorization"], key.public, "https://push.example")
    assert (claims["sub"], claims["exp"]) == ("mailto:admin@example.org", 4_000_043_200)
    assert (request.headers["content-encoding"], request.headers["ttl"]) == ("aes128gcm", "86400")
    assert len(request.headers["topic"]) <= 32


def test_keys_that_are_no_point_of_the_curve_are_refused():
    wrong = base64.urlsafe_b64encode(b"\x04" + b"\x01" * 64).decode().rstrip("=")
    with pytest.raises(ServerRefused) as refused:
        check_browser_keys(BrowserKeys(wrong, "a" * 22))
    assert refused.value.refusal.key == "push_key_wrong"


def test_a_key_stays_the_same_as_text():
    made = new_push_key()
    assert PushKey(made).public == PushKey(made).public != PushKey(new_push_key()).public
    assert isinstance(PushKey(made)._key.curve, ec.SECP256R1)
