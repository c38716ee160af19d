"""Runs: the same rows whoever plays them, kept through interrupts and crashes, continued where they stopped."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest

from deadwood import load_deck
from deadwood.engine.loading import DATA
from deadwood.engine.options import Options
from deadwood.engine.refusal import DeadwoodError, SetupError
from deadwood.lab import batches
from deadwood.lab.batches import Portions
from deadwood.lab.fingerprint import RunError, read_metadata
from deadwood.lab.playing import Plan
from deadwood.lab.runs import Run, Summary, seat_lines
from deadwood.lab.workers import WorkersLost, done_by

PLAN = Plan(seats=("hopeful", "extra", "random"), options=Options(layout="random", days=1), seed=5)
DECISIONS = Plan(seats=("extra", "random"), options=Options(days=1), seed=5, decisions=True)


@pytest.fixture(autouse=True)
def small_portions(monkeypatch):
    monkeypatch.setattr(batches, "MOST_GAMES", 7)


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A run of one process that nothing disturbed."""
    file = tmp_path_factory.mktemp("played") / "a.parquet"
    Run(PLAN, 40, file).go_on(jobs=1)
    return pl.read_parquet(file)


def made(plan, games, file, **how):
    summary = Run(plan, games, file).go_on(**{"jobs": 1, **how})
    return summary, pl.read_parquet(file)


def test_a_run_holds_every_game_once_and_leaves_nothing_else(tmp_path, played):
    assert played["game"].to_list() == list(range(40))
    summary, _ = made(PLAN, 3, tmp_path / "a.parquet")
    assert summary == Summary(games=3, kept=3, played=3, cut_off=0, stopped=False)
    assert [file.name for file in tmp_path.iterdir()] == ["a.parquet"]


def test_two_processes_make_the_same_rows(tmp_path, played):
    assert made(PLAN, 40, tmp_path / "a.parquet", jobs=2)[1].equals(played)


def test_ray_makes_the_same_rows(tmp_path, played):
    """In a new process: Ray forks, which is not safe beside the threads that JAX may have started in this one."""
    plan = ["--seats", ",".join(PLAN.seats), "--layout", "random", "--days", "1", "--seed", "5", "--games", "40"]
    how = ["--jobs", "2", "--ray", "local", "--out", "a.parquet"]
    command = [sys.executable, "-m", "deadwood", "simulate", *plan, *how]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    assert pl.read_parquet(tmp_path / "a.parquet").equals(played)


def test_more_games_can_be_added_later(tmp_path, played):
    file = tmp_path / "a.parquet"
    made(PLAN, 10, file)
    assert made(PLAN, 40, file)[1].equals(played)
    summary, again = made(PLAN, 12, file)
    assert again.equals(played)
    assert (summary.kept, summary.played) == (40, 0)


def test_an_interrupt_keeps_what_is_done(tmp_path, played):
    file = tmp_path / "a.parquet"

    def interrupt(done, _all):
        if done >= 14:
            raise KeyboardInterrupt

    summary = Run(PLAN, 40, file).go_on(jobs=1, progress=interrupt)
    assert summary.stopped
    assert 14 <= summary.kept == summary.played == len(pl.read_parquet(file)) < 40
    seen = []
    Run(PLAN, 40, file).go_on(jobs=1, progress=lambda done, all_games: seen.append((done, all_games)))
    left = 40 - summary.kept
    assert seen[0] == (0, left)
    assert seen[-1] == (left, left)
    assert pl.read_parquet(file).equals(played)


def test_an_interrupt_before_the_first_game(tmp_path):
    def interrupt(_done, _all):
        raise KeyboardInterrupt

    assert Run(PLAN, 40, tmp_path / "a.parquet").go_on(jobs=1, progress=interrupt).kept == 0
    assert list(tmp_path.iterdir()) == []


def test_decisions_are_kept_with_their_games(tmp_path):
    file = tmp_path / "a.parquet"
    _, games = made(DECISIONS, 9, file)
    made(DECISIONS, 20, file)
    decisions = pl.read_parquet(tmp_path / "a.decisions.parquet")
    counts = decisions.group_by("game").len().sort("game")
    assert counts["game"].to_list() == list(range(20))
    assert counts["len"].to_list()[:9] == games["decisions"].to_list()
    assert decisions["decision"].to_list() == [number for count in counts["len"] for number in range(count)]


def test_a_crash_between_two_steps_of_the_end_doubles_nothing(tmp_path, played):
    """The file is there, and the parts it was made of too."""
    file = tmp_path / "a.parquet"
    run = Run(PLAN, 40, file)
    run._parts.mkdir()
    run._keep(played[0:7], pl.DataFrame())
    run._keep(played[14:21], pl.DataFrame())
    run._combine(0, stopped=True)
    run._parts.mkdir(exist_ok=True)
    run._keep(played[0:7], pl.DataFrame())
    (run._parts / "plan.json").write_text(run._identity)
    (run._parts / "000000021.games.unfinished").write_bytes(b"half a part")
    assert made(PLAN, 40, file)[1].equals(played)


SIMULATE = [sys.executable, "-m", "deadwood", "simulate", "--seats", "hopeful,extra,random", "--seed", "5"]
OPTIONS = ["--layout", "random", "--days", "1", "--games", "600", "--out", "a.parquet"]


def wait_for_parts(folder, process, count):
    deadline = time.monotonic() + 60
    while len(list(folder.glob("*.parts/*.games"))) < count:
        assert process.poll() is None, "the run ended before it could be stopped"
        assert time.monotonic() < deadline
        os.sched_yield()


@pytest.mark.parametrize(("blow", "code"), [(signal.SIGKILL, -signal.SIGKILL), (signal.SIGINT, 130)])
def test_a_stopped_process_is_continued(home, blow, code):
    with subprocess.Popen([*SIMULATE, *OPTIONS, "--jobs", "2"], stdout=subprocess.PIPE, text=True) as process:
        wait_for_parts(home, process, 2)
        process.send_signal(blow)
        told, _ = process.communicate(timeout=60)
    assert process.returncode == code
    if blow == signal.SIGINT:
        assert "the same command goes on" in told
        assert 0 < len(pl.read_parquet("a.parquet")) < 600
    done = subprocess.run([*SIMULATE, *OPTIONS, "--jobs", "1"], capture_output=True, text=True, check=True, timeout=120)
    assert "600 games are in a.parquet." in done.stdout
    assert [file.name for file in home.glob("a.*")] == ["a.parquet"]
    kept = pl.read_parquet("a.parquet")
    made(PLAN, 600, Path("b.parquet"), jobs=1)
    assert kept.equals(pl.read_parquet("b.parquet"))


def test_other_games_are_not_mixed_in(tmp_path):
    file = tmp_path / "a.parquet"
    made(PLAN, 2, file)
    before = file.read_bytes()
    other = Plan(seats=("hopeful", "extra"), options=PLAN.options, seed=6)
    with pytest.raises(RunError, match=r"seats hopeful,extra,random there, hopeful,extra here; seed 5 there, 6 here"):
        Run(other, 2, file).go_on(jobs=1)
    studio = Plan(seats=PLAN.seats, options=PLAN.options, seed=5, deck=load_deck(DATA / "studio.toml"))
    with pytest.raises(RunError, match="deck classic there, studio here"):
        Run(studio, 2, file).go_on(jobs=1)
    assert file.read_bytes() == before


EDITED_BOT = """
class Bot:
    def __init__(self, seed): ...
    def decide(self, state, actions): return actions[0]
"""


def test_an_edited_bot_is_another_bot(home, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path, str(home)])
    bot = home / "edited_bot.py"
    bot.write_text(
        "class Bot:\n    def __init__(self, seed): ...\n    def decide(self, state, actions): return actions[0]\n"
    )
    plan = Plan(seats=("edited_bot:Bot", "random"), limit=50)
    made(plan, 2, home / "a.parquet")
    bot.write_text(bot.read_text().replace("actions[0]", "actions[-1]"))
    with pytest.raises(RunError, match=r"code \w{8} there, \w{8} here"):
        made(plan, 4, home / "a.parquet")


def test_decisions_of_other_games_are_not_taken_for_ones_own(tmp_path):
    file = tmp_path / "a.parquet"
    made(DECISIONS, 3, file)
    file.unlink()
    other = Plan(seats=DECISIONS.seats, options=DECISIONS.options, seed=6, decisions=True)
    with pytest.raises(RunError, match=r"a.decisions.parquet' holds other games \(seed 5 there, 6 here"):
        Run(other, 3, file).go_on(jobs=1)
    assert made(DECISIONS, 3, file)[0].kept == 3
    assert len(pl.read_parquet(tmp_path / "a.decisions.parquet").unique(["game", "decision"])) == len(
        pl.read_parquet(tmp_path / "a.decisions.parquet")
    )


@pytest.mark.parametrize("name", ["g[1].parquet", "g*.parquet", "g{a,b}?.parquet"])
def test_names_are_no_patterns(tmp_path, name):
    made(PLAN, 3, tmp_path / "g1.parquet")
    file = tmp_path / name
    assert Run(PLAN, 2, file).go_on(jobs=1).kept == 2
    assert Run(PLAN, 4, file).go_on(jobs=1).kept == 4
    assert len(seat_lines(file)) == 3


def test_a_refused_plan_leaves_nothing_behind(tmp_path):
    wrong = Plan(seats=PLAN.seats, options=Options(first="Bob"))
    with pytest.raises(SetupError):
        Run(wrong, 3, tmp_path / "a.parquet").go_on(jobs=1)
    with pytest.raises(DeadwoodError, match="no Ray cluster"):
        Run(PLAN, 3, tmp_path / "a.parquet").go_on(jobs=1, ray="127.0.0.1:1")
    assert list(tmp_path.iterdir()) == []


def test_a_note_that_is_half_there_does_no_harm(tmp_path):
    folder = tmp_path / "a.parquet.parts"
    folder.mkdir()
    (folder / "plan.json").write_text('{"seats": [')
    assert made(PLAN, 2, tmp_path / "a.parquet")[0].kept == 2
    folder.mkdir()
    (folder / "plan.json").write_text('{"seats": [')
    (folder / "000000009.games").write_text("")
    with pytest.raises(RunError, match="plan unreadable there"):
        made(PLAN, 3, tmp_path / "a.parquet")


class Fragile:
    """Fails in its third game."""

    made = 0

    def __init__(self, seed=None):
        Fragile.made += 1

    def decide(self, state, actions):
        if Fragile.made >= 3:
            raise ZeroDivisionError
        return actions[-1]


def test_what_was_done_before_a_bot_failed_is_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(batches, "MOST_GAMES", 1)
    Fragile.made = 0
    plan = Plan(seats=("tests.lab.test_runs:Fragile", "random"), limit=40)
    with pytest.raises(RunError, match=r"failed in game 2 .* 2 games are kept; the same command goes on"):
        Run(plan, 9, tmp_path / "a.parquet").go_on(jobs=1)
    assert pl.read_parquet(tmp_path / "a.parquet")["game"].to_list() == [0, 1]


FULL_DISK = """
import resource, signal
from deadwood.cli import main
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000))
main()
"""


def test_a_full_disk_is_told(tmp_path):
    out = str(tmp_path / "a.parquet")
    words = ["simulate", "--seats", "extra,extra", "--games", "300", "--jobs", "1", "--out", out]
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, *words], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "could not be written" in done.stderr or "File too large" in done.stderr


def test_portions_grow_to_what_takes_half_a_second(monkeypatch):
    monkeypatch.setattr(batches, "MOST_GAMES", 200)
    games = Portions(range(1000))
    sizes = []
    for portion in games:
        sizes.append(len(portion))
        games.learn(len(portion), 0.01 * len(portion))
    assert sizes[:7] == [1, 2, 4, 8, 16, 32, 50]
    assert sum(sizes) == 1000
    slow = Portions(range(3))
    for portion in slow:
        assert len(portion) == 1
        slow.learn(1, 3.0)


def test_only_one_process_works_on_a_run(tmp_path):
    file = tmp_path / "a.parquet"

    def second(_done, _all):
        with pytest.raises(RunError, match="Another process"):
            Run(PLAN, 2, file).go_on(jobs=1)

    assert Run(PLAN, 2, file).go_on(jobs=1, progress=second).kept == 2


def test_files_that_are_no_runs(tmp_path):
    file = tmp_path / "a.parquet"
    file.write_text("no parquet")
    with pytest.raises(RunError, match="is not a file of `deadwood simulate`"):
        read_metadata(file)
    pl.DataFrame({"a": [1]}).write_parquet(file)
    with pytest.raises(RunError, match="was not made by `deadwood simulate`"):
        Run(PLAN, 2, file).go_on(jobs=1)
    assert pl.read_parquet(file).columns == ["a"]


def test_how_the_seats_did(tmp_path, played):
    file = tmp_path / "a.parquet"
    made(PLAN, 40, file)
    lines = seat_lines(file)
    assert [line.bot for line in lines] == list(PLAN.seats)
    for seat, line in enumerate(lines):
        won = sum(row[seat] for row in played["won"].to_list())
        assert line.won.share == pytest.approx(won / 40)
        assert line.score == pytest.approx(sum(row[seat] for row in played["scores"].to_list()) / 40)


def end_this_process(_task):
    os.kill(os.getpid(), signal.SIGKILL)


def test_lost_workers_are_told():
    with pytest.raises(WorkersLost, match="perhaps memory ran out"):
        list(done_by(end_this_process, [1, 2], jobs=2))


def square(number):
    if number < 0:
        raise ValueError(f"{number} is below nothing")
    return number * number


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_goes_wrong_in_a_worker_is_raised_here(jobs):
    assert sorted(done_by(square, range(40), jobs)) == [number * number for number in range(40)]
    with pytest.raises(ValueError, match="-3 is below nothing"):
        list(done_by(square, [1, 2, -3], jobs))
