"""Numbers in words, and what intervals allow us to say."""

from deadwood.lab.report.estimates import Estimate
from deadwood.lab.report.wording import compared_with_even, decimal, leader, listed, percent, with_margin


def test_numbers_have_as_many_digits_as_are_known():
    assert with_margin(Estimate(0.271, 0.265, 0.277), percent) == "27.1% ± 0.6"
    assert with_margin(Estimate(0.6, 0.45, 0.75), percent) == "60% ± 15"
    assert with_margin(Estimate(1.2784, 1.2743, 1.2825)) == "1.278 ± 0.004"
    assert with_margin(Estimate(0.0, 0.0, 0.02), percent) == "0.0% (0.0% to 2.0%)"
    assert with_margin(Estimate(-3.5, -3.6, -3.4)) == "−3.50 ± 0.10"
    assert with_margin(Estimate(4, 4, 4)) == "4.0 ± 0.0"
    assert (decimal(12.345), decimal(2.345), listed([]), listed(["a", "b", "c"])) == ("12.3", "2.35", "", "a, b and c")


def test_leaders_are_named_only_as_far_as_intervals_show():
    low, middle, high = ("a", Estimate(1, 0.9, 1.1)), ("b", Estimate(2, 1.5, 2.5)), ("c", Estimate(2.4, 2.1, 2.7))
    assert leader([low], "pays", "pays the most", " points") == "a pays 1.00 ± 0.10 points"
    assert leader([low, middle], "pays", "pays the most", "") == "b pays the most: 2.0 ± 0.5, more than a"
    assert leader([low, middle, high], "pays", "pays the most", "") == (
        "c is highest but cannot be distinguished from b: it pays 2.4 ± 0.3"
    )


def test_shares_are_called_more_or_less_only_as_far_as_intervals_show():
    more, less, even = (
        ("a", Estimate(0.6, 0.55, 0.65)),
        ("b", Estimate(0.4, 0.35, 0.45)),
        ("c", Estimate(0.5, 0.4, 0.6)),
    )
    assert compared_with_even([more, less, even], 0.5) == (
        "Compared with an even 50.0% of the games, a with 60% ± 5 wins more, and b with 40% ± 5 wins less."
    )
    assert (
        compared_with_even([less, even], 0.5) == "Compared with an even 50.0% of the games, b with 40% ± 5 wins less."
    )
    assert compared_with_even([even], 0.5) == (
        "Nobody differs significantly from an even 50.0% of the games; c is highest with 50% ± 10."
    )
