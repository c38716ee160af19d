"""Values and refusals as HTTP responses."""

import gzip

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from ...engine.refusal import DeadwoodError, Refused
from ..protocol.refusals import http_status, problem
from . import requests

_WORTHWHILE = range(1_000, 200_000)  # bytes worth compressing: fewer fit into a packet, more keep others waiting
_A_MOMENT = 5  # seconds until a retry makes sense, if the refusal does not say


def json_response(value: object, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A value as JSON."""
    return Response(msgspec.json.encode(value), status, headers, "application/json")


def compressed(response: Response, request: Request) -> Response:
    """A response in the smallest encoding that the client accepts."""
    if len(response.body) not in _WORTHWHILE or "content-encoding" in response.headers:
        return response
    response.headers["vary"] = "accept-encoding"
    if requests.best_encoding(request, ("gzip", "identity")) == "gzip":
        response.body = gzip.compress(response.body, 3, mtime=0)
        response.headers.update({"content-encoding": "gzip", "content-length": str(len(response.body))})
    return response


def refused(error: DeadwoodError, language: str) -> Response:
    """A refusal as a response."""
    status = http_status(error)
    headers: dict[str, str] = {}
    if isinstance(error, Refused) and status == 429:
        headers["retry-after"] = str(error.refusal.values.get("seconds", _A_MOMENT))
    if status == 413:
        headers["connection"] = "close"  # otherwise we would have to read the rest of the body to find the next request
    return json_response(problem(error, language), status, headers)
