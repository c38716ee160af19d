"""The arena: fair seatings, and the same games in any process."""

from collections import Counter
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from deadwood.lab import arena
from deadwood.lab.arena import Contest, Deal, ladder_deals, open_deals, play_deal, play_deals
from deadwood.lab.playing import SplitDice


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


def test_the_same_results_whoever_plays():
    deals = open_deals(("random", "extra", "hopeful"), 3, 12, 1)

    def outcome(jobs):
        seen = []
        results = play_deals(Contest(seed=1), deals, jobs, progress=lambda *shown: seen.append(shown))
        assert seen[-1] == (12, 12)
        return [(one.deal, one.seats, one.places, one.scores, one.decisions) for one in results]

    assert outcome(1) == outcome(2)
