"""Databases of earlier releases open for ever: tables, chairs, games and records are the same, and the games go on.

Holds `server.tables.listing`.
"""

import contextlib
import json
import sqlite3
from pathlib import Path

import pytest

from deadwood import verify

from .people import FOR_EVER, person, play_to_the_end, serving, together

RELEASES = sorted(path.parent for path in (Path(__file__).parents[1] / "kept").glob("*/server.sql"))

# --- the words of the protocol; the kept answers have their own

COMMANDS = {
    "play": {"type": "play", "seq": 1, "action": "end"},
    "leave": {"type": "leave", "chair": 4},
    "rematch": {"type": "rematch"},
}


def table_as_kept(table):
    chairs, position = table["chairs"], table["position"] or {"state": None, "offers": []}
    return {
        "status": table["status"],
        "entries": table["seq"],
        "game": table["game"],
        "public": table["public"],
        "options": table["options"],
        "drawn": table["drawn"],
        "host": next((chair["name"] for chair in chairs if chair["id"] == table["host"]), None),
        "chairs": [[chair["name"], chair["colour"], chair["bot"], chair["ready"]] for chair in chairs],
        "commitment": table["commitment"],
        "salts": table["salts"],
        "seed": table["seed"],
        "state": position["state"],
        "actions": [offer["action"] for offer in position["offers"]],
        "standings": standings_as_kept(table["standings"]),
    }


def game_as_kept(game):
    same = ("game", "options", "winners", "finished", "actions", "commitment", "salts", "seed")
    players = [[player["name"], player["colour"], player["bot"]] for player in game["players"]]
    return {
        **{name: game[name] for name in same},
        "players": players,
        "standings": standings_as_kept(game["standings"]),
    }


def standings_as_kept(standings):
    return [[one["name"], one["place"], one["score"]] for one in standings]


def names_held(one):
    return [chair["name"] for chair in one.table["chairs"] if chair["id"] in one.held]


# --- the servers


@contextlib.contextmanager
def serving_kept(release, folder, **settings):
    file = folder / "games.sqlite3"
    with contextlib.closing(sqlite3.connect(file)) as database:
        database.executescript((release / "server.sql").read_text("utf-8"))
    with serving(f"sqlite:///{file}", **settings) as server:
        yield server
        assert "traceback" not in server.log()
        assert server.metric("errors_total") == 0


@pytest.fixture(scope="module", params=RELEASES, ids=lambda release: release.name)
def release(request):
    return request.param


@pytest.fixture(scope="module")
def kept(release):
    return json.loads((release / "server.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def looked_at(release, tmp_path_factory):
    """A server on which nothing changes: bots never act, and tests only read."""
    with serving_kept(release, tmp_path_factory.mktemp("kept"), bot_pause=FOR_EVER) as server:
        yield server


@pytest.fixture(scope="module")
def played_on(release, tmp_path_factory):
    """A server on which the games go on; every test has a table to itself."""
    with serving_kept(release, tmp_path_factory.mktemp("kept")) as server:
        yield server


TABLES = ("waiting", "running", "real dice", "rematch", "finished", "public", "bots")


@pytest.fixture(params=TABLES)
def table(request, kept):
    return kept["tables"][request.param]


# --- what there was


def test_every_kept_table_is_tested(kept):
    assert kept["tables"].keys() == set(TABLES)


def test_a_table_is_as_it_was(looked_at, table):
    assert table_as_kept(looked_at.get(f"/api/tables/{table['code']}")) == table["table"]


@together
async def test_the_same_token_holds_the_same_chair(looked_at, table):
    for name, token in table["tokens"].items():
        async with person(looked_at, table["code"], token) as one:
            assert names_held(one) == [name]


@together
async def test_the_token_of_a_chair_that_was_left_holds_nothing(looked_at, table):
    for name, token in table["spent"].items():
        async with person(looked_at, table["code"], token) as one:
            assert one.held == [], name


@together
async def test_missed_updates_are_sent_from_the_old_log(looked_at, table):
    async with person(looked_at, table["code"], since=0) as one:
        last = table["table"]["entries"]
        numbers = [update["seq"] for update in one.welcome["missed"]]
        assert numbers == list(range(last - len(numbers) + 1, last + 1))
        assert numbers


def test_a_repeated_command_gets_its_first_answer(looked_at, table):
    for word, id, entry, name in table.get("repeats", ()):
        token = {**table["tokens"], **table["spent"]}[name]
        answer = looked_at.post(f"/api/tables/{table['code']}/commands", {**COMMANDS[word], "id": id}, token)
        assert answer["seq"] == entry


def test_finished_games_are_listed_with_their_records(looked_at, release, kept, table):
    path = f"/api/tables/{table['code']}/games"
    games = looked_at.get(path)["games"]
    assert [game_as_kept(game) for game in games] == table["games"]
    assert all(one["credit_points"] == one["credits"] for game in games for one in game["standings"])
    kind = next(name for name, one in kept["tables"].items() if one is table)
    for game in table["games"]:
        record = (release / f"server-{kind}-{game['game']}.deadwood").read_text("utf-8")
        assert looked_at.get(f"{path}/{game['game']}/record") == record
        assert looked_at.get(f"{path}/{game['game']}/replay?limit=2")["total"] == game["actions"] + 1


def test_public_tables_are_listed(looked_at, kept):
    for status, codes in kept["listed"].items():
        listed = looked_at.get(f"/api/tables?status={status}")["tables"]
        assert [table["code"] for table in listed] == codes


# --- what goes on


@together
async def test_a_waiting_table_starts_with_the_chosen_options(played_on, kept):
    table = kept["tables"]["waiting"]
    async with person(played_on, table["code"], *table["tokens"].values()) as people:
        for chair in people.held:
            await people.be_ready(chair)
        await people.do("start")
        assert people.table["options"] == table["table"]["options"]
        assert people.updates[-1]["events"][0]["first"] == table["table"]["options"]["first"]


@together
async def test_a_running_game_goes_on_to_its_end(played_on, kept):
    table = kept["tables"]["running"]
    async with person(played_on, table["code"], *table["tokens"].values()) as people:
        await play_to_the_end(people)
    record = played_on.get(f"/api/tables/{table['code']}/games/1/record")
    assert {check.verdict for check in verify(record)} == {"passed"}


@together
async def test_people_still_roll_real_dice_for_a_bot(played_on, kept):
    table = kept["tables"]["real dice"]
    async with person(played_on, table["code"], *table["tokens"].values()) as people:
        people.pending = people.table["pending"]
        while people.pending is None:
            await people.hear()
        seq = people.seq
        await people.act(people.pending["action"], outcome="1")
        assert people.seq == seq + 1


@together
async def test_a_waiting_rematch_is_played(played_on, kept):
    table = kept["tables"]["rematch"]
    async with person(played_on, table["code"], *table["tokens"].values()) as people:
        await people.be_ready(people.held[1])
        await people.do("start")
        await play_to_the_end(people)
    games = played_on.get(f"/api/tables/{table['code']}/games")["games"]
    assert [game["game"] for game in games] == [2, 1]
    assert game_as_kept(games[1]) == table["games"][0]


@together
async def test_a_finished_game_gets_a_rematch(played_on, kept):
    table = kept["tables"]["finished"]
    async with person(played_on, table["code"], *table["tokens"].values()) as people:
        await people.do("rematch")
        assert (people.status, people.table["game"]) == ("waiting", 2)
        assert names_held(people) == list(table["tokens"])


@together
async def test_bots_alone_go_on_to_the_end(played_on, kept):
    table = kept["tables"]["bots"]
    async with person(played_on, table["code"]) as watcher:
        assert watcher.seq >= table["table"]["entries"]
        while watcher.status != "finished":
            await watcher.hear()
