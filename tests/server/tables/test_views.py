"""What a player should know about an action before they choose it.

Holds `server.protocol.views`.
"""

import pytest

from deadwood.server.tables import views

from ...rules.positions import begin, put, put_card


def offers(state):
    return {offer.action: offer for offer in views.offers(state)}


def test_a_door_says_what_work_waits_behind_it():
    state = put(put_card(begin(), "hotel", 9), "Bo", "hotel", "extra 1")
    behind = offers(state)
    assert behind["move hotel"].roles == 2  # the first star of card 9, and the other extra for rank 1
    assert behind["move hotel"].chance == pytest.approx(4 / 6)
    assert (behind["move saloon"].roles, behind["move saloon"].chance) == (None, None)


def test_the_door_to_the_office_says_how_many_ranks_could_be_bought():
    state = put(begin(), "Ada", "ranch", dollars=10, credits=5)
    assert offers(state)["move casting-office"].upgrades == 3
    assert offers(state)["move bank"].upgrades is None


def test_a_rank_says_how_many_points_it_brings():
    state = put(begin(), "Ada", "casting-office", dollars=4, credits=10)
    bought = offers(state)
    assert {action: offer.points for action, offer in bought.items() if action.startswith("upgrade")} == {
        "upgrade 2 dollars": 1,
        "upgrade 2 credits": 0,
        "upgrade 3 credits": 0,
    }
