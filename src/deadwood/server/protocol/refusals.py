"""What the server refuses, and how a refusal looks over HTTP and over the socket."""

from math import ceil

from ...engine.chance import OutcomeNeeded
from ...engine.refusal import DeadwoodError, RecordError, Refusal, Refused
from ...engine.rules import OutcomeNeed
from ...narration import narrate
from .messages import Problem

STATUSES = {
    "table_unknown": 404,
    "game_unknown": 404,
    "lesson_unknown": 404,
    "page_unknown": 404,
    "notice_unknown": 404,
    "method_wrong": 405,
    "token_unknown": 403,
    "key_missing": 403,
    "not_the_host": 403,
    "not_your_chair": 403,
    "not_your_turn": 403,
    "time_is_up": 403,
    "table_locked": 403,
    "talk_off": 403,
    "talk_off_server": 403,
    "handover_unknown": 403,
    "handover_used": 403,
    "handover_late": 403,
    "invitation_unknown": 403,
    "correct_not_yours": 403,
    "origin_foreign": 403,
    "address_banned": 403,
    "notices_off": 403,
    "metrics_private": 403,
    "message_invalid": 400,
    "query_invalid": 400,
    "upload_not_text": 400,
    "file_not_text": 400,
    "file_kind_wrong": 415,
    "file_wrong": 422,
    "message_too_big": 413,
    "url_too_long": 414,
    "file_too_big": 413,
    "too_many_requests": 429,
    "too_many_codes": 429,
    "too_many_jobs": 429,
    "talk_too_fast": 429,
    "took_too_long": 429,
    "server_failed": 500,
    "log_newer": 500,
    "log_unreadable": 500,
    "not_stored": 503,
    "read_only": 503,
}
CONFLICT = 409  # for everything else: the command does not fit the table's current state
NEEDED = {"dice": "outcome_needed_dice", "card": "outcome_needed_card"}


class ServerRefused(Refused):
    """A request the server refuses. Nothing has changed, unless it says that it could not store something."""


class Stale(ServerRefused):
    """The client was out of date."""


class StoreFailed(DeadwoodError):
    """The database failed, or it is unknown whether it did."""


class StoreGone(StoreFailed):
    """The database cannot be reached; whatever is tried next will fail too."""


def refuse(key: str, **values: object) -> ServerRefused:
    """An error to raise; `key` names its sentence."""
    return ServerRefused(Refusal("", key, values))


def too_many_requests(wait: float) -> ServerRefused:
    """A refusal for a client that must wait."""
    return refuse("too_many_requests", seconds=whole_seconds(wait))


def whole_seconds(wait: float) -> int:
    """A wait as refusals name it: rounded up, so that the next try succeeds."""
    return ceil(wait)


def problem(error: DeadwoodError, language: str = "en", id: str | None = None) -> Problem:
    """The refusal as a message to the client."""
    error = _public(error)
    if isinstance(error, OutcomeNeeded):
        asked = Refusal("R12.7", NEEDED[error.kind], {"count": error.count})
        needs = OutcomeNeed(error.kind, error.count)
        return Problem(code="outcome_needed", sentence=narrate(asked, language), id=id, rule=asked.rule, needs=needs)
    sentence = narrate(error, language)
    if not isinstance(error, Refused):
        return Problem(code="refused", sentence=sentence, id=id)
    refusal = error.refusal
    line = error.line if isinstance(error, RecordError) else refusal.values.get("line")
    return Problem(code=refusal.key, sentence=sentence, id=id, rule=refusal.rule or None, line=line)


def refusal_code(error: DeadwoodError) -> str:
    """The code of a refusal, as clients see it."""
    error = _public(error)
    if isinstance(error, OutcomeNeeded):
        return "outcome_needed"
    return error.refusal.key if isinstance(error, Refused) else "refused"


def http_status(error: DeadwoodError) -> int:
    """The status of the response that carries the refusal."""
    error = _public(error)
    return STATUSES.get(error.refusal.key, CONFLICT) if isinstance(error, Refused) else CONFLICT


def _public(error: DeadwoodError) -> DeadwoodError:
    """The error that clients may see: details of a database failure are only for the log."""
    return refuse("not_stored") if isinstance(error, StoreFailed) else error
