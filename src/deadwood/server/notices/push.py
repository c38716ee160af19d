"""Web Push: notices for browsers, encrypted for them alone (RFC 8291) and signed by this server (VAPID, RFC 8292)."""

import base64
import hashlib

import http_ece
import jwt
import msgspec
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)
from msgspec import Struct

from ..protocol.refusals import refuse
from .message import Message
from .targets import Target
from .webhooks import Request

_CURVE = ec.SECP256R1()
_VALID = 12 * 3600  # seconds for which a signature is valid; 24 hours are the most
_TOPIC = 24  # characters


class BrowserKeys(Struct, frozen=True):
    """What a browser wants its notices encrypted with."""

    p256dh: str
    auth: str


class PushKey:
    """The key with which this server signs."""

    def __init__(self, pem: str) -> None:
        key = load_pem_private_key(pem.encode(), None)
        assert isinstance(key, ec.EllipticCurvePrivateKey)
        self._key = key
        self.public = _text(key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))

    def authorization(self, target: Target, contact: str, now: float) -> str:
        """The header that says who sends."""
        claims = {"aud": target.origin, "exp": int(now) + _VALID, "sub": contact}
        return f"vapid t={jwt.encode(claims, self._key, 'ES256')}, k={self.public}"


def new_push_key() -> str:
    """A new key, as text."""
    key = ec.generate_private_key(_CURVE)
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


def check_browser_keys(keys: BrowserKeys) -> None:
    """Refuse keys that cannot be used to encrypt."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, _bytes(keys.p256dh))
    except ValueError:
        raise refuse("push_key_wrong") from None


def payload(message: Message) -> bytes:
    """What the service worker reads. It opens only pages of its server, so a path is enough."""
    fields = {"title": message.title, "body": message.body, "tag": message.tag, "table": message.table}
    return msgspec.json.encode(fields)


def push(target: Target, keys: BrowserKeys, message: Message, signature: str) -> Request:
    """A notice as push services expect it. While it waits there, a newer one of the same table replaces it."""
    own = ec.generate_private_key(_CURVE)
    body = http_ece.encrypt(payload(message), private_key=own, dh=_bytes(keys.p256dh), auth_secret=_bytes(keys.auth))
    headers = {
        "authorization": signature,
        "content-encoding": "aes128gcm",
        "content-type": "application/octet-stream",
        "ttl": str(message.seconds),
        "topic": hashlib.sha256(f"{message.table} {message.player}".encode()).hexdigest()[:_TOPIC],
        "urgency": "high",
    }
    return Request(target, headers, body)


def _bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4))


def _text(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).decode().rstrip("=")
