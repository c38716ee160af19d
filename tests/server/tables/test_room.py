"""A room plays a whole game on a store in memory: no HTTP, no socket, no database, no worker process.

Holds `server.tables.clerk` and `server.tables.logkeeper`.
"""

import itertools
import json
import random
from collections import Counter

import pytest

from deadwood.engine.notation import format_action
from deadwood.server.protocol.commands import Hello, Play, Ready, Sit, Undo
from deadwood.server.protocol.refusals import ServerRefused
from deadwood.server.tables import views
from deadwood.server.tables.hall import Hall
from deadwood.server.tables.services import Services

from ..people import together, token
from .evening import Ear
from .halls import FirstThinker, a_hall, a_table, listener


@together
async def test_a_whole_game_needs_no_server():
    new = a_table("Ada", "Bo")
    room = await a_hall().open(new)
    ada, bo = listener(room, new, 0), listener(room, new, 1)
    choose = random.Random(1).choice
    for number in itertools.count():
        if room.sitting.game.over:
            break
        caller = ada if room.sitting.active.id in ada.held else bo
        legal = room.sitting.game.legal_actions()
        wanted = [action for action in legal if format_action(action).startswith(("act", "take"))]
        action = choose(wanted or legal)  # at random: two who follow fixed rules may walk in circles for ever
        await room.clerk.perform(caller, Play(id=f"a{number}", seq=room.sitting.seq + 1, action=format_action(action)))
    assert [update["seq"] for update in ada.updates] == [update["seq"] for update in bo.updates]
    assert ada.updates[-1]["table"]["status"] == "finished"


@together
async def test_a_broadcast_computes_a_position_once_for_all_languages(monkeypatch):
    counted = Counter()
    for name in ("offers", "_refusals"):
        monkeypatch.setattr(views, name, _counting(getattr(views, name), counted, name))
    new = a_table("Ada", "Bo")
    room = await a_hall().open(new)
    ears = [listener(room, new, *chairs, language=language) for chairs in ((0,), (1,), ()) for language in ("en", "de")]
    counted.clear()
    await room.clerk.perform(ears[0], Play(id="a", seq=3, action="end"))
    assert counted == {"offers": 1, "_refusals": 1}
    assert len({json.dumps(ear.updates[-1]["sentences"]) for ear in ears}) == 2
    assert [bool(ear.updates[-1]["position"]["reasons"]) for ear in ears] == [False, False, True, True, False, False]


@together
async def test_reasons_are_for_those_who_asked_for_them():
    new = a_table("Ada", "Bo")
    room = await a_hall().open(new)
    quiet = Ear()
    room.join(quiet, Hello(tokens=tuple(one.token for one in new.chairs)))
    await room.clerk.perform(quiet, Play(id="a", seq=3, action="end"))
    assert quiet.updates[-1]["position"]["reasons"] == []


def _counting(function, counted, name):
    def counting(*arguments):
        counted[name] += 1
        return function(*arguments)

    return counting


@together
async def test_an_undo_is_offered_to_the_one_who_acted():
    new = a_table("Ada", "Bo")
    room = await a_hall().open(new)
    ada, bo = listener(room, new, 0), listener(room, new, 1)
    await room.clerk.perform(ada, Play(id="a", seq=3, action="end"))
    assert bo.updates[-1]["position"]["undo"]["chair"] == min(ada.held)
    with pytest.raises(ServerRefused) as refused:
        await room.clerk.perform(bo, Undo(id="b", seq=4))
    assert refused.value.refusal.key == "undo_not_yours"
    await room.clerk.perform(ada, Undo(id="c", seq=4))
    assert bo.updates[-1]["events"][0]["type"] == "ActionUndone"


@together
async def test_a_process_that_is_behind_knows_who_sat_down_elsewhere():
    """Nobody hears that their token is unknown just because another process has seen more."""
    hall = a_hall()
    services = hall.services
    other = Hall(Services(services.store, services.append, FirstThinker(), services.settings))
    new, secret = a_table("Ada", start=False), token()
    code = (await hall.open(new)).sitting.code
    async with hall.visit(code) as ours, other.visit(code) as theirs:
        done = await theirs.clerk.perform(Ear(), Sit(id="a", name="Bo", token=secret))
        await ours.catch_up_with([new.chairs[0].token], since=done.seq - 1)
        assert ours.sitting.seq == done.seq - 1  # there was no reason to look
        await ours.catch_up_with([secret])
        assert ours.caller([secret], "en").held == {done.chair}
        done = await theirs.clerk.perform(theirs.caller([secret], "en"), Ready(id="b", chair=done.chair, salt=token()))
        await ours.catch_up_with([secret], since=done.seq)
        assert ours.sitting.seq == done.seq
