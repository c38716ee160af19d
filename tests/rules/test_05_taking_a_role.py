"""RULES section 5: taking a role."""

import pytest

from deadwood.engine.events import RoleTaken

from .positions import (
    active,
    assert_refused,
    begin,
    event_of,
    keep_scenes,
    legal,
    place,
    play,
    player,
    put,
    put_card,
    turn_of,
    wrap_sets,
)

# Main Street has extra roles of ranks 1, 2, 2 and 4; card 6 has starring roles of ranks 2, 4 and 6.
OPEN_BY_RANK = {
    1: ["extra 1"],
    2: ["star 1", "extra 1", "extra 2", "extra 3"],
    3: ["star 1", "extra 1", "extra 2", "extra 3"],
    4: ["star 1", "star 2", "extra 1", "extra 2", "extra 3", "extra 4"],
    5: ["star 1", "star 2", "extra 1", "extra 2", "extra 3", "extra 4"],
    6: ["star 1", "star 2", "star 3", "extra 1", "extra 2", "extra 3", "extra 4"],
}
ROLES = OPEN_BY_RANK[6]
ROLE_RANKS = {"star 1": 2, "star 2": 4, "star 3": 6, "extra 1": 1, "extra 2": 2, "extra 3": 2, "extra 4": 4}


def on_main_street(rank=6, players=3):
    return put(put_card(begin(players), "main-street", 6), "Ada", "main-street", rank=rank)


@pytest.mark.rule("R5.1")
def test_the_roles_are_the_extras_of_the_set_and_the_stars_of_its_card():
    assert legal(on_main_street(), "take") == [f"take {role}" for role in ROLES]


@pytest.mark.rule("R5.1")
@pytest.mark.parametrize(
    ("area", "extras"),
    [
        ("train-station", [1, 1, 2, 4]),
        ("secret-hideout", [1, 2, 3, 4]),
        ("church", [1, 2]),
        ("hotel", [1, 1, 2, 3]),
        ("main-street", [1, 2, 2, 4]),
        ("jail", [2, 3]),
        ("general-store", [1, 3]),
        ("ranch", [1, 2, 3]),
        ("bank", [2, 3]),
        ("saloon", [1, 2]),
    ],
)
def test_every_set_has_its_extra_roles_counted_from_the_left(area, extras):
    state = put(put_card(begin(), area, 12), "Ada", area, rank=5)
    assert legal(state, "take") == [f"take extra {number}" for number in range(1, len(extras) + 1)]
    for number, rank in enumerate(extras, 1):
        assert event_of(state, f"take extra {number}", RoleTaken).rank == rank


@pytest.mark.rule("R5.1")
@pytest.mark.parametrize("role", ["star 4", "star 0", "extra 5", "extra 0"])
def test_a_role_that_is_not_there_is_refused(role):
    assert_refused(on_main_street(), f"take {role}", "R5.1", *role.split(), "Main Street")


@pytest.mark.rule("R5.1")
@pytest.mark.parametrize("area", ["trailers", "casting-office"])
def test_there_are_no_roles_where_no_scene_is_shot(area):
    state = put(begin(), "Ada", area, rank=6)
    assert legal(state, "take") == []
    assert_refused(state, "take extra 1", "R5.1", state.table.areas[player(state, "Ada").area].name)


@pytest.mark.rule("R5.1")
def test_the_roles_of_other_sets_are_out_of_reach():
    state = put(put_card(on_main_street(), "saloon", 12), "Ada", "saloon")
    assert legal(state, "take") == ["take star 1", "take extra 1", "take extra 2"]
    assert_refused(state, "take star 3", "R5.1", "Saloon")
    assert_refused(state, "take extra 4", "R5.1", "Saloon")


@pytest.mark.rule("R5.2")
@pytest.mark.parametrize("role", ["star 1", "extra 1", "extra 4"])
def test_when_the_scene_has_wrapped_the_extras_are_closed_too(role):
    state = wrap_sets(on_main_street(), "main-street")
    assert legal(state, "take") == []
    assert_refused(state, f"take {role}", "R5.2", "Main Street", "wrapped")


@pytest.mark.rule("R5.3")
@pytest.mark.parametrize("rank", OPEN_BY_RANK)
def test_a_role_may_be_as_high_as_the_player_or_lower(rank):
    state = on_main_street(rank)
    assert legal(state, "take") == [f"take {role}" for role in OPEN_BY_RANK[rank]]
    for role in set(ROLES) - set(OPEN_BY_RANK[rank]):
        assert_refused(state, f"take {role}", "R5.3", f"Rank {rank}", f"rank-{ROLE_RANKS[role]}")


@pytest.mark.rule("R5.3")
@pytest.mark.parametrize("role", ROLES)
def test_nobody_else_may_be_on_the_role(role):
    state = put(on_main_street(), "Bo", "main-street", role, rank=6)
    assert legal(state, "take") == [f"take {other}" for other in ROLES if other != role]
    assert_refused(state, f"take {role}", "R5.3", "Bo")


@pytest.mark.rule("R5.3")
def test_the_same_number_on_another_set_is_another_role():
    state = put(put_card(on_main_street(), "saloon", 12), "Bo", "saloon", "extra 1")
    assert "take extra 1" in legal(state)


@pytest.mark.rule("R5.4")
def test_it_needs_no_move():
    state = on_main_street()
    assert not state.moved
    taken = play(state, "take star 2")
    assert player(taken, "Ada").starring
    assert place(taken, "Ada") == "main-street"
    assert active(taken) == "Bo"


@pytest.mark.rule("R5.4")
def test_it_may_also_follow_a_move():
    state = play(begin(), "move main-street = card 6", "take extra 1")
    assert player(state, "Ada").role is not None


@pytest.mark.rule("R5.5")
@pytest.mark.parametrize("text", ["take star 1", "take extra 1", "take extra 2", "take extra 9"])
def test_once_on_a_role_the_player_takes_no_other(text):
    state = put(on_main_street(), "Ada", "main-street", "extra 1")
    name = state.table.board.sections[1].areas[0].extras[0].name
    assert_refused(state, text, "R5.5", name)


@pytest.mark.rule("R5.5")
def test_a_player_stays_on_the_role_until_the_scene_wraps():
    state = put(on_main_street(players=2), "Ada", "main-street", "extra 1")
    state = play(state, "act = 1", "end", "rehearse", "end", "act = 6", "end", "act = 6", "end")
    assert player(state, "Ada").role is not None
    state = play(state, "act = 6")
    assert player(state, "Ada").role is None


@pytest.mark.rule("R5.5")
def test_a_player_stays_on_the_role_until_the_day_ends():
    state = keep_scenes(put_card(on_main_street(players=2), "jail", 12, shots=1), "main-street", "jail")
    state = put(put(state, "Ada", "main-street", "extra 1"), "Bo", "jail", "extra 1", rank=2)
    assert player(play(state, "act = 1"), "Ada").role is not None
    assert player(play(turn_of(state, "Bo"), "act = 6"), "Ada").role is None
