"""Runs: the same rows in any number of processes, kept through interrupts and crashes, continued where they stopped.

Holds `interruption`.
"""

import os
import signal
import subprocess
import sys
import time

import polars as pl
import pytest

from deadwood import load_deck
from deadwood.engine.loading import DATA
from deadwood.engine.options import Options
from deadwood.engine.refusal import DeadwoodError, SetupError
from deadwood.lab import batches
from deadwood.lab.playing import Plan
from deadwood.lab.run_file import RunError
from deadwood.lab.runs import Run, Summary

PLAN = Plan(seats=("hopeful", "extra", "random"), options=Options(layout="random", days=1), seed=5)
DECISIONS = Plan(seats=("extra", "random"), options=Options(days=1), seed=5, decisions=True)
PATIENCE = 120  # seconds after which a test gives up; no test that passes waits that long


@pytest.fixture(autouse=True)
def small_batches(monkeypatch):
    monkeypatch.setattr(batches, "MOST_GAMES", 7)


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """An undisturbed run in one process."""
    file = tmp_path_factory.mktemp("played") / "a.parquet"
    Run(PLAN, 40, file).go_on(jobs=1)
    return pl.read_parquet(file)


def made(plan, games, file, **how):
    summary = Run(plan, games, file).go_on(**{"jobs": 1, **how})
    return summary, pl.read_parquet(file)


def test_a_run_holds_every_game_once_and_leaves_nothing_else(tmp_path, played):
    assert played["game"].to_list() == list(range(40))
    summary, _ = made(PLAN, 3, tmp_path / "a.parquet")
    assert summary == Summary(games=3, kept=3, played=3, cut_off=0, stopped=False, seats=summary.seats)
    assert [file.name for file in tmp_path.iterdir()] == ["a.parquet"]


def test_two_processes_make_the_same_rows(tmp_path, played):
    assert made(PLAN, 40, tmp_path / "a.parquet", jobs=2)[1].equals(played)


def test_ray_makes_the_same_rows(tmp_path, played):
    """In a new process: Ray forks, which is not safe with the threads that JAX may have started in this one."""
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
    """The file exists, and so do the parts it was made from."""
    file = tmp_path / "a.parquet"
    run = Run(PLAN, 40, file)
    run._parts.mkdir()
    run._write_part(played[0:7], pl.DataFrame())
    run._write_part(played[14:21], pl.DataFrame())
    run._combine(set(), 0, stopped=True)
    run._parts.mkdir(exist_ok=True)
    run._write_part(played[0:7], pl.DataFrame())
    (run._parts / "plan.json").write_text(run._header)
    (run._parts / "000000021.games.unfinished").write_bytes(b"half a part")
    assert made(PLAN, 40, file)[1].equals(played)


CTRL_C = """
import ctypes, signal
from pathlib import Path

handler = ctypes.pythonapi.PyOS_getsig
handler.restype, handler.argtypes = ctypes.c_void_p, [ctypes.c_int]
before = handler(signal.SIGINT)
from deadwood.lab.playing import Plan
from deadwood.lab.runs import Run
Run(Plan(seats=("random", "random")), 1, Path("a.parquet")).go_on(jobs=1)
assert handler(signal.SIGINT) == before
"""


def test_python_handles_ctrl_c_during_a_run(home):
    """The handler of polars now and then swallowed it, and all that came later."""
    subprocess.run([sys.executable, "-c", CTRL_C], check=True)


GATED = """
import os
from deadwood.bots.extra import ExtraBot

class Bot(ExtraBot):
    made = 0

    def __init__(self, seed):
        super().__init__(seed)
        Bot.made += 1
        if Bot.made > 12 and "GATE" in os.environ:
            open(os.environ["GATE"]).read()
"""


def simulate(bot, jobs):
    command = [sys.executable, "-m", "deadwood", "simulate", "--seats", f"{bot}:Bot,random", "--seed", "5"]
    return [*command, "--days", "1", "--games", "60", "--out", "a.parquet", "--jobs", str(jobs)]


def wait_for_parts(folder, process, count):
    giving_up = time.monotonic() + PATIENCE
    while (found := len(list(folder.glob("*.parts/*.games")))) < count:
        assert process.poll() is None, "the run ended by itself"
        if time.monotonic() > giving_up:
            process.kill()  # or the test would wait for its end
            pytest.fail(f"{found} of {count} parts are written after {PATIENCE} seconds")
        time.sleep(0.01)


@pytest.mark.parametrize(("blow", "code"), [(signal.SIGKILL, -signal.SIGKILL), (signal.SIGINT, 130)])
def test_a_stopped_process_is_continued(home, importable, blow, code):
    """Its bots wait at a gate that never opens, so it is always stopped in the middle."""
    bot = f"gated_{blow.name.lower()}"
    (home / f"{bot}.py").write_text(GATED)
    os.mkfifo(home / "gate")
    closed = {**os.environ, "GATE": str(home / "gate")}
    with subprocess.Popen(simulate(bot, jobs=2), env=closed, stdout=subprocess.PIPE, text=True) as process:
        wait_for_parts(home, process, 2)
        process.send_signal(blow)
        try:
            shown, _ = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()  # or a process that goes on would be waited for
    assert process.returncode == code
    if blow == signal.SIGINT:
        assert "run the same command to continue" in shown
        assert 0 < len(pl.read_parquet("a.parquet")) < 60
    done = subprocess.run(simulate(bot, jobs=1), capture_output=True, text=True, check=True)
    assert "60 games are in a.parquet." in done.stdout
    assert [file.name for file in home.glob("a.*")] == ["a.parquet"]
    plan = Plan(seats=(f"{bot}:Bot", "random"), options=Options(days=1), seed=5)
    assert made(plan, 60, home / "b.parquet")[1].equals(pl.read_parquet("a.parquet"))


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


def test_games_of_an_edited_bot_are_not_mixed_in(home, importable):
    bot = home / "edited_bot.py"
    bot.write_text(
        "class Bot:\n    def __init__(self, seed): ...\n    def decide(self, state, actions): return actions[0]\n"
    )
    plan = Plan(seats=("edited_bot:Bot", "random"), limit=50)
    made(plan, 2, home / "a.parquet")
    bot.write_text(bot.read_text().replace("actions[0]", "actions[-1]"))
    with pytest.raises(RunError, match=r"code \w{8} there, \w{8} here"):
        made(plan, 4, home / "a.parquet")


def test_decisions_of_other_games_are_not_mixed_in(tmp_path):
    file = tmp_path / "a.parquet"
    made(DECISIONS, 3, file)
    file.unlink()
    other = Plan(seats=DECISIONS.seats, options=DECISIONS.options, seed=6, decisions=True)
    with pytest.raises(RunError, match=r"a.decisions.parquet' has other settings \(seed 5 there, 6 here"):
        Run(other, 3, file).go_on(jobs=1)
    assert made(DECISIONS, 3, file)[0].kept == 3
    assert len(pl.read_parquet(tmp_path / "a.decisions.parquet").unique(["game", "decision"])) == len(
        pl.read_parquet(tmp_path / "a.decisions.parquet")
    )


@pytest.mark.parametrize("name", ["g[1].parquet", "g*.parquet", "g{a,b}?.parquet"])
def test_names_are_not_patterns(tmp_path, name):
    made(PLAN, 3, tmp_path / "g1.parquet")
    file = tmp_path / name
    assert Run(PLAN, 2, file).go_on(jobs=1).kept == 2
    summary = Run(PLAN, 4, file).go_on(jobs=1)
    assert (summary.kept, len(summary.seats)) == (4, 3)


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
    with pytest.raises(RunError, match="header unreadable there"):
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


def test_games_finished_before_a_bot_failed_are_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(batches, "MOST_GAMES", 1)
    Fragile.made = 0
    plan = Plan(seats=("tests.lab.test_runs:Fragile", "random"), limit=40)
    with pytest.raises(RunError, match=r"Game 2, decision \d+: .* 2 games are kept; run the same command to continue"):
        Run(plan, 9, tmp_path / "a.parquet").go_on(jobs=1)
    assert pl.read_parquet(tmp_path / "a.parquet")["game"].to_list() == [0, 1]


FULL_DISK = """
import resource, signal
from deadwood.cli import main
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000))
main()
"""


def test_a_full_disk_is_reported(tmp_path):
    out = str(tmp_path / "a.parquet")
    words = ["simulate", "--seats", "extra,extra", "--games", "300", "--jobs", "1", "--out", out]
    done = subprocess.run([sys.executable, "-c", FULL_DISK, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "could not be written" in done.stderr or "File too large" in done.stderr


def test_only_one_process_works_on_a_run(tmp_path):
    file = tmp_path / "a.parquet"

    def second(_done, _all):
        with pytest.raises(RunError, match="Another process"):
            Run(PLAN, 2, file).go_on(jobs=1)

    assert Run(PLAN, 2, file).go_on(jobs=1, progress=second).kept == 2


def test_a_file_of_something_else_is_not_touched(tmp_path):
    file = tmp_path / "a.parquet"
    pl.DataFrame({"a": [1]}).write_parquet(file)
    with pytest.raises(RunError, match="is not a run of `deadwood simulate`"):
        Run(PLAN, 2, file).go_on(jobs=1)
    assert pl.read_parquet(file).columns == ["a"]


def test_how_the_seats_did(tmp_path, played):
    summary, _ = made(PLAN, 40, tmp_path / "a.parquet")
    assert [line.bot for line in summary.seats] == list(PLAN.seats)
    for seat, line in enumerate(summary.seats):
        won = sum(row[seat] for row in played["won"].to_list())
        assert line.won.share == pytest.approx(won / 40)
        assert line.score == pytest.approx(sum(row[seat] for row in played["scores"].to_list()) / 40)


def test_seats_are_judged_by_the_games_that_ended(tmp_path):
    """Most of these games are cut off; their scores do not count."""
    plan = Plan(seats=PLAN.seats, options=PLAN.options, seed=5, limit=150)
    summary, games = made(plan, 40, tmp_path / "a.parquet")
    ended = games.filter(~pl.col("cut_off"))
    assert (summary.kept, summary.cut_off) == (40, 40 - len(ended))
    assert 0 < len(ended) < 40
    assert summary.seats[0].score == pytest.approx(ended["scores"].list.get(0).mean())
    assert summary.seats[0].won.share == pytest.approx(ended["won"].list.get(0).mean())


def test_a_run_in_which_every_game_was_cut_off_has_no_seats(tmp_path):
    summary, _ = made(Plan(seats=("random", "random"), limit=20), 3, tmp_path / "a.parquet")
    assert (summary.cut_off, summary.seats) == (3, ())


def test_files_are_read_once_to_find_missing_games(tmp_path, monkeypatch):
    file = tmp_path / "a.parquet"
    made(PLAN, 3, file)
    read, original = [], pl.read_parquet
    monkeypatch.setattr(pl, "read_parquet", lambda source, **how: (read.append(source), original(source, **how))[1])
    assert Run(PLAN, 5, file).go_on(jobs=1).kept == 5
    assert read == [file]
