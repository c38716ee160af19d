"""What a role is worth, compared with other ways to work it out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadwood.bots.role_value import Work, acting, duration, rehearsing, worth
from deadwood.engine.odds import success_chance


@pytest.mark.parametrize("starring", [True, False])
@pytest.mark.parametrize("budget", range(2, 7))
@pytest.mark.parametrize("shots", [1, 2, 3])
def test_act_or_rehearse_is_solved_exactly(starring, budget, shots):
    """Compared with value iteration over all positions until it converges."""
    bonus, turn = 4.0, 1.1
    good, bad = (2, 0) if starring else (2, 1)
    places = [(left, chips) for left in range(1, shots + 1) for chips in range(budget)]
    values = dict.fromkeys(places, 0.0)
    for _ in range(2_000):
        for left, chips in places:
            chance = float(success_chance(budget, chips))
            after = values[left - 1, chips] if left > 1 else bonus
            act = chance * (good + after) + (1 - chance) * (bad + values[left, chips]) - turn
            more = values[left, chips + 1] - turn if chips + 1 < budget else float("-inf")
            values[left, chips] = max(act, more)
    for left, chips in places:
        work = Work(starring, budget, left, chips, bonus)
        assert worth(work, turn) == pytest.approx(values[left, chips])
        assert max(acting(work, turn), rehearsing(work, turn)) == worth(work, turn)


@given(st.booleans(), st.integers(2, 6), st.integers(1, 3), st.integers(0, 5), st.floats(0, 12), st.floats(0.5, 2))
def test_a_role_takes_as_long_as_its_worth_says(starring, budget, shots, chips, bonus, turn):
    """One more point a turn costs as many points as there are turns: the slope of the worth is the duration."""
    work = Work(starring, budget, shots, min(chips, budget - 1), bonus)
    step = 1e-7
    slope = (worth(work, turn) - worth(work, turn + step)) / step
    if duration(work, turn) == pytest.approx(duration(work, turn + step)):  # the policy did not change in between
        assert slope == pytest.approx(duration(work, turn), rel=1e-3)
