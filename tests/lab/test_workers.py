"""Work in several processes: results, errors, and workers that die.

Holds `processes`.
"""

import os
import signal

import pytest

from deadwood.lab.workers import WorkersLost, done_by


def end_this_process(_task):
    os.kill(os.getpid(), signal.SIGKILL)


def test_lost_workers_are_reported():
    with pytest.raises(WorkersLost, match="perhaps memory ran out"):
        list(done_by(end_this_process, [1, 2], jobs=2))


def square(number):
    if number < 0:
        raise ValueError(f"{number} is below zero")
    return number * number


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_in_a_worker_is_raised_here(jobs):
    assert sorted(done_by(square, range(40), jobs)) == [number * number for number in range(40)]
    with pytest.raises(ValueError, match="-3 is below zero"):
        list(done_by(square, [1, 2, -3], jobs))
