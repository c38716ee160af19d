"""A room plays a whole game on a store in memory: no HTTP, no socket, no database, no worker process."""

import asyncio
import functools
import itertools
import json
import random
import subprocess
import sys
from collections import Counter

import msgspec
import pytest

from deadwood import Options
from deadwood.engine.notation import format_action
from deadwood.engine.refusal import Refused
from deadwood.server.protocol.commands import Hello, NewBot, NewPerson, NewTable, Play, Ready, Sit, Undo
from deadwood.server.protocol.refusals import ServerRefused
from deadwood.server.settings import Settings
from deadwood.server.tables import views
from deadwood.server.tables.hall import Hall
from deadwood.server.tables.log import Started
from deadwood.server.tables.services import Services

from ..memory import MemoryStore
from ..people import together, token
from .evening import Ear

OPTIONS = {"days": 1, "first": "Ada"}


class FirstThinker:
    """A bot that does the first thing it may do."""

    async def decide(self, bot, state, patient=False, address=""):
        from deadwood.engine.rules import legal_actions

        return legal_actions(state)[0]


def a_hall(append=None):
    store = MemoryStore()

    async def commit(one):
        return (await store.commit([one]))[0]

    append = commit if append is None else functools.partial(append, commit)
    settings = Settings(database="", url="http://x", bot_pause=0.0)
    return Hall(Services(store, append, FirstThinker(), settings, random_bytes=random.Random(1).randbytes))


def people(*names, ready=True):
    return tuple(NewPerson(name=name, token=token(), salt=token() if ready else None) for name in names)


def a_table(*names, start=True, **options):
    return NewTable(chairs=people(*names), options=Options(**(OPTIONS | options)), start=start)


def listener(room, new, *numbers, language="en"):
    """Somebody who holds the chairs with these numbers."""
    ear = Ear(language)
    room.join(ear, Hello(tokens=tuple(new.chairs[number].token for number in numbers), explain=True))
    return ear


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
        await room.perform(caller, Play(id=f"a{number}", seq=room.sitting.seq + 1, action=format_action(action)))
    assert [update["seq"] for update in ada.updates] == [update["seq"] for update in bo.updates]
    assert ada.updates[-1]["table"]["status"] == "finished"


def test_importing_tables_brings_no_server_along():
    code = "import deadwood.server.tables.hall, sys; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "deadwood.server.tables.room" in loaded
    heavy = ("starlette", "uvicorn", "websockets", "sqlalchemy", "aiosqlite", "alembic", "multiprocessing")
    assert not [name for name in loaded if name.split(".")[0] in heavy]


@together
async def test_a_broadcast_computes_a_position_once_for_all_languages(monkeypatch):
    counted = Counter()
    for name in ("offers", "_refusals"):
        monkeypatch.setattr(views, name, _counting(getattr(views, name), counted, name))
    new = a_table("Ada", "Bo")
    room = await a_hall().open(new)
    ears = [listener(room, new, *chairs, language=language) for chairs in ((0,), (1,), ()) for language in ("en", "de")]
    counted.clear()
    await room.perform(ears[0], Play(id="a", seq=3, action="end"))
    assert counted == {"offers": 1, "_refusals": 1}
    assert len({json.dumps(ear.updates[-1]["sentences"]) for ear in ears}) == 2
    assert [bool(ear.updates[-1]["position"]["reasons"]) for ear in ears] == [False, False, True, True, False, False]


@together
async def test_reasons_are_for_those_who_asked_for_them():
    new = a_table("Ada", "Bo")
    room = await a_hall().open(new)
    quiet = Ear()
    room.join(quiet, Hello(tokens=tuple(one.token for one in new.chairs)))
    await room.perform(quiet, Play(id="a", seq=3, action="end"))
    assert quiet.updates[-1]["position"]["reasons"] == []


def _counting(function, counted, name):
    def counting(*arguments):
        counted[name] += 1
        return function(*arguments)

    return counting


@together
async def test_a_hot_seat_for_eight_is_one_request():
    names = [f"P{number}" for number in range(8)]
    new = a_table(*names, first="P3")
    room = await a_hall().open(new)
    assert room.sitting.status == "running"
    assert room.sitting.seq == 2  # opened, started
    assert [chair.name for chair in room.sitting.chairs] == names
    everybody = listener(room, new, *range(8))
    assert len(everybody.held) == 8
    assert room.sitting.salts == tuple(one.salt for one in new.chairs)


@pytest.mark.parametrize(
    ("new", "key"),
    [
        (NewTable(chairs=people("Ada", "Bo", ready=False), start=True), "not_ready"),
        (NewTable(chairs=people("Ada"), start=True), "player_count"),
        (NewTable(chairs=(NewBot(bot="random"),)), "player_count"),
        (NewTable(chairs=people("Ada", " ada ")), "name_taken"),
    ],
    ids=["nobody is ready", "alone", "one bot alone", "the same name"],
)
@together
async def test_a_table_that_cannot_start_is_not_opened(new, key):
    hall = a_hall()
    with pytest.raises(Refused) as refused:
        await hall.open(new)
    assert refused.value.refusal.key == key
    assert hall.services.store.log == {}


@together
async def test_two_people_cannot_share_a_token():
    one = people("Ada")[0]
    other = msgspec.structs.replace(one, name="Bo")
    with pytest.raises(ServerRefused) as refused:
        await a_hall().open(NewTable(chairs=(one, other)))
    assert refused.value.refusal.key == "token_taken"


@together
async def test_bots_play_until_people_are_to_act():
    bots = NewBot(bot="random", name="Rex"), NewBot(bot="random")
    new = NewTable(chairs=(*people("Ada"), *bots), options=Options(first="Rex"), start=True)
    room = await a_hall().open(new)
    ada = listener(room, new, 0)
    while room.sitting.active.id not in ada.held:
        await asyncio.sleep(0)
    last = room.sitting.events[-1]
    assert last.kind == "played"
    assert room.sitting.chair(last.chair).bot == "random"


@together
async def test_bots_start_even_if_storing_that_seemed_to_fail():
    """The retry finds that the first try has already taken the number."""

    async def append(commit, one):
        return await commit(one) and not isinstance(one.entry.body, Started)

    hall = a_hall(append)
    room = await hall.open(NewTable(chairs=(NewBot(bot="random"), NewBot(bot="random"))))
    assert room.sitting.status == "running"
    assert not room.idle  # a bot is at work
    await hall.services.close()


@together
async def test_an_undo_is_offered_to_the_one_who_acted():
    new = a_table("Ada", "Bo")
    room = await a_hall().open(new)
    ada, bo = listener(room, new, 0), listener(room, new, 1)
    await room.perform(ada, Play(id="a", seq=3, action="end"))
    assert bo.updates[-1]["position"]["undo"]["chair"] == min(ada.held)
    with pytest.raises(ServerRefused) as refused:
        await room.perform(bo, Undo(id="b", seq=4))
    assert refused.value.refusal.key == "undo_not_yours"
    await room.perform(ada, Undo(id="c", seq=4))
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
        done = await theirs.perform(Ear(), Sit(id="a", name="Bo", token=secret))
        await ours.catch_up_with([new.chairs[0].token], since=done.seq - 1)
        assert ours.sitting.seq == done.seq - 1  # there was no reason to look
        await ours.catch_up_with([secret])
        assert ours.caller([secret], "en").held == {done.chair}
        done = await theirs.perform(theirs.caller([secret], "en"), Ready(id="b", chair=done.chair, salt=token()))
        await ours.catch_up_with([secret], since=done.seq)
        assert ours.sitting.seq == done.seq
