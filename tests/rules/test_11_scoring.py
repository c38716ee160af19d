"""RULES section 11: scoring."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deadwood import narrate
from deadwood.engine.events import GameEnded
from deadwood.engine.scoring import (
    CashedOut,
    cashed_out,
    money_points,
    rank_points,
    score_of,
    scores,
    standings,
    win_shares,
)

from .positions import NAMES, begin, event_of, keep_scenes, on_day, play, put, put_card

RANK_ONE = 5


def with_scores(scores, **options):
    """Everybody has rank 1 and dollars that make this score."""
    state = begin(len(scores), **options)
    for name, points in zip(NAMES, scores, strict=False):
        state = put(state, name, rank=1, dollars=points - RANK_ONE, credits=0)
    return state


def last_evening(state):
    """Ada is about to wrap the last scene but one of the last day, and to earn $1 and 1 credit."""
    state = keep_scenes(put_card(state, "hotel", 9, shots=1), "hotel", "bank")
    return on_day(put(state, "Ada", "hotel", "extra 1"), state.table.days)


def places(state):
    return [(line.place, line.name) for line in standings(state)]


@pytest.mark.rule("R11.1")
@pytest.mark.parametrize(
    ("dollars", "credits", "rank", "score"),
    [(35, 10, 6, 75), (0, 0, 1, 5), (7, 0, 1, 12), (0, 7, 1, 12), (1, 2, 3, 18), (0, 0, 6, 30)],
)
def test_dollars_and_credits_and_five_times_the_rank(dollars, credits, rank, score):
    state = put(begin(), "Ada", dollars=dollars, credits=credits, rank=rank)
    (line,) = (line for line in standings(state) if line.name == "Ada")
    assert line.score == scores(state)[0] == score
    assert scores(state)[1:] == (5, 5)
    assert score_of(dollars, credits, rank) == money_points(dollars, credits) + rank_points(rank) == score


@pytest.mark.rule("R11.1")
def test_the_final_table_cashes_out_a_dollar_a_credit_and_five_a_rank():
    line = standings(put(begin(), "Ada", dollars=35, credits=10, rank=6))[0]
    assert (line.dollars, line.credit_points, line.rank_points) == (35, 10, 30)
    assert line.dollars + line.credit_points + line.rank_points == line.score == 75
    assert cashed_out((line,)) == (CashedOut("Ada", dollars=35, credits=10, rank=30, total=75),)


@pytest.mark.rule("R11.2")
def test_the_highest_score_wins():
    state = last_evening(with_scores([10, 30, 20]))
    ended = event_of(state, "act = 6", GameEnded)
    assert ended.winners == ("Bo",)
    assert [line.score for line in ended.standings] == [30, 20, 12]


@pytest.mark.rule("R11.2")
@pytest.mark.parametrize(
    ("first", "order"),
    [("Ada", ["Di", "Cy", "Bo", "Ada"]), ("Bo", ["Ada", "Di", "Cy", "Bo"]), ("Di", ["Cy", "Bo", "Ada", "Di"])],
)
def test_by_default_the_later_of_equals_in_turn_order_is_ahead(first, order):
    state = with_scores([20, 20, 20, 20], first=first)
    assert places(state) == list(enumerate(order, 1))


@pytest.mark.rule("R11.2")
def test_the_later_of_equals_is_ahead_at_every_place():
    assert places(with_scores([9, 20, 9, 20, 7])) == [(1, "Di"), (2, "Bo"), (3, "Cy"), (4, "Ada"), (5, "Ed")]


@pytest.mark.rule("R11.2")
def test_with_shared_ties_equals_share_the_place_and_the_next_is_skipped():
    ranking = places(with_scores([20, 9, 20], ties="shared"))
    assert set(ranking) == {(1, "Ada"), (1, "Cy"), (3, "Bo")}
    ranking = places(with_scores([9, 20, 9, 9, 7], ties="shared"))
    assert set(ranking) == {(1, "Bo"), (2, "Ada"), (2, "Cy"), (2, "Di"), (5, "Ed")}


@pytest.mark.rule("R11.2")
@pytest.mark.parametrize(("ties", "winners"), [("later", {"Cy"}), ("shared", {"Ada", "Cy"})])
def test_all_firsts_win_together_only_when_ties_are_shared(ties, winners):
    state = last_evening(with_scores([18, 9, 20], ties=ties))
    ended = event_of(state, "act = 6", GameEnded)
    assert set(ended.winners) == winners
    assert all(name in narrate(ended).partition("!")[0] for name in winners)


@pytest.mark.rule("R11.2")
@pytest.mark.parametrize(("ties", "shares"), [("later", (0, 0, 1)), ("shared", (0.5, 0, 0.5))])
def test_those_who_win_together_have_equal_parts_of_the_win(ties, shares):
    state = last_evening(with_scores([18, 9, 20], ties=ties))
    assert win_shares(state) == (0, 0, 0)
    assert win_shares(play(state, "act = 6")) == shares


@pytest.mark.rule("R11.2")
@settings(max_examples=60, deadline=None)
@given(
    scores=st.lists(st.integers(5, 9), min_size=2, max_size=8),
    first=st.integers(0, 1),
    ties=st.sampled_from(["later", "shared"]),
)
def test_a_place_counts_those_who_are_ahead(scores, first, ties):
    count = len(scores)
    state = with_scores(scores, first=NAMES[first], ties=ties)
    turns = [(seat - first) % count for seat in range(count)]
    for line in standings(state):
        seat = NAMES.index(line.name)
        better = sum(other > scores[seat] for other in scores)
        later = sum(scores[other] == scores[seat] and turns[other] > turns[seat] for other in range(count))
        assert line.place == 1 + better + (later if ties == "later" else 0)


@pytest.mark.rule("R11.3")
@pytest.mark.parametrize("ties", ["later", "shared"])
def test_the_final_table_is_sorted_and_shows_every_place_with_dollars_credits_and_rank(ties):
    state = put(with_scores([10, 30, 20, 30], ties=ties), "Bo", dollars=5, credits=10, rank=3)
    ended = event_of(last_evening(state), "act = 6", GameEnded)
    assert [line.score for line in ended.standings] == [30, 30, 20, 12]
    assert sorted(line.name for line in ended.standings) == ["Ada", "Bo", "Cy", "Di"]
    lines = {line.name: (line.dollars, line.credits, line.rank) for line in ended.standings}
    assert lines == {"Ada": (6, 1, 1), "Bo": (5, 10, 3), "Cy": (15, 0, 1), "Di": (25, 0, 1)}


@pytest.mark.rule("R11.3")
def test_the_final_table_is_narrated_place_by_place():
    sentence = narrate(event_of(last_evening(with_scores([10, 30, 20])), "act = 6", GameEnded))
    assert (
        sentence.index("1. Bo with 30 points (") < sentence.index("2. Cy with 20 ") < sentence.index("3. Ada with 12 ")
    )
    assert sentence.count(", rank 1)") == 3
