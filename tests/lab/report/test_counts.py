"""Distributions as counts of values."""

from statistics import stdev

import pytest

from deadwood.lab.report.counts import mean, quantile


def test_quantiles_and_means_of_counts():
    counts = [(1, 2), (5, 1), (9, 1)]
    assert [quantile(counts, share) for share in (0, 0.5, 0.51, 0.9, 1)] == [1, 1, 5, 9, 9]
    assert mean(counts).value == 4
    assert mean(counts).high == pytest.approx(4 + 3.182 * stdev([1, 1, 5, 9]) / 2, rel=0.01)
