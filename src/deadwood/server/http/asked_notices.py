"""Notices that people ask for: where they go, how to test them, how to end them. None of it is in a table's log."""

import re
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.requests import Request

from ...narration import NoticeText, narrate
from ..notices.message import Message, written
from ..notices.sender import Sender, host_of, view_of
from ..notices.targets import parse_target
from ..origins import client_address
from ..protocol.decoding import decode_notice_target, decode_notice_test, decode_push_moved
from ..protocol.notices import MOST_SUBSCRIPTIONS, NoticesView, NoticeTried, PushRedirected
from ..protocol.refusals import ServerRefused, refuse, too_many_requests
from ..tables.log import Chair
from ..tables.ports import Outbox, Subscription
from ..tables.room import Room
from . import requests
from .api import admission_of, hall_of

_ID = re.compile(r"[0-9a-f]{32}")


async def show_notices(request: Request) -> NoticesView:
    """Where the holder of a chair gets notices, and the key that a browser needs to ask for some."""
    async with _at_chair(request) as (room, chair):
        return await _view(request, room, chair)


async def ask_for_notices(request: Request) -> NoticesView:
    """Send notices for a chair to a browser, or to an address that takes them."""
    async with _at_chair(request) as (room, chair):
        _demand_allowed(request)
        asked = decode_notice_target(await requests.body(request))
        kind, target, keys = await _sender_of(request).checked(asked)
        _demand_still_held(room, chair)
        new = Subscription(
            id=secrets.token_hex(16),
            code=room.sitting.code,
            chair=chair.id,
            holder=chair.token or "",
            kind=kind,
            target=target,
            keys=keys,
            language=requests.language_of(request),
            asked=hall_of(request).services.now(),
        )
        if not await _outbox_of(request).subscribe(new, MOST_SUBSCRIPTIONS):
            raise refuse("notices_full", most=MOST_SUBSCRIPTIONS)
        return await _view(request, room, chair)


async def end_notices(request: Request) -> NoticesView:
    """Send no more notices to an address."""
    async with _at_chair(request) as (room, chair):
        hall_of(request).services.demand_writable()
        found = await _own(request, room, chair, request.path_params["id"])
        await _outbox_of(request).unsubscribe(found.id)
        return await _view(request, room, chair)


async def try_notice(request: Request) -> NoticeTried:
    """Send a test notice, and report the result."""
    async with _at_chair(request) as (room, chair):
        _demand_allowed(request)
        found = await _own(request, room, chair, decode_notice_test(await requests.body(request)).id)
        link = hall_of(request).services.link(room.sitting.code)
        message = written("test", f"{room.sitting.code}-test", room.sitting, chair, link, found.language)
    return await _tried(request, found, message)


async def _tried(request: Request, subscription: Subscription, message: Message) -> NoticeTried:
    sender, language = _sender_of(request), requests.language_of(request)
    wait = sender.wait(subscription)
    if wait:
        raise too_many_requests(wait)
    sent = await sender.shown(subscription, message)
    try:
        reply = await sender.send(subscription, message)
    except ServerRefused as error:
        return NoticeTried(delivered=False, sentence=narrate(error, language), sent=sent)
    if reply.gone:
        await _outbox_of(request).unsubscribe(subscription.id)
    key = "delivered" if reply.taken else "gone" if reply.gone else "answered"
    outcome = NoticeText(key, {"host": host_of(subscription), "status": reply.status})
    return NoticeTried(delivered=reply.taken, sentence=narrate(outcome, language), sent=sent)


async def move_push(request: Request) -> PushRedirected:
    """Give a browser that gets notices its new address; knowing the old one is enough."""
    admission_of(request).asking(client_address(request.scope))
    _demand_allowed(request)
    moved = decode_push_moved(await requests.body(request))
    parse_target(moved.was, hall_of(request).services.settings.private_notices)
    _, target, keys = await _sender_of(request).checked(moved.now)
    return PushRedirected(chairs=await _outbox_of(request).redirect(moved.was, target, keys))


@asynccontextmanager
async def _at_chair(request: Request) -> AsyncIterator[tuple[Room, Chair]]:
    """The one chair that a token holds."""
    tokens = requests.tokens(request)
    admission_of(request).asking(client_address(request.scope))
    async with hall_of(request).visit(request.path_params["code"]) as room:
        await room.catch_up_with(tokens)
        caller = room.caller(tokens, requests.language_of(request))
        chair = room.sitting.chair(min(caller.held, default=None))
        if chair is None:
            raise refuse("token_unknown")
        admission_of(request).command((room.sitting.code, chair.id))
        yield room, chair


async def _view(request: Request, room: Room, chair: Chair) -> NoticesView:
    own = await _outbox_of(request).subscriptions(room.sitting.code, chair.id)
    return NoticesView(
        chair=chair.id,
        allowed=hall_of(request).services.settings.notices,
        key=(await _sender_of(request).key()).public,
        most=MOST_SUBSCRIPTIONS,
        subscriptions=tuple(view_of(one) for one in own if one.holder == chair.token),
    )


async def _own(request: Request, room: Room, chair: Chair, id: str) -> Subscription:
    """A subscription of this chair, made by its present holder."""
    found = await _outbox_of(request).subscription(id) if _ID.fullmatch(id) else None
    if found is None or (found.code, found.chair, found.holder) != (room.sitting.code, chair.id, chair.token):
        raise refuse("notice_unknown")
    return found


def _demand_still_held(room: Room, chair: Chair) -> None:
    """Check the chair again: somebody may have taken it over while an address was looked up."""
    now = room.sitting.chair(chair.id)
    if now is None or now.token != chair.token:
        raise refuse("token_unknown")


def _demand_allowed(request: Request) -> None:
    services = hall_of(request).services
    services.demand_writable()
    if not services.settings.notices:
        raise refuse("notices_off")


def _sender_of(request: Request) -> Sender:
    sender: Sender = request.app.state.sender
    return sender


def _outbox_of(request: Request) -> Outbox:
    return hall_of(request).services.store.outbox
