"""Backups of a live server, putting one back and playing on, and archives of all finished games.

Holds `cli.backup` and `server.archive`.
"""

import os
import shutil
import sqlite3
import zipfile
from contextlib import closing

import pytest

from deadwood import verify
from deadwood.server.store.backup import BackupFailed, back_up, restore
from deadwood.server.store.migrate import SchemaUnknown

from ..commands import run
from ..people import person, play_to_the_end, serving, started, together


@together
async def test_a_game_goes_on_from_a_backup_of_a_live_server(tmp_path, sqlite_url):
    saved = tmp_path / "saved.sqlite3"
    with serving(sqlite_url) as server:
        async with started(server, options={"days": 1}) as host:
            await host.act()
            code, tokens, state, seq = host.code, host.tokens, host.state, host.seq
            done = run("backup", saved, "--database", sqlite_url)
            assert (done.exit_code, f"{saved} holds the whole database" in done.output) == (0, True)
            await host.act()  # the server goes on, and the backup does not hold this action
            in_use = run("restore", saved, "--database", sqlite_url, "--replace")
            assert (in_use.exit_code, "Another server uses" in in_use.output) == (1, True)
    assert run("restore", saved, "--database", sqlite_url).exit_code == 1
    again = run("restore", saved, "--database", sqlite_url, "--replace")
    assert (again.exit_code, "games.sqlite3.replaced" in again.output) == (0, True)
    with serving(sqlite_url) as server:
        async with person(server, code, *tokens) as people:
            assert (people.state, people.seq) == (state, seq)
            await play_to_the_end(people)
        record = server.get(f"/api/tables/{code}/games/1/record")
        assert {check.verdict for check in verify(record)} == {"passed"}


@together
async def test_the_wal_of_a_killed_server_is_backed_up_and_put_aside(tmp_path, sqlite_url):
    with serving(sqlite_url) as server:
        code, _ = server.make()
        server.kill()
    file, saved = tmp_path / "games.sqlite3", tmp_path / "saved.sqlite3"
    shutil.copytree(tmp_path, tmp_path / "killed")
    back_up(sqlite_url, saved)
    for database in (file, saved):
        with closing(sqlite3.connect(database)) as connection:
            assert connection.execute("SELECT code FROM tables").fetchall() == [(code,)]
    restore(saved, f"sqlite:///{tmp_path}/killed/games.sqlite3", replace=True)
    with closing(sqlite3.connect(tmp_path / "killed" / "games.sqlite3.replaced")) as connection:
        assert connection.execute("SELECT code FROM tables").fetchall() == [(code,)]


def test_no_restore_deletes_what_an_earlier_one_put_aside(tmp_path, sqlite_url):
    with serving(sqlite_url) as server:
        code, _ = server.make()
        back_up(sqlite_url, tmp_path / "saved.sqlite3")
    first = restore(tmp_path / "saved.sqlite3", sqlite_url, replace=True)
    second = restore(tmp_path / "saved.sqlite3", sqlite_url, replace=True)
    assert [first.name, second.name] == ["games.sqlite3.replaced", "games.sqlite3.replaced-2"]
    for database in (first, second):
        with closing(sqlite3.connect(database)) as connection:
            assert connection.execute("SELECT code FROM tables").fetchall() == [(code,)]


def test_a_backup_is_private_and_what_root_restores_belongs_to_the_server(tmp_path, sqlite_url):
    with serving(sqlite_url):
        back_up(sqlite_url, tmp_path / "saved.sqlite3")
    assert (tmp_path / "saved.sqlite3").stat().st_mode & 0o777 == 0o600
    folder = tmp_path / "moved"
    folder.mkdir()
    if os.geteuid() == 0:
        os.chown(folder, 10001, 10001)
    assert restore(tmp_path / "saved.sqlite3", f"sqlite:///{folder}/games.sqlite3", replace=False) is None
    assert {file.name for file in folder.iterdir()} == {"games.sqlite3", "games.sqlite3.lock"}
    assert {file.stat().st_uid for file in folder.iterdir()} == {folder.stat().st_uid}
    assert (folder / "games.sqlite3").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"deadwood record 1\n" * 99, "cannot be copied|not the database"),
        (b"", "is not the database of a Deadwood server"),
    ],
)
def test_files_that_are_not_databases_are_not_restored(tmp_path, sqlite_url, content, sentence):
    wrong = tmp_path / "wrong"
    wrong.write_bytes(content)
    with pytest.raises(BackupFailed, match=sentence):
        restore(wrong, sqlite_url, replace=False)
    assert not (tmp_path / "games.sqlite3").exists()


def test_a_backup_of_a_newer_version_is_not_restored(tmp_path, sqlite_url):
    newer = tmp_path / "newer.sqlite3"
    with closing(sqlite3.connect(newer)) as database:
        database.executescript(
            "CREATE TABLE alembic_version (version_num); INSERT INTO alembic_version VALUES ('9999')"
        )
    with pytest.raises(SchemaUnknown, match="A newer version made it"):
        restore(newer, sqlite_url, replace=False)


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (("backup", "b", "--database", "sqlite:///none.db"), "There is no database"),
        (("backup", "none.db", "--database", "sqlite:///none.db"), "is the database itself"),
        (
            ("backup", "b", "--database", "postgresql://me:secret@db/games"),
            "pg_dump --format=custom --file=b postgresql://me@db/games",
        ),
        (
            ("restore", "a-file", "--database", "postgresql://me:secret@db/games"),
            "pg_restore --clean --if-exists -d postgresql://me@db/games a-file",
        ),
        (("restore", "a-file", "--database", "sqlite:///a-file"), "is the database itself"),
        (("restore", "none"), "does not exist"),
    ],
)
def test_commands_that_cannot_be_run_get_a_sentence(home, command, sentence):
    (home / "a-file").write_text("")
    done = run(*command)
    assert done.exit_code in (1, 2)
    assert sentence in done.output
    assert "secret" not in done.output
    assert not (home / "none.db").exists()
    assert not (home / "b").exists()


# --- archives


@together
async def test_every_record_of_an_archive_verifies(tmp_path, database):
    archive = tmp_path / "games.zip"
    with serving(database) as server:
        codes = []
        for days in (1, 1):
            async with started(server, options={"days": days}) as host:
                codes.append(host.code)
                await play_to_the_end(host)
                await host.do("rematch")
        server.make()
        done = run("export", archive, "--database", database)
        records = {f"{code}-1.deadwood": server.get(f"/api/tables/{code}/games/1/record") for code in codes}
    assert (done.exit_code, "holds 2 finished games" in done.output) == (0, True)
    with zipfile.ZipFile(archive) as found:
        assert {name: found.read(name).decode() for name in found.namelist()} == records
    for record in records.values():
        assert {check.verdict for check in verify(record)} == {"passed"}


def test_a_missing_database_is_not_created_to_export_it(tmp_path, sqlite_url):
    done = run("export", tmp_path / "games.zip", "--database", sqlite_url)
    assert (done.exit_code, "There is no database" in done.output) == (1, True)
    assert list(tmp_path.iterdir()) == []


@together
async def test_a_game_without_a_log_is_named_and_left_out(tmp_path, sqlite_url):
    with serving(sqlite_url) as server:
        async with started(server, options={"days": 1}) as host:
            code = host.code
            await play_to_the_end(host)
    with closing(sqlite3.connect(tmp_path / "games.sqlite3")) as connection:
        connection.execute("DELETE FROM log")
        connection.commit()
    done = run("export", tmp_path / "games.zip", "--database", sqlite_url)
    assert (done.exit_code, f"{code} game 1: " in done.output) == (1, True)


@together
async def test_a_game_that_does_not_verify_is_named_and_left_out(tmp_path, sqlite_url):
    with serving(sqlite_url) as server:
        async with started(server, options={"days": 1}) as host:
            await play_to_the_end(host)
    with closing(sqlite3.connect(tmp_path / "games.sqlite3")) as connection:
        last = connection.execute("SELECT max(seq) FROM log WHERE body LIKE '%\"played\"%'").fetchone()[0]
        connection.execute("UPDATE games SET last_seq = ?", (last - 1,))
        connection.execute("UPDATE log SET body = replace(body, 'played', 'undone') WHERE seq = 30")
        connection.commit()
    done = run("export", tmp_path / "games.zip", "--database", sqlite_url)
    assert done.exit_code == 1
    assert f"{host.code} game 1: " in done.output
    assert zipfile.ZipFile(tmp_path / "games.zip").namelist() == []
