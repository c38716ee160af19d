"""Receivers of notices: a letterbox in simulated time, a server with real sockets, a browser with its keys."""

import asyncio
import base64
import hashlib
import hmac
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from deadwood.server.notices.courier import Courier
from deadwood.server.notices.message import Message
from deadwood.server.notices.outgoing import Reply
from deadwood.server.notices.sender import Sender
from deadwood.server.protocol.refusals import refuse
from deadwood.server.tables.ports import Subscription
from deadwood.server.tables.table_state import hash_secret

from ..people import PATIENCE
from ..tables.evening import Evening

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


class Letterbox:
    """Accepts every notice, unless `replies` says what to reply: a status, a Reply, or None for no answer."""

    def __init__(self):
        self.posts = []
        self.times = []
        self.replies = []
        self.seconds = 0.0
        self.under_way = self.most_under_way = 0

    async def check(self, target):
        pass

    async def post(self, target, headers, body):
        self.under_way += 1
        self.most_under_way = max(self.most_under_way, self.under_way)
        await asyncio.sleep(self.seconds)
        self.under_way -= 1
        self.times.append(asyncio.get_running_loop().time())
        self.posts.append(json.loads(body))
        reply = self.replies.pop(0) if self.replies else 204
        if reply is None:
            raise refuse("notice_unreachable", host=target.host)
        return reply if isinstance(reply, Reply) else Reply(reply)

    @property
    def arrived(self):
        return [(post["type"], post["tag"], post["player"]) for post in self.posts]


class NoticeEvening(Evening):
    """An evening at which people may have asked for notices."""

    def __init__(self, *args, **more):
        super().__init__(*args, **more)
        self.box = Letterbox()

    async def serve(self):
        await super().serve()
        self.courier = Courier(self.services, self.hall, Sender(self.services, self.box))
        self._tasks.append(asyncio.create_task(self.courier.live()))
        return self

    async def ask(self, *names, language="en", host="box.example", number=0):
        for name in names:
            new = Subscription(
                id=self._chance.randbytes(16).hex(),
                code=self.code,
                chair=self.chair(name),
                holder=hash_secret(self.tokens[name]),
                kind="json",
                target=f"https://{host}/{name}/{number}",
                keys="",
                language=language,
                asked=self.services.now(),
            )
            assert await self.store.outbox.subscribe(new, 6)

    @property
    def unsent(self):
        return list(self.store.outbox.unsent.values())


class Receiver:
    """A real server that takes notices. `replies` are statuses to answer with; `meet` is called before it answers."""

    def __init__(self):
        self.posts = []
        self.replies = []
        self.meet = lambda: None
        self._news = threading.Condition()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def _handler(receiver):
        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                with receiver._news:
                    receiver.posts.append((self.path, {k.lower(): v for k, v in self.headers.items()}, body))
                    receiver._news.notify_all()
                receiver.meet()
                status = receiver.replies.pop(0) if receiver.replies else 200
                self.send_response(status)
                if 300 <= status < 400:
                    self.send_header("location", f"{receiver.url}/elsewhere")
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *args):
                pass

        return Handler

    def wait_for(self, wanted):
        """Wait for the first post that matches."""
        with self._news:
            assert self._news.wait_for(lambda: any(map(wanted, self.posts)), PATIENCE), self.posts
            return next(filter(wanted, self.posts))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()


def opened(post):
    return json.loads(post[2])


class Browser:
    """A browser's side of a push subscription. It decrypts as RFC 8291 says, without the library that encrypts."""

    def __init__(self, endpoint):
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._public = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self._auth = b"sixteen bytes ok"
        self.target = {"type": "push", "endpoint": endpoint, "p256dh": text(self._public), "auth": text(self._auth)}

    def read(self, body):
        salt, length, sender = body[:16], body[20], body[21 : 21 + body[20]]
        assert length == 65
        shared = self._key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
        secret = derived(self._auth, shared, b"WebPush: info\0" + self._public + sender, 32)
        key = derived(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
        nonce = derived(salt, secret, b"Content-Encoding: nonce\0", 12)
        opened = AESGCM(key).decrypt(nonce, body[21 + length :], None)
        return json.loads(opened.rstrip(b"\0").removesuffix(b"\x02"))


def derived(salt, secret, info, length):
    """HKDF with SHA-256, for one block."""
    drawn = hmac.digest(salt, secret, hashlib.sha256)
    return hmac.digest(drawn, info + b"\x01", hashlib.sha256)[:length]


def signed(authorization, public, audience):
    """The claims of a VAPID header, if it was signed with this key."""
    scheme, _, parts = authorization.partition(" ")
    token, key = (part.strip().partition("=")[2] for part in parts.split(","))
    assert (scheme, key) == ("vapid", public)
    point = base64.urlsafe_b64decode(public + "=")
    return jwt.decode(
        token, ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point), ["ES256"], audience=audience
    )


def text(value):
    return base64.urlsafe_b64encode(value).decode().rstrip("=")
