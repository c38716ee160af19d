"""Correcting what was typed at a table with real dice (R12.7), over real sockets."""

import random
from contextlib import asynccontextmanager

import pytest

from deadwood import Game, verify

from .people import FOR_EVER, person, serving, started, together

pytestmark = pytest.mark.rule("R12.7")
REAL = {"first": "Ada", "dice": "table", "days": 1}
ADA_ACTS = (("move saloon", "card 2"), ("take star 1", None), ("end", None))


async def play(one, *actions):
    for action, outcome in actions:
        await one.act(action, outcome=outcome)


async def correct(one, outcome):
    return await one.ask("correct", seq=one.seq + 1, outcome=outcome)


async def corrected(one, outcome):
    await one.do("correct", seq=one.seq + 1, outcome=outcome)
    return one.updates[-1]


def purse(one, seat=0):
    player = one.state["players"][seat]
    return player["dollars"], player["credits"]


@asynccontextmanager
async def apart(server, names=("Ada", "Bo", "Cy")):
    """A running game with a connection for each person, at the point where Ada may act."""
    async with started(server, names, options=REAL) as host:
        await play(host, *ADA_ACTS[:2], *(("end", None) for _ in names[1:]))
        people = [person(server, host.code, token) for token in host.tokens]
        async with people[0] as ada, people[1] as bo, people[2] as cy:
            yield host.code, ada, bo, cy


@together
async def test_a_mistyped_die_is_corrected_for_everybody_to_see(server):
    async with started(server, options=REAL) as host, person(server, host.code) as watcher:
        await play(host, *ADA_ACTS, ("act", "3"))
        assert purse(host) == (0, 2)
        position = host.table["position"]["correction"]
        assert (position["action"], position["outcome"], position["needs"]["kind"]) == ("act", "3", "dice")
        update = await corrected(host, "2")
        assert purse(host) == (0, 0)
        assert (update["kind"], update["action"]) == ("corrected", "act = 2")
        assert update["events"][0]["type"] == "OutcomeCorrected"
        assert update["sentences"][0] == "Ada's roll is corrected: 2, not 3."
        await watcher.hear_update(host.seq)
        assert watcher.updates[-1]["sentences"] == update["sentences"]
        assert watcher.state == host.state
        await host.act("end")
        assert host.table["position"]["correction"] is None
        assert (await correct(host, "4"))["code"] == "correct_too_late"


@together
async def test_only_the_roller_and_the_host_may_correct(server):
    async with apart(server) as (_, ada, bo, cy):
        await ada.act("act", outcome="3")
        for one in (bo, cy):
            await one.hear_update(ada.seq)
            refused = await correct(one, "2")
            assert (refused["code"], refused["sentence"]) == ("correct_not_yours", "Only Ada can correct that.")
        await corrected(ada, "2")
        await bo.hear_update(ada.seq)
        await bo.act("move main-street", outcome="card 5")
        await ada.hear_update(bo.seq)
        await cy.hear_update(bo.seq)
        assert (await correct(cy, "6"))["sentence"] == "Only Bo or Ada can correct that."
        update = await corrected(ada, "next rock")
        assert update["sentences"][0] == "Ada corrects which card Bo turned: card 17, not card 5."


@together
async def test_a_correction_may_need_bonus_dice(server):
    async with started(server, options=REAL) as host:
        await play(host, *ADA_ACTS, ("act", "3"), ("end", None), ("act", "2"))
        needed = await correct(host, "6")
        assert (needed["code"], needed["needs"]["count"]) == ("outcome_needed", 3)
        assert (await correct(host, "6 / 5 3"))["sentence"] == "3 bonus dice are rolled, not 2."
        await corrected(host, "6 / 5 3 1")
        assert host.state["sets"]["saloon"]["scene"] is None


@together
async def test_invalid_outcomes_are_refused_with_a_sentence(server):
    async with started(server, options=REAL) as host:
        assert (await correct(host, "3"))["code"] == "nothing_to_correct"
        await play(host, *ADA_ACTS, ("act", "3"))
        for outcome, code in (("3", "outcome_unchanged"), ("7", "die_out_of_range"), ("", "outcome_missing")):
            assert (await correct(host, outcome))["code"] == code
        stale = await host.ask("correct", seq=host.seq, outcome="4")
        assert stale["code"] == "stale"


@together
async def test_fair_dice_and_waiting_tables_have_nothing_to_correct(server):
    async with started(server, options={"first": "Ada"}) as host:
        await host.act()
        assert (await correct(host, "card 3"))["code"] == "correct_fair"
        assert (await host.ask("find_cards", text="3"))["code"] == "dice_are_fair"
        assert host.table["position"]["correction"] is None
    code, token = server.make(options=REAL)
    async with person(server, code, token) as host:
        assert (await correct(host, "3"))["code"] == "table_not_running"
        assert (await host.ask("find_cards", text="3"))["code"] == "table_not_running"


@together
async def test_a_repeated_correction_happens_once(server):
    async with started(server, options=REAL) as host:
        await play(host, *ADA_ACTS, ("act", "3"))
        wish = {"id": "again", "seq": host.seq + 1, "outcome": "2"}
        first = await host.do("correct", **wish)
        assert await host.ask("correct", **wish) == first


@together
async def test_outcomes_of_actions_may_be_typed_freely(server):
    async with started(server, options=REAL) as host:
        refused = await host.ask("play", seq=host.seq + 1, action="move saloon", outcome="the")
        assert refused["code"] == "card_could_be"
        await host.act("move saloon", outcome="Next Rock")
        assert host.updates[-1]["action"] == "move saloon = card 17"


@together
async def test_cards_are_found_by_number_and_title(server):
    async with started(server, options=REAL) as host, person(server, host.code) as watcher:
        found = await watcher.ask("find_cards", text="next rock")
        assert (found["type"], found["cards"], found["card"], found["sentence"]) == ("cards", [17], 17, None)
        assert len((await host.ask("find_cards", text=""))["cards"]) == 40
        await host.act("move saloon", outcome="17")
        found = await host.ask("find_cards", text="17")
        assert (found["cards"], found["card"]) == ([], None)
        assert "it lies at the Saloon" in found["sentence"]
        assert (await host.ask("find_cards", text="17", correcting=True))["card"] == 17
        await host.act("end")
        assert (await host.ask("find_cards", text="17", correcting=True))["code"] == "correct_too_late"


async def play_with_real_dice_to_the_end(one, rng):
    """Play at random, with made-up dice and cards."""
    while one.status == "running":
        offer = rng.choice(one.offers)
        outcome = None
        if needs := offer.get("needs"):
            outcome = str(rng.randint(1, 6)) if needs["kind"] == "dice" else str(rng.choice(one.state["unseen"]))
        answer = await one.ask("play", seq=one.seq + 1, action=offer["action"], outcome=outcome)
        if answer["type"] == "refused":
            dice = " ".join(str(rng.randint(1, 6)) for _ in range(answer["needs"]["count"]))
            wish = {"action": offer["action"], "outcome": f"{outcome} / {dice}"}
            answer = await one.ask("play", seq=one.seq + 1, **wish)
        await one.hear_update(answer["seq"])


async def failing(one):
    """Correct the last die to one that the server accepts; returns that die, or None."""
    for die in "123456":
        answer = await correct(one, die)
        if answer["type"] == "done":
            await one.hear_update(answer["seq"])
            return die
    return None


@together
async def test_a_finished_game_goes_on_if_its_last_die_was_mistyped(database):
    with serving(database) as server:
        for seed in range(20):
            async with started(server, options=REAL, public=True) as host:
                await play_with_real_dice_to_the_end(host, random.Random(seed))
                address = f"/api/tables/{host.code}/games/1"
                right = host.updates[-1]["action"].partition("= ")[2]
                assert server.get(address)["game"] == 1
                if await failing(host) is None or host.status == "finished":
                    continue  # no die could fail here
                assert server.request("GET", address)[0] == 404
                assert server.get("/api/tables?status=running")["tables"][0]["code"] == host.code
                finished = server.metric("games_finished_total")
                await corrected(host, right)
                assert host.status == "finished"
                assert server.metric("games_finished_total") == finished + 1
                record = server.get(f"{address}/record")
                assert "(corrected from " in record
                assert {check.verdict for check in verify(record)} <= {"passed", "unknown"}
                assert server.get(address)["standings"][0]["score"] == Game.from_record(record).standings()[0].score
                await host.do("rematch")
                assert (await correct(host, "1"))["code"] == "table_not_running"
                return
    raise AssertionError("no game ended with a die that can fail")


@together
async def test_corrections_survive_a_restart(sqlite_url):
    with serving(sqlite_url) as server:
        async with started(server, options=REAL) as host:
            await play(host, *ADA_ACTS, ("act", "3"))
            await corrected(host, "2")
            before, code, tokens = host.table, host.code, host.tokens
    with serving(sqlite_url) as server:
        async with person(server, code, *tokens, since=0) as host:
            assert host.table["position"] == before["position"]
            sentences = [sentence for update in host.welcome["missed"] for sentence in update["sentences"]]
            assert "Ada's roll is corrected: 2, not 3." in sentences
            await corrected(host, "4")
            assert host.updates[-1]["events"][0]["earlier"] == ["3", "2"]


@together
async def test_a_bots_card_is_corrected_by_whoever_typed_it_and_the_bot_waits_for_that(sqlite_url):
    with serving(sqlite_url, correction_pause=FOR_EVER) as server:
        code, token = server.make(options={**REAL, "first": "Random"}, bots=[{"bot": "random"}])
        async with person(server, code, token) as ada:
            await ada.be_ready()
            await ada.do("start")
            while ada.pending is None:  # before anything was typed, the bot plays on
                await (ada.act("end") if ada.up else ada.hear())
            asked = ada.pending
            assert asked["needs"]["kind"] == "card"
            await ada.do("play", seq=ada.seq + 1, action=asked["action"], outcome="17")
            update = await corrected(ada, "18")
            assert update["chair"] == asked["chair"]
            bot = next(chair["name"] for chair in ada.table["chairs"] if chair["id"] == asked["chair"])
            assert update["sentences"][0] == f"Ada corrects which card {bot} turned: card 18, not card 17."
            assert ada.table["position"]["correction"]["chairs"] == ada.held
            assert (await ada.ask("ping"))["seq"] == update["seq"], "the bot has not acted"


@together
async def test_a_bot_that_waits_for_its_own_card_decides_again_after_a_correction(server):
    code, token = server.make(options=REAL, bots=[{"bot": "random"}])
    async with person(server, code, token) as ada:
        await ada.be_ready()
        await ada.do("start")
        await ada.act("move saloon", outcome="2")
        await ada.act("take star 1")
        while True:
            while not ada.up and ada.pending is None:
                await ada.hear()
            if ada.up:
                await ada.act("act", outcome="1")
            elif ada.table["position"]["correction"]:
                break
            else:
                unseen = ada.state["unseen"][0]
                outcome = str(unseen) if ada.pending["needs"]["kind"] == "card" else "1"
                await ada.do("play", seq=ada.seq + 1, action=ada.pending["action"], outcome=outcome)
        assert ada.table["position"]["correction"]["action"] == "act"
        await corrected(ada, "2")
        while ada.pending is None and not ada.up:
            await ada.hear()
