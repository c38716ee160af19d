"""Every past schema still opens; a newer one is refused."""

import sqlite3
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import text

from deadwood import verify
from deadwood.server.store.database import DatabaseStore
from deadwood.server.store.migrate import SchemaUnknown, configuration

from ..people import person, play_to_the_end, serving, together
from .changes import opened

KEPT = sorted((Path(__file__).parents[2] / "kept" / "schemas").glob("*.sql"))
WAITING, FINISHED, RUNNING = "X33CMXJR", "FTRXTKJM", "M7HL9CHR"
ADA, BO, EVE = (sha256(f"kept {name}".encode()).hexdigest() for name in ("Ada", "Bo", "Eve"))
ROWS = {"log": 260, "tables": 3, "games": 3, "bundles": 1, "subscriptions": 1, "server_keys": 1, "talk": 1}


def test_todays_schema_is_kept():
    """And so are all before it, since the first that was kept. A new migration brings its own file: the latest one,
    opened with it, and dumped by `iterdump` of `sqlite3`.
    """
    scripts = ScriptDirectory.from_config(configuration()).walk_revisions("base", "heads")
    revisions = sorted(script.revision for script in scripts)
    assert [file.stem for file in KEPT] == revisions[-len(KEPT) :]


@pytest.fixture(params=KEPT, ids=lambda file: file.stem)
def kept_url(request, tmp_path):
    file = tmp_path / "games.sqlite3"
    with closing(sqlite3.connect(file)) as database:
        database.executescript(request.param.read_text("utf-8"))
    return f"sqlite:///{file}"


@together
async def test_every_row_survives_the_migrations(kept_url):
    async with opened(DatabaseStore.open(kept_url)) as store, store._engine.connect() as connection:
        for table, count in ROWS.items():
            assert (await connection.execute(text(f"SELECT count(*) FROM {table}"))).scalar() == count, table


@together
async def test_its_games_are_played_on(kept_url):
    with serving(kept_url) as server:
        assert server.get(f"/api/tables/{WAITING}")["chairs"][0]["name"] == "Ada"
        async with person(server, RUNNING, ADA, BO) as people:
            assert [line["text"] for line in people.welcome["talk"]] == ["Nice hat."]
            await play_to_the_end(people)
        for code in (FINISHED, RUNNING):
            record = server.get(f"/api/tables/{code}/games/1/record")
            assert {check.verdict for check in verify(record)} == {"passed"}
        assert server.request("GET", "/api/bundle", token=EVE)[2]["sealed"] == "AAAA"
        assert "traceback" not in server.log()


@together
async def test_a_newer_schema_is_refused_and_left_alone(kept_url):
    file = kept_url.removeprefix("sqlite:///")
    with closing(sqlite3.connect(file)) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
        database.commit()
        before = list(database.iterdump())
        with pytest.raises(SchemaUnknown, match="schema 9999, and this version of Deadwood knows schemas up to 0"):
            await DatabaseStore.open(kept_url)
        assert list(database.iterdump()) == before
