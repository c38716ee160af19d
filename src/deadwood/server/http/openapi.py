"""The OpenAPI document, made from the operations and the types of the messages."""

from functools import cache
from typing import Any

import msgspec

from ..protocol.messages import Problem
from .operations import JSON, OPERATIONS, TEXT, Operation, Parameter, Schema

EVERYWHERE = (400, 403, 405, 414, 429, 503)  # any operation may answer with these
DESCRIPTIONS = {
    400: "The request cannot be read.",
    403: "You do not have the right, or your page is not from this server.",
    404: "Not found.",
    405: "This address does not support the method.",
    409: "The command does not fit the table's current state, or the rules.",
    413: "The request is too big.",
    414: "The address is too long.",
    415: "The content type is not one of those expected.",
    422: "The file cannot be played with; the sentence says why, and `line` where.",
    429: "Too many requests.",
    503: "The database did not answer, or the server is read-only. Retry; send a command again with the same `id`.",
}
_REFERENCE = "#/components/schemas/{name}"


@cache
def document(version: str) -> bytes:
    """The whole document, as JSON."""
    types = [kind for one in OPERATIONS for kind in (one.body, one.answer) if kind is not None]
    schemas, components = msgspec.json.schema_components([*types, Problem], ref_template=_REFERENCE)
    by_type = dict(zip(map(str, [*types, Problem]), schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _described(operation, by_type)
    written = msgspec.json.encode(
        {
            "openapi": "3.1.0",
            "info": {
                "title": "Deadwood",
                "version": version,
                "description": "Tables of Deadwood, for people and bots; docs/server.md describes the socket protocol. "
                "Refusals are in the language of Accept-Language, or of the query's `language`.",
            },
            "paths": paths,
            "components": {
                "schemas": components,
                "securitySchemes": {"chair": {"type": "http", "scheme": "bearer", "description": "A chair's token."}},
            },
        }
    )
    return written.replace(rb'\\Z"', b'$"')  # Python's anchor for the very end; in JSON Schema it is $


def _described(operation: Operation, by_type: dict[str, Schema]) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": operation.handler.__name__,
        "summary": (operation.handler.__doc__ or "").strip(),
        "parameters": [_parameter(one) for one in operation.parameters],
        "responses": _responses(operation, by_type),
    }
    if operation.token:
        described["security"] = [{"chair": []}, {}]
    if operation.method in ("POST", "PUT"):
        content = {kind: _body(operation, kind, by_type) for kind in operation.body_kinds}
        described["requestBody"] = {"required": True, "content": content}
    return described


def _parameter(one: Parameter) -> dict[str, Any]:
    required = one.place == "path"
    return {
        "name": one.name,
        "in": one.place,
        "required": required,
        "description": one.description,
        "schema": one.schema,
    }


def _responses(operation: Operation, by_type: dict[str, Schema]) -> dict[str, Any]:
    right = _content(operation.answer, operation.answer_kind, by_type)
    wrong = {"application/json": {"schema": by_type[str(Problem)]}}
    refused = sorted({*operation.refusals, *EVERYWHERE})
    return {
        str(operation.status): {"description": "Success.", "content": right},
        **{str(status): {"description": DESCRIPTIONS[status], "content": wrong} for status in refused},
    }


def _body(operation: Operation, kind: str, by_type: dict[str, Schema]) -> dict[str, Any]:
    if kind == JSON:
        return {"schema": by_type[str(operation.body)]}
    return {"schema": {"type": "string", "maxLength": operation.body_bytes}}


def _content(kind: Any, media: str, by_type: dict[str, Schema]) -> dict[str, Any]:
    if media == TEXT:
        return {TEXT: {"schema": {"type": "string"}}}
    return {media: {"schema": by_type[str(kind)]}}
