"""One click each for another game: it starts by itself once everybody present agrees.

Holds `server.tables.rematch`.
"""

import secrets
from contextlib import AsyncExitStack, asynccontextmanager

import pytest

from deadwood import bots
from deadwood.engine.verify import verify

from .people import FOR_EVER, person, play_to_the_end, serving, started, together


@asynccontextmanager
async def finished(server, names=("Ada", "Bo"), bots=(), **options):
    """A game that is over, and a connection for each of its people."""
    table = {"bots": [{"bot": bot} for bot in bots], "options": {"days": 1, **options}}
    async with AsyncExitStack() as stack:
        async with started(server, names, **table) as all_of_them:
            await play_to_the_end(all_of_them)
            code, tokens = all_of_them.code, all_of_them.tokens
            people = [await stack.enter_async_context(person(server, code, token)) for token in tokens]
            for one, token in zip(people, tokens, strict=True):
                one.token = token
        yield code, people


async def agree(one, **more):
    return await one.do("agree", chair=one.held[0], salt=secrets.token_hex(32), **more)


async def hear_the_next_game(one):
    while one.table["game"] == 1:
        await one.hear()


@pytest.fixture
def patient(tmp_path):
    """A server that waits for ever for somebody who is away."""
    with serving(f"sqlite:///{tmp_path}/x.db", rematch_pause=FOR_EVER) as server:
        yield server


@pytest.fixture
def hasty(tmp_path):
    """A server that does not wait at all."""
    with serving(f"sqlite:///{tmp_path}/x.db", rematch_pause=0.0) as server:
        yield server


@together
async def test_the_last_click_starts_the_next_game(patient):
    async with finished(patient, ("Ada", "Bo", "Cy"), bots=["random"]) as (_, people):
        ada, bo, cy = people
        await agree(ada)
        await agree(cy)
        assert (cy.status, cy.table["agreed"]) == ("finished", [ada.held[0], cy.held[0]])
        await agree(bo)
        for one in people:
            await hear_the_next_game(one)
            assert (one.status, one.table["game"], one.table["agreed"]) == ("running", 2, [])
            assert [chair["name"] for chair in one.table["chairs"]] == ["Ada", bots.character("random"), "Bo", "Cy"]
            assert len(one.table["salts"]) == 3
        kinds = [update["kind"] for update in bo.updates]
        assert kinds.count("opened") == 1
        assert "started" not in kinds


@together
async def test_one_click_is_enough_against_bots_and_the_game_can_be_verified(patient):
    async with finished(patient, ("Ada",), bots=["random"]) as (code, (ada,)):
        await agree(ada)
        await hear_the_next_game(ada)
        await play_to_the_end(ada, seed=2)
        record = patient.get(f"/api/tables/{code}/games/2/record")
        assert {check.verdict for check in verify(record)} == {"passed"}


@together
async def test_a_change_of_mind_counts(patient):
    async with finished(patient) as (_, (ada, bo)):
        await agree(ada)
        await ada.do("agree", chair=ada.held[0])
        assert ada.table["agreed"] == []
        await agree(bo)
        assert bo.status == "finished"
        assert "does not want to play again" in " ".join(text for one in bo.updates for text in one["sentences"])


@together
async def test_only_ones_own_chair_and_only_after_a_game(patient):
    async with finished(patient) as (_, (ada, bo)):
        refused = await ada.ask("agree", chair=bo.held[0], salt=secrets.token_hex(32))
        assert refused["code"] == "not_your_chair"
        await agree(ada)
        await agree(bo)
        await hear_the_next_game(ada)
        assert (await ada.ask("agree", chair=ada.held[0]))["code"] == "table_not_finished"


@together
async def test_somebody_who_is_away_is_waited_for_and_plays_if_they_come_back(patient):
    async with finished(patient, ("Ada", "Bo", "Cy")) as (code, (ada, bo, cy)):
        await bo.socket.close()
        await agree(ada)
        await agree(cy)
        assert cy.status == "finished"
        token = bo.token
        async with person(patient, code, token) as again:
            await agree(again)
            await hear_the_next_game(cy)
            assert [chair["name"] for chair in cy.table["chairs"]] == ["Ada", "Bo", "Cy"]


@together
async def test_nobody_waits_for_ever_for_somebody_who_is_gone(hasty):
    async with finished(hasty, ("Ada", "Bo", "Cy"), first="Ada") as (code, (ada, bo, cy)):
        await ada.socket.close()
        await agree(bo)
        await agree(cy)
        await hear_the_next_game(cy)
        assert (cy.status, cy.table["host"], cy.table["drawn"]) == ("running", bo.held[0], ["first"])
        assert [chair["name"] for chair in cy.table["chairs"]] == ["Bo", "Cy"]
        async with person(hasty, code, ada.token) as late:
            assert (late.held, late.welcome["unknown"]) == ([], [0])


@together
async def test_a_player_who_is_alone_waits_for_the_others(hasty):
    async with finished(hasty) as (_, (ada, bo)):
        await bo.socket.close()
        await ada.hear_until(lambda message: message["type"] == "present" and message["chairs"] == ada.held)
        await agree(ada)
        assert ada.status == "finished"
        await ada.do("rematch")
        assert [(chair["name"], chair["ready"]) for chair in ada.table["chairs"]] == [("Ada", True), ("Bo", False)]


@together
async def test_a_click_survives_a_restart(tmp_path):
    database = f"sqlite:///{tmp_path}/x.db"
    with serving(database, rematch_pause=FOR_EVER) as server:
        async with finished(server) as (code, (ada, bo)):
            await agree(ada)
            tokens = [ada.token, bo.token]
    with serving(database, rematch_pause=FOR_EVER) as server:
        async with person(server, code, tokens[0]) as ada, person(server, code, tokens[1]) as bo:
            assert ada.table["agreed"] == ada.held
            await agree(bo)
            await hear_the_next_game(ada)
            assert ada.status == "running"
