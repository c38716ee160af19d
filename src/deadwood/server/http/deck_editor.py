"""The deck editor's questions about a deck that somebody is writing."""

from starlette.requests import Request

from ...engine.refusal import DataError
from ..origins import client_address
from ..protocol.decoding import decode_draft
from ..protocol.drafts import DRAFT_BYTES, MOST_TRIALS, TRIAL_GAMES, DraftView, TrialView
from ..protocol.refusals import refuse
from . import requests
from .api import heavy_job, workers_of


async def check_draft(request: Request) -> DraftView:
    """Everything that is wrong with a deck, or its file and what its roles are worth."""
    with heavy_job(request):
        draft = decode_draft(await requests.upload(request, DRAFT_BYTES))
        language, address = requests.language_of(request), client_address(request.scope)
        return await workers_of(request).check_draft(draft, language, address)


async def try_draft(request: Request) -> TrialView:
    """Some of the games of a trial: bots play with the deck, and with the classic one."""
    first = requests.whole(request, "first", 0, MOST_TRIALS, 0)
    games = requests.whole(request, "games", 1, TRIAL_GAMES, TRIAL_GAMES)
    with heavy_job(request):
        draft = decode_draft(await requests.upload(request, DRAFT_BYTES))
        try:
            return await workers_of(request).try_draft(draft, first, games, client_address(request.scope))
        except DataError as error:
            raise refuse("file_wrong", problem=error.parts, line=None) from error
