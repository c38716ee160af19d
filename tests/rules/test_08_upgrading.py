"""RULES section 8: upgrading."""

import pytest

from deadwood.engine.events import Upgraded

from .positions import (
    AREAS,
    active,
    assert_refused,
    begin,
    event_of,
    legal,
    play,
    player,
    purse,
    put,
    put_card,
    turn_of,
)

PRICES = {
    "dollars": {2: 4, 3: 10, 4: 18, 5: 28, 6: 40},
    "credits": {2: 5, 3: 10, 4: 15, 5: 20, 6: 25},
}
ALL = [(rank, currency, price) for currency, prices in PRICES.items() for rank, price in prices.items()]


def in_the_office(**changes):
    return put(begin(), "Ada", "casting-office", **changes)


@pytest.mark.rule("R8.1")
@pytest.mark.parametrize("area", [area for area in AREAS if area != "casting-office"])
def test_only_in_the_casting_office(area):
    state = put(begin(), "Ada", area, dollars=99, credits=99)
    name = state.table.areas[player(state, "Ada").area].name
    assert legal(state, "upgrade") == []
    assert_refused(state, "upgrade 2 dollars", "R8.1", "Casting Office", name)


@pytest.mark.rule("R8.1")
def test_players_who_are_working_cannot_upgrade():
    state = put(put_card(begin(), "ranch", 17), "Ada", "ranch", "extra 1", dollars=99, credits=99)
    extra = state.table.areas[player(state, "Ada").area].extras[0]
    assert legal(state, "upgrade") == []
    assert_refused(state, "upgrade 2 dollars", "R8.1", extra.name)
    assert_refused(state, "upgrade 2 credits", "R8.1", extra.name)


@pytest.mark.rule("R8.1")
def test_only_in_ones_own_turn():
    state = turn_of(in_the_office(dollars=99), "Bo")
    assert_refused(state, "upgrade 2 dollars", "R8.1", "Trailers")


@pytest.mark.rule("R8.1")
def test_before_the_move_or_without_one():
    state = play(in_the_office(dollars=4), "upgrade 2 dollars")
    assert sorted(legal(state)) == ["end", "move ranch", "move secret-hideout", "move train-station"]
    assert player(play(state, "end"), "Ada").rank == 2
    assert player(play(state, "move ranch = card 17", "end"), "Ada").rank == 2


@pytest.mark.rule("R8.1")
def test_after_the_move():
    state = play(put(begin(), "Ada", "ranch", dollars=4), "move casting-office", "upgrade 2 dollars")
    assert player(state, "Ada").rank == 2
    assert active(state) == "Ada"


@pytest.mark.rule("R8.1")
def test_several_upgrades_in_one_turn_are_legal():
    state = play(in_the_office(dollars=32), "upgrade 2 dollars", "upgrade 3 dollars", "upgrade 4 dollars")
    assert player(state, "Ada").rank == 4
    assert purse(state, "Ada") == (0, 0)
    assert active(state) == "Ada"


@pytest.mark.rule("R8.2")
@pytest.mark.parametrize(("rank", "currency", "price"), ALL)
def test_the_price_depends_on_the_new_rank_alone(rank, currency, price):
    for old in range(1, rank):
        state = in_the_office(rank=old, dollars=50, credits=50)
        after = play(state, f"upgrade {rank} {currency}")
        assert player(after, "Ada").rank == rank
        dollars, credits = (price, 0) if currency == "dollars" else (0, price)
        assert purse(after, "Ada") == (50 - dollars, 50 - credits)
        assert event_of(state, f"upgrade {rank} {currency}", Upgraded) == Upgraded(
            "Ada", old, rank, price, currency, 50 - dollars, 50 - credits
        )


@pytest.mark.rule("R8.2")
def test_ranks_may_be_skipped_and_the_steps_between_are_not_paid():
    state = play(in_the_office(dollars=40), "upgrade 6 dollars")
    assert player(state, "Ada").rank == 6
    assert purse(state, "Ada") == (0, 0)


@pytest.mark.rule("R8.3")
@pytest.mark.parametrize(("dollars", "credits"), [(9, 9), (0, 9), (9, 0)])
def test_one_upgrade_is_not_paid_in_both_currencies(dollars, credits):
    state = in_the_office(rank=2, dollars=dollars, credits=credits)
    assert legal(state, "upgrade") == []
    assert_refused(state, "upgrade 3 dollars", "R8.4", "$10", f"${dollars}")
    assert_refused(state, "upgrade 3 credits", "R8.4", "10 credits", credits)


@pytest.mark.rule("R8.3")
def test_two_upgrades_in_a_turn_may_use_both_currencies():
    state = play(in_the_office(dollars=4, credits=10), "upgrade 2 dollars", "upgrade 3 credits")
    assert player(state, "Ada").rank == 3
    assert purse(state, "Ada") == (0, 0)


@pytest.mark.rule("R8.4")
@pytest.mark.parametrize(("rank", "currency", "price"), ALL)
def test_exactly_the_price_is_enough_and_one_less_is_not(rank, currency, price):
    text = f"upgrade {rank} {currency}"
    assert text in legal(in_the_office(**{currency: price}))
    short = in_the_office(**{currency: price - 1})
    tag = f"${price}" if currency == "dollars" else f"{price} credits"
    assert_refused(short, text, "R8.4", f"Rank {rank}", tag, price - 1)


@pytest.mark.rule("R8.4")
def test_the_affordable_higher_ranks_are_offered_and_no_others():
    state = in_the_office(rank=3, dollars=30, credits=16)
    assert legal(state, "upgrade") == ["upgrade 4 dollars", "upgrade 5 dollars", "upgrade 4 credits"]


@pytest.mark.rule("R8.4")
@pytest.mark.parametrize("currency", ["dollars", "credits"])
@pytest.mark.parametrize(("present", "rank"), [(2, 2), (4, 2), (6, 6), (6, 5), (3, 3)])
def test_the_new_rank_must_be_higher_than_the_present_one(currency, present, rank):
    state = in_the_office(rank=present, dollars=99, credits=99)
    assert_refused(state, f"upgrade {rank} {currency}", "R8.4", f"Rank {rank}", present, "higher")


@pytest.mark.rule("R8.4")
@pytest.mark.parametrize("currency", ["dollars", "credits"])
@pytest.mark.parametrize("rank", [7, 60])
def test_the_new_rank_is_at_most_six(currency, rank):
    state = in_the_office(dollars=999, credits=999)
    assert_refused(state, f"upgrade {rank} {currency}", "R8.4", f"Rank {rank}", 6)


@pytest.mark.rule("R8.4")
@pytest.mark.parametrize("rank", [0, 1])
def test_rank_one_and_less_are_never_an_upgrade(rank):
    state = in_the_office(dollars=999)
    assert_refused(state, f"upgrade {rank} dollars", "R8.4", rank)
