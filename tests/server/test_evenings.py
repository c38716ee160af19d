"""Evenings with people who come and go: none gets stuck, all agree, all records verify. See `evenings.py`."""

from collections import Counter

import pytest

from .evenings import LATE, evening, spend
from .simulation import run

EVENINGS = 200
AT_ONCE = 50
# What has to happen in the evenings of every batch; the rest of the log is the game itself.
ABSENCES = {
    "stood_in",
    "returned",
    "left",
    "host_passed",
    "handed_over",
    "taken_over",
    "paused",
    "resumed",
    "called_off",
    "said",
}


@pytest.mark.parametrize("first", range(0, EVENINGS, AT_ONCE))
def test_nobody_can_block_a_table(first):
    kinds = sum((evening(seed) for seed in range(first, first + AT_ONCE)), Counter())
    assert set(kinds) >= ABSENCES


def test_nobody_can_block_a_table_on_several_servers():
    kinds = sum((evening(seed, servers=3) for seed in range(20)), Counter())
    assert {"stood_in", "host_passed", "paused", "called_off", "said"} <= set(kinds)


def test_long_evenings_end_by_play():
    assert sum(evening(seed, LATE)["called_off"] == 0 for seed in range(4)) >= 2


def test_the_same_seed_gives_the_same_evening():
    assert run(spend(7)) == run(spend(7))
