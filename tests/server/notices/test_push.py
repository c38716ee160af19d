"""What browsers get: encrypted, so that only they can read it."""

import base64
import json

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from deadwood.server.notices.push import BrowserKeys, PushKey, check_browser_keys, new_push_key, payload, push
from deadwood.server.notices.targets import parse_target
from deadwood.server.protocol.refusals import ServerRefused

from .letterbox import MESSAGE, Browser, signed


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


def test_keys_that_are_not_on_the_curve_are_refused():
    wrong = base64.urlsafe_b64encode(b"\x04" + b"\x01" * 64).decode().rstrip("=")
    with pytest.raises(ServerRefused) as refused:
        check_browser_keys(BrowserKeys(wrong, "a" * 22))
    assert refused.value.refusal.key == "push_key_wrong"


def test_a_key_stays_the_same_as_text():
    made = new_push_key()
    assert PushKey(made).public == PushKey(made).public != PushKey(new_push_key()).public
    assert isinstance(PushKey(made)._key.curve, ec.SECP256R1)
