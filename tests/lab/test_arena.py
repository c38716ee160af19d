"""The arena: fair seatings, ratings and shares, and a ladder."""

from collections import Counter
from fractions import Fraction
from itertools import permutations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadwood.lab import arena
from deadwood.lab.arena import Contest, Deal, Result, ladder_deals, open_deals, play_deal, play_deals
from deadwood.lab.playing import SplitDice
from deadwood.lab.ranking import rank, rung
from deadwood.lab.statistics import luck_alone, share_by_groups, share_of
from deadwood.lab.tables import arena_text


def result(seats, places, *, deal=0, cut_off=False):
    won = tuple(0.0 if cut_off else (place == 1) / places.count(1) for place in places)
    return Result(deal, seats, places, won, (50,) * len(seats), cut_off, (10,) * len(seats), (0.01,) * len(seats))


def test_every_deal_is_played_from_all_places():
    deal = Deal(0, ("a", "b", "c"))
    assert deal.seatings == (("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b"))
    assert Deal(0, ("a", "b", "a", "b")).seatings == (("a", "b", "a", "b"), ("b", "a", "b", "a"))


@given(st.integers(2, 8), st.integers(1, 300), st.integers(0, 99))
def test_open_deals_are_enough_and_even(players, games, seed):
    names = ("a", "b", "c", "d", "e")
    deals = open_deals(names, players, games, seed)
    assert [deal.number for deal in deals] == list(range(len(deals)))
    played = sum(len(deal.seatings) for deal in deals)
    assert games <= played < games + players
    for deal in deals:
        counts = Counter(deal.lineup)
        assert max(counts.values()) <= -(-players // len(names))


def test_a_ladder_seats_half_and_half_in_every_order():
    deals = ladder_deals("s", "w", 4, 12)
    seatings = Counter(seats for deal in deals for seats in deal.seatings)
    assert seatings == Counter(dict.fromkeys(permutations("ssww"), 2))
    assert [deal.seatings for deal in ladder_deals("s", "w", 2, 4)] == [(("s", "w"), ("w", "s"))] * 2


def test_all_seatings_of_a_deal_meet_the_same_cards_and_dice(monkeypatch):
    seeds = []

    class Seen(SplitDice):
        def __init__(self, seed):
            seeds.append(seed)
            super().__init__(seed)

    monkeypatch.setattr(arena, "SplitDice", Seen)
    played = play_deal(Contest(seed=3), Deal(4, ("regular", "hopeful", "extra")))
    assert [one.seats[0] for one in played] == ["regular", "hopeful", "extra"]
    assert len(seeds) == 3
    assert len(set(seeds)) == 1
    play_deal(Contest(seed=3), Deal(5, ("regular", "hopeful", "extra")))
    play_deal(Contest(seed=3), Deal(4, ("regular", "hopeful")))
    assert len(set(seeds)) == 3


def test_trials_that_hang_together_make_a_share_less_sure():
    """Ten games in each of 20 deals, all alike within a deal: worth 20 trials, not 200."""
    alike = share_by_groups([(10.0 * (deal % 2), 10.0) for deal in range(20)])
    alone = share_of(10, 20)
    assert alike.share == 0.5
    assert alike.high - alike.low == pytest.approx(alone.high - alone.low, rel=0.1)
    mixed = share_by_groups([(5.0 + deal % 2, 10.0) for deal in range(20)])
    assert mixed.high - mixed.low >= share_of(110, 200).high - share_of(110, 200).low - 1e-9


def test_the_same_results_whoever_plays():
    deals = open_deals(("random", "extra", "hopeful"), 3, 12, 1)

    def outcome(jobs):
        seen = []
        results = play_deals(Contest(seed=1), deals, jobs, progress=lambda *shown: seen.append(shown))
        assert seen[-1] == (12, 12)
        return [(one.deal, one.seats, one.places, one.scores, one.decisions) for one in results]

    assert outcome(1) == outcome(2)


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


@given(st.integers(1, 60).flatmap(lambda trials: st.tuples(st.integers(0, trials), st.just(trials))))
def test_shares_lie_in_their_intervals(case):
    successes, trials = case
    share = share_of(successes, trials)
    assert 0 <= share.low <= share.share <= share.high <= 1
    wider = share_of(successes * 4, trials * 4)
    assert wider.high - wider.low < share.high - share.low


@given(st.integers(1, 60).flatmap(lambda trials: st.tuples(st.integers(0, trials), st.just(trials))))
def test_luck_alone_is_the_binomial_tail(case):
    successes, trials = case
    below = sum(Fraction(comb(trials, count), 2**trials) for count in range(successes))
    assert luck_alone(successes, trials) == pytest.approx(float(1 - below))


def test_of_nothing_nothing_is_known():
    share = share_of(0, 0)
    assert (share.low, share.high) == (0.0, 1.0)
