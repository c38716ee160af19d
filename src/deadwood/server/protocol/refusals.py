"""What the server refuses, and how that looks over HTTP and over the socket."""

from ...engine.chance import OutcomeNeeded
from ...engine.refusal import DeadwoodError, Refusal, Refused
from ...narration import narrate
from ..store.rows import StoreFailed
from .messages import Problem

STATUSES = {
    "table_unknown": 404,
    "game_unknown": 404,
    "page_unknown": 404,
    "method_wrong": 405,
    "token_unknown": 403,
    "not_the_host": 403,
    "not_your_seat": 403,
    "not_your_turn": 403,
    "origin_foreign": 403,
    "message_unreadable": 400,
    "query_wrong": 400,
    "upload_not_text": 400,
    "message_too_big": 413,
    "too_many_requests": 429,
    "too_many_jobs": 429,
    "took_too_long": 429,
    "not_kept": 503,
}
CONFLICT = 409  # everything else: it does not fit the table as it is now
NEEDED = {"dice": "outcome_needed_dice", "card": "outcome_needed_card"}


class ServerRefused(Refused):
    """Something that the server refuses; nothing has changed."""


class Stale(ServerRefused):
    """The client's picture of the table was old."""


def refuse(key: str, **values: object) -> ServerRefused:
    """An error to raise; `key` names its sentence."""
    return ServerRefused(Refusal("", key, values))


def problem(error: DeadwoodError, language: str = "en", id: str | None = None) -> Problem:
    """What a client is told."""
    error = _told(error)
    if isinstance(error, OutcomeNeeded):
        asked = Refusal("R12.7", NEEDED[error.kind], {"count": error.count})
        sentence = narrate(asked, language)
        return Problem(
            code="outcome_needed", sentence=sentence, id=id, rule=asked.rule, needed=f"{error.kind} {error.count}"
        )
    key, rule = (error.refusal.key, error.refusal.rule) if isinstance(error, Refused) else ("refused", "")
    return Problem(code=key, sentence=narrate(error, language), id=id, rule=rule or None)


def http_status(error: DeadwoodError) -> int:
    """The status of the response that tells it."""
    error = _told(error)
    return STATUSES.get(error.refusal.key, CONFLICT) if isinstance(error, Refused) else CONFLICT


def _told(error: DeadwoodError) -> DeadwoodError:
    """How a database fails is for the log, not for clients."""
    return refuse("not_kept") if isinstance(error, StoreFailed) else error
