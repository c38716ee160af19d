"""Entries of logs as rows, and rows as entries."""

import asyncio
import logging
from collections.abc import Sequence
from typing import Any

from ..protocol.refusals import ServerRefused, refuse
from ..tables.log import Entry, decode_body, encode_body

MOST_AT_ONCE = 500  # entries to decode; more would hold up everybody else
MOST_CHARACTERS = 200_000  # of them together: an entry may hold a deck
logger = logging.getLogger("deadwood.server")


def entry_row(entry: Entry) -> dict[str, Any]:
    """An entry as a row of the log."""
    return {
        "code": entry.code,
        "seq": entry.seq,
        "at": entry.at,
        "by": entry.by,
        "command": entry.command,
        "body": encode_body(entry.body).decode(),
    }


async def decoded(code: str, rows: Sequence[Any], first: int) -> list[Entry]:
    """The entries of a table from a number on; if they are many, they are decoded beside the event loop."""
    try:
        return await asyncio.to_thread(_entries, rows, first) if _is_much(rows) else _entries(rows, first)
    except ServerRefused as error:
        logger.error("the log of table %s: %s", code, error)
        raise


def _is_much(rows: Sequence[Any]) -> bool:
    return len(rows) > MOST_AT_ONCE or sum(len(row.body) for row in rows) > MOST_CHARACTERS


def _entries(rows: Sequence[Any], first: int) -> list[Entry]:
    """Entries without a gap, or a refusal."""
    if [row.seq for row in rows] != list(range(first, first + len(rows))):
        raise refuse("log_unreadable")
    return [Entry(row.code, row.seq, row.at, row.by, row.command, decode_body(row.body)) for row in rows]
