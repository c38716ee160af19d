"""Where games are kept, and who plays them.

Holds `locks`.
"""

import os
import subprocess
import sys

import pytest

from deadwood import Game
from deadwood.bots import make
from deadwood.terminal import saved_games


def kept(name, *, age, finished=False):
    """One of the user's saved games, saved that many seconds ago."""
    game = Game.new(["Ada", "Bo"], seed=1)
    bot = make("random", seed=1)
    while finished and not game.over:
        game.play(bot.decide(game.state, game.legal_actions()))
    saved_games.folder().mkdir(parents=True, exist_ok=True)
    file = saved_games.folder() / f"{name}.deadwood"
    game.save(file)
    os.utime(file, (1_000_000 - age, 1_000_000 - age))
    return file


def test_games_are_kept_among_the_users_data(home):
    assert saved_games.folder() == home / "deadwood" / "games"


def test_a_new_file_is_named_by_time_and_players_and_not_in_use(home):
    saved_games.folder().mkdir(parents=True)
    files = []
    for _ in range(3):
        file = saved_games.new_file(("Ada", "Bo Diddley"))
        assert not file.exists()
        assert "-ada-bo-diddley" in file.name
        file.touch()
        files.append(file)
    assert len(set(files)) == 3


def test_names_of_any_sort_make_a_file_name(home):
    for names in (("/etc/passwd", "../.."), ("\N{FACE WITH COWBOY HAT}" * 40, "!"), ("x" * 40,) * 8):
        file = saved_games.new_file(names)
        assert file.parent == saved_games.folder()
        assert len(file.name) < 100


def test_saved_games_are_listed_latest_first(home):
    assert saved_games.saved_games() == []
    old, new, done = kept("old", age=30), kept("new", age=20), kept("done", age=10, finished=True)
    listed = saved_games.saved_games()
    assert [saved.file for saved in listed] == [done, new, old]
    assert [saved.finished for saved in listed] == [True, False, False]
    assert {saved.players for saved in listed} == {("Ada", "Bo")}


def test_the_latest_unfinished_game_is_gone_on_with(home):
    assert saved_games.latest_unfinished() is None
    old = kept("old", age=30)
    kept("done", age=10, finished=True)
    (saved_games.folder() / "empty.deadwood").touch()
    (saved_games.folder() / "bytes.deadwood").write_bytes(b"\xff\xfe\x00")
    (saved_games.folder() / "folder.deadwood").mkdir()
    (saved_games.folder() / "gone.deadwood").symlink_to("nowhere")
    assert saved_games.latest_unfinished() == old


def test_a_game_is_held_once_by_whatever_name(home):
    file = home / "game.deadwood"
    (home / "link.deadwood").symlink_to(file)
    held = saved_games.lock(file)
    for name in (file, home / "link.deadwood", home / "x" / ".." / "game.deadwood"):
        with pytest.raises(saved_games.GameInUse, match="is being played by another program"):
            saved_games.lock(name)
    saved_games.lock(home / "other.deadwood").release()
    held.release()
    saved_games.lock(file).release()


def test_a_program_that_is_killed_holds_nothing(home):
    file = home / "game.deadwood"
    code = (
        "import sys, pathlib; from deadwood.terminal import saved_games;"
        f"held = saved_games.lock(pathlib.Path({str(file)!r})); print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(saved_games.GameInUse):
            saved_games.lock(file)
        other.kill()
        other.wait()
        saved_games.lock(file).release()
