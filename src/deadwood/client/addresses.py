"""Where servers and tables are, as people type or paste it."""

import re
from collections.abc import Mapping, Sequence
from typing import Literal
from urllib.parse import parse_qs, urlsplit

from msgspec import Struct

from ..engine.refusal import Refusal, shortened
from ..server.protocol.codes import parse_code
from .errors import AddressWrong

Errand = Literal["invitation", "seat"]  # what a link may carry besides the table
Secrets = Mapping[str, Sequence[str]]
USUAL_SERVER = "http://127.0.0.1:8000"  # where `deadwood serve` listens
_LINK = re.compile(r"/t/(?P<code>[^/]+)(?:/screen)?/?")
_SECRET = re.compile(r"[0-9a-f]{64}")
_SCHEMES = ("http", "https")
_OWN = re.compile(r"localhost|.*\.localhost|127(\.\d+){3}|::1")


class TableAddress(Struct, frozen=True):
    """A table on a server, and the secret that its link may carry: an invitation, or a seat that is handed over."""

    server: str
    code: str
    invitation: str | None = None
    seat: str | None = None


def server_address(text: str) -> str:
    """The address of a server, as in `http://192.168.1.20:8000`; without a scheme it is http."""
    wrong = AddressWrong(Refusal("", "server_address_wrong", {"text": shortened(text), "example": USUAL_SERVER}))
    try:
        parts = urlsplit(_with_scheme(text.strip()))
        port = parts.port
    except ValueError:
        raise wrong from None
    if parts.scheme not in _SCHEMES or not parts.hostname or "@" in parts.netloc or any(map(str.isspace, text.strip())):
        raise wrong
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{host}{'' if port is None else f':{port}'}"


def table_address(text: str, server: str = USUAL_SERVER) -> TableAddress:
    """The table that a link or a code leads to; a code is looked up on `server`."""
    code = parse_code(text)
    if code is not None:
        return TableAddress(server_address(server), code)
    try:
        parts = urlsplit(_with_scheme(text.strip()))
    except ValueError:
        raise _neither(text) from None
    found = _LINK.fullmatch(parts.path)
    code = parse_code(found["code"]) if found else None
    if code is None:
        raise _neither(text)
    secrets = parse_qs(parts.fragment, keep_blank_values=True)
    return TableAddress(server_address(text), code, _invitation(secrets), _seat(secrets))


def link_with(link: str, errand: Errand, secret: str) -> str:
    """The link of a table with a secret in its fragment, which browsers never send to a server."""
    return f"{link}#{errand}={secret}"


def is_own(address: str) -> bool:
    """Whether an address means the computer of whoever opens it, which makes it useless as an invitation."""
    return _OWN.fullmatch(urlsplit(address).hostname or "") is not None


def _with_scheme(text: str) -> str:
    return text if "://" in text else f"http://{text}"


def _invitation(secrets: Secrets) -> str | None:
    """The invitation of a link, if it is valid. Without it the link still leads to the table."""
    secret = secrets.get("invitation", [""])[0]
    return secret if _SECRET.fullmatch(secret) else None


def _seat(secrets: Secrets) -> str | None:
    if "seat" not in secrets:
        return None
    secret = secrets["seat"][0]
    if not _SECRET.fullmatch(secret):
        raise AddressWrong(Refusal("", "link_incomplete"))
    return secret


def _neither(text: str) -> AddressWrong:
    return AddressWrong(Refusal("", "table_address_wrong", {"text": shortened(text), "example": USUAL_SERVER}))
