"""The formats of decks and boards as JSON Schema, for editors that help people write them."""

from typing import Any

import msgspec

from .board import Board
from .deck import DeckFile

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def deck_schema() -> dict[str, Any]:
    """The schema of a deck's file."""
    return _schema(DeckFile)


def board_schema() -> dict[str, Any]:
    """The schema of a board's file."""
    return _schema(Board)


def _schema(kind: type[msgspec.Struct]) -> dict[str, Any]:
    encoded = msgspec.json.encode({"$schema": _DIALECT, **msgspec.json.schema(kind)})
    # \Z is Python's anchor for the very end; JSON Schema uses $
    schema: dict[str, Any] = msgspec.json.decode(encoded.replace(rb'\\Z"', b'$"'))
    return schema
