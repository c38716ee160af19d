"""The tables of a run."""

from deadwood.training.tables import standard_layout


def test_the_standard_layout_is_one_of_the_random_ones():
    assert 0 <= standard_layout() < 384
