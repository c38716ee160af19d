"""Worker processes may fail, die or hang; every question is still answered.

Holds `server.workers.pool`.
"""

import asyncio
import os
import time
from contextlib import asynccontextmanager

import pytest

from deadwood import Game
from deadwood.engine.actions import Move, TakeRole
from deadwood.engine.notation import format_action
from deadwood.server.metrics import Counters
from deadwood.server.protocol.refusals import ServerRefused
from deadwood.server.workers.pool import Pool
from deadwood.server.workers.workers import Workers

from ..people import FOR_EVER, together


@asynccontextmanager
async def working(patience=FOR_EVER):
    workers = Workers(1, patience, Counters())
    try:
        yield workers
    finally:
        workers.close()


@pytest.fixture
def game():
    return Game.new(["Ada", "Bo"], seed=3)


@together
async def test_a_legal_action_is_played_for_a_bot_that_fails(game, caplog):
    async with working() as workers:
        assert await workers.decide("no such bot", game.state) in game.legal_actions()
        assert workers._counters.bot_failures == 1
    assert "no such bot" in caplog.text


@pytest.mark.parametrize("action", [Move(["saloon"]), Move("nowhere"), TakeRole("star", "1"), "end", None], ids=str)
@together
async def test_a_legal_action_is_played_for_a_bot_that_decides_nonsense(game, monkeypatch, action):
    async with working() as workers:

        async def run(*_arguments, patient, address):
            return action

        monkeypatch.setattr(workers._bots, "run", run)
        assert await workers.decide("odd", game.state) in game.legal_actions()
        assert workers._counters.bot_failures == 1


@together
async def test_a_decision_is_stored_as_the_engine_spells_it(game, monkeypatch):
    """A bot may use its own types of numbers; a log may not."""
    game.play("move saloon")
    async with working() as workers:

        async def run(*_arguments, patient, address):
            return TakeRole("extra", True)

        monkeypatch.setattr(workers._bots, "run", run)
        assert format_action(await workers.decide("odd", game.state)) == "take extra 1"


@together
async def test_a_worker_that_dies_is_replaced(game):
    async with working() as workers:
        with pytest.raises(Exception, match="terminated"):
            await workers._bots.run(os._exit, 1)
        assert await workers.decide("regular", game.state) in game.legal_actions()
        assert workers._counters.bot_failures == 0


@together
async def test_a_worker_that_hangs_is_replaced_and_the_next_in_line_is_served(game):
    async with working() as workers:
        workers._bots.patience = 0.1
        hanging = asyncio.create_task(workers._bots.run(time.sleep, FOR_EVER))
        await asyncio.sleep(0)
        workers._bots.patience = FOR_EVER
        waiting = asyncio.create_task(workers.decide("regular", game.state))
        with pytest.raises(TimeoutError):
            await hanging
        assert await waiting in game.legal_actions()
        assert workers._counters.bot_failures == 0


@together
async def test_a_record_that_takes_long_holds_up_neither_bots_nor_hints(game):
    async with working() as workers:
        replaying = asyncio.create_task(workers._records.run(time.sleep, FOR_EVER))
        assert await workers.decide("random", game.state) in game.legal_actions()
        bot, unit, advice = await workers.advise(game.state, "en")
        assert (bot, unit) == ("champion", "chance")
        assert {one.action for one in advice} == set(map(format_action, game.legal_actions()))
        assert not replaying.done()
        replaying.cancel()


@pytest.fixture
def answered(monkeypatch):
    """The questions that workers have answered, in order; they need no processes for it."""
    order = []

    async def answer(_pool, _function, *given):
        await asyncio.sleep(0)
        order.append(given[-1])

    monkeypatch.setattr(Pool, "_try_twice", answer)
    return order


def check_deck(workers, address):
    """Somebody's file, named after the address."""
    return workers.check_deck(address, address)


def advise(workers, address):
    """A hint for somebody, in a language named after the address."""
    return workers.advise(Game.new(["Ada", "Bo"], seed=3).state, address, address)


async def ask_all(workers, ask, asked):
    """Ask for all these addresses at once; returns those that were refused."""
    names = [str(address) for address in asked]
    done = await asyncio.gather(*(ask(workers, name) for name in names), return_exceptions=True)
    assert {error.refusal.key for error in done if error} <= {"took_too_long"}
    return [name for name, error in zip(names, done, strict=True) if error]


@pytest.mark.parametrize("ask", [check_deck, advise])
@together
async def test_questions_of_many_addresses_keep_nobody_out(answered, ask):
    """They take turns, and where many wait, nobody may have two of them there."""
    async with working() as workers:
        refused = await ask_all(workers, ask, [*(number for number in range(11) for _ in range(2)), "other"])
        assert refused == ["10"]  # the second one
        assert answered.index("other") == 12  # after what ran already, and one of everybody who came earlier
        assert len(answered) == 22
        assert await ask_all(workers, ask, ["other"] * 20) == []  # nobody else wants anything


@pytest.mark.parametrize("ask", [check_deck, advise])
@together
async def test_the_queue_of_questions_is_bounded(answered, ask):
    async with working() as workers:
        assert await ask_all(workers, ask, range(210)) == [str(number) for number in range(200, 210)]


@together
async def test_a_question_that_takes_too_long_is_refused(game):
    async with working(patience=0.0) as workers:
        with pytest.raises(ServerRefused, match="took too long"):
            await workers.advise(game.state, "en")
