"""The OpenAPI document, made of the operations and of the messages' types."""

from functools import cache
from typing import Any

import msgspec

from ..protocol.commands import RECORD_BYTES
from ..protocol.messages import Problem
from .operations import OPERATIONS, TEXT, Operation, Parameter, Schema

EVERYWHERE = (400, 403, 405, 429, 503)  # any operation may refuse so
DESCRIPTIONS = {
    400: "It cannot be read.",
    403: "It is not yours to do, or your page is not ours.",
    404: "There is no such thing.",
    405: "This address knows no such method.",
    409: "It does not fit the table as it is now, or the rules.",
    413: "It is too big.",
    429: "It is too much at once.",
    503: "The database did not answer; nothing was kept.",
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
                "description": "Tables of Deadwood, for people and bots; docs/server.md tells the socket protocol. "
                "Refusals are told in the language of Accept-Language, or of the query's `language`.",
            },
            "paths": paths,
            "components": {
                "schemas": components,
                "securitySchemes": {"seat": {"type": "http", "scheme": "bearer", "description": "A seat's token."}},
            },
        }
    )
    return written.replace(rb'\\Z"', b'$"')  # Python's sign for the very end; in JSON Schema it is $


def _described(operation: Operation, by_type: dict[str, Schema]) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": operation.handler.__name__,
        "summary": (operation.handler.__doc__ or "").strip(),
        "parameters": [_parameter(one) for one in operation.parameters],
        "responses": _responses(operation, by_type),
    }
    if operation.token:
        described["security"] = [{"seat": []}, {}]
    if operation.method == "POST":
        schema = _content(operation.body, operation.body_kind, by_type)
        described["requestBody"] = {"required": True, "content": schema}
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
        str(operation.status): {"description": "It is so.", "content": right},
        **{str(status): {"description": DESCRIPTIONS[status], "content": wrong} for status in refused},
    }


def _content(kind: Any, media: str, by_type: dict[str, Schema]) -> dict[str, Any]:
    if media == TEXT:
        return {TEXT: {"schema": {"type": "string", "maxLength": RECORD_BYTES}}}
    return {media: {"schema": by_type[str(kind)]}}
