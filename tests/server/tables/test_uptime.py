"""Only time while a server was running counts."""

import pytest

from deadwood.server.tables.uptime import Run, Uptime


def runs(*spans):
    return [Run(str(number), *span) for number, span in enumerate(spans)]


@pytest.mark.parametrize(
    ("since", "now", "seconds"),
    [
        (100, 130, 30),  # this run alone
        (50, 130, 30),  # no server ran between 40 and 100
        (35, 130, 35),
        (15, 130, 30 + 10 + 5),
        (0, 130, 30 + 10 + 10),
        (-50, 130, 30 + 10 + 10),
        (12, 18, 6),
        (25, 28, 0),
    ],
)
def test_downtime_does_not_count(since, now, seconds):
    uptime = Uptime(100, runs((30, 40), (10, 20)))
    assert uptime.seconds(since, now) == pytest.approx(seconds)


def test_servers_that_ran_side_by_side_count_once():
    uptime = Uptime(100, runs((10, 50), (20, 30), (40, 60), (60, 70)))
    assert uptime.seconds(0, 100) == 60


def test_another_server_that_still_runs_counts_once():
    assert Uptime(100, runs((50, 400))).seconds(0, 120) == 70


def test_a_server_without_a_past():
    assert Uptime(100).seconds(90, 120) == 20
    assert Uptime(100, runs((40, 40))).seconds(0, 100) == 0


def test_a_machine_that_slept():
    uptime = Uptime(100)
    uptime.skip(150, 900)
    assert uptime.seconds(120, 910) == 40
    assert uptime.seconds(400, 910) == 10


def test_a_clock_that_was_set_back_counts_for_the_players():
    uptime = Uptime(100, runs((0, 50)))
    uptime.skip(200, 120)
    assert uptime.seconds(110, 125) == 15
    assert uptime.seconds(150, 125) == 0
    uptime.skip(125, 20)
    assert uptime.seconds(0, 30) == 30
    uptime.skip(35, -10)
    assert uptime.seconds(-20, -5) == 5


def test_runs_in_the_future_do_not_count():
    assert Uptime(100, runs((200, 300))).seconds(0, 110) == 10
