"""Who plays in which column."""

from itertools import pairwise

from deadwood.training.config import Settings
from deadwood.training.rollout import casting


def test_columns_add_up():
    for settings, rivals in ((Settings(), 0), (Settings(), 2), (Settings(pool_share=0, bots_share=0), 0)):
        found = casting(settings, rivals)
        assert found.columns == settings.columns
        ends = [(first, end) for _, first, end in found.groups()]
        assert all(one[1] == other[0] for one, other in pairwise(ends))
        assert not ends or (ends[0][0], ends[-1][1]) == (found.own, settings.columns)
