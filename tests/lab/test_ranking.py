"""Rankings and ladders, including as text (`lab.tables`)."""

import pytest
from msgspec.structs import replace

from deadwood.lab.arena import GameResult
from deadwood.lab.ranking import rank, rung
from deadwood.lab.tables import arena_text


def result(seats, places, *, deal=0, cut_off=False):
    won = tuple(0.0 if cut_off else (place == 1) / places.count(1) for place in places)
    return GameResult(deal, seats, places, won, (50,) * len(seats), cut_off, (10,) * len(seats), (0.01,) * len(seats))


def test_a_ranking():
    results = [result(("a", "b"), (1, 2), deal=deal) for deal in range(9)] + [result(("b", "a"), (1, 2), deal=9)]
    ranking = rank(results, 2)
    first, second = ranking.lines
    assert (first.bot, first.wins, first.games, first.fair_share) == ("a", 9.0, 10, 0.5)
    assert first.rating > second.rating
    assert first.milliseconds == pytest.approx(1)
    assert {(one.bot, one.other): one.ahead.share for one in ranking.meetings} == {("a", "b"): 0.9, ("b", "a"): 0.1}


def test_bots_that_sit_twice_and_share_places():
    ranking = rank([result(("a", "a", "b"), (1, 1, 3))])
    assert {one.bot: one.wins for one in ranking.lines} == {"a": 1.0, "b": 0.0}
    assert {(one.bot, one.other): (one.meetings, one.ahead.share) for one in ranking.meetings} == {
        ("a", "b"): (2, 1.0),
        ("b", "a"): (2, 0.0),
    }
    shared = rank([result(("a", "b"), (1, 1))])
    assert [one.ahead.share for one in shared.meetings] == [0.5, 0.5]


def test_deals_at_tables_of_different_sizes_have_nothing_in_common():
    """Each table size counts its deals from 0."""

    def mixed(first):
        pairs = [result(("a", "b"), (1 + deal % 2, 2 - deal % 2), deal=deal) for deal in range(12)]
        threes = [result(("a", "b", "b"), (1, 2, 3), deal=first + deal) for deal in range(12)]
        return rank(pairs + threes)

    same, other = mixed(0), mixed(12)
    assert [line.share for line in same.lines] == [line.share for line in other.lines]
    assert [one.ahead for one in same.meetings] == [one.ahead for one in other.meetings]


def test_games_cut_off_are_counted_and_rate_nobody():
    ranking = rank([result(("a", "b"), (1, 2), cut_off=True)], 2)
    assert ranking.cut_off == 1
    assert ranking.meetings == ()
    assert ranking.lines == ()
    assert "1 games, 1 cut off" in arena_text([ranking])


def test_a_rung():
    won = [result(("s", "w"), (1, 2)) for _ in range(8)] + [result(("s", "w"), (2, 1)) for _ in range(2)]
    step = rung("s", "w", won)
    assert step.share.share == 0.8
    assert step.luck == pytest.approx((45 + 10 + 1) / 1024)
    text = arena_text([step])
    assert "80.0%" in text
    assert "0.055" in text


def test_without_luck_only_what_can_be_told_is_printed():
    def printed(wins):
        played = [
            replace(result(("s", "w"), (1, 2) if won else (2, 1), deal=deal), luck=((0.1 * (deal % 3 - 1), 0.0),))
            for deal, won in enumerate(wins)
        ]
        line = arena_text([rung("s", "w", played)]).splitlines()[1]
        return line.partition(")")[2].rpartition(" ")[0].split()

    assert printed([True] * 19) == ["-", "-"]
    assert printed([True] * 20) == ["100.0%", "(83.9-100.0)", "-"]
    *share, worth = printed([True, True, False] * 10)
    assert share
    assert float(worth) > 0
