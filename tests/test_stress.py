"""`make stress` counts what fails, keeps its output, and leaves nothing running."""

import psutil
import pytest

from .stress import busy_cores, stress


@pytest.fixture(autouse=True)
def without_plugins(monkeypatch):
    """The tests written here need no plugins, and loading them takes far longer than running the tests."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")


def written(folder, text):
    file = folder / "test_written.py"
    file.write_text(text, "utf-8")
    return str(file)


def test_runs_tests_and_failures_are_counted(tmp_path):
    tests = written(tmp_path, "def test_good(): pass\ndef test_bad(): assert not 'this time'\n")
    assert stress([tests], 2, tmp_path) == {"runs": 2, "tests": 4, "failures": 2}
    assert "this time" in (tmp_path / "test_written-2.log").read_text("utf-8")


def test_a_run_that_passes_leaves_no_files(tmp_path):
    assert stress([written(tmp_path, "def test_good(): pass\n")], None, tmp_path) == {"runs": 1, "tests": 1}
    assert [file.name for file in tmp_path.iterdir() if file.is_file()] == ["test_written.py"]


def test_a_run_without_tests_is_a_failure(tmp_path):
    assert stress(["nowhere"], 1, tmp_path) == {"runs": 1, "failures": 1}


def busy_until_interrupted(loops):
    before = set(psutil.Process().children())
    with busy_cores():
        loops += set(psutil.Process().children()) - before
        raise KeyboardInterrupt


def test_the_busy_loops_end_whatever_happens():
    loops = []
    with pytest.raises(KeyboardInterrupt):
        busy_until_interrupted(loops)
    assert len(loops) == psutil.cpu_count()
    assert not any(loop.is_running() for loop in loops)
