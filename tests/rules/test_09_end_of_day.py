"""RULES section 9: the end of a day."""

import pytest

from deadwood import IllegalAction, narrate
from deadwood.engine import rules
from deadwood.engine.chance import ScriptedDice
from deadwood.engine.events import Acted, BonusPaid, DayEnded, DayStarted, GameEnded, SceneWrapped, TurnEnded
from deadwood.engine.notation import format_outcome

from .positions import (
    NAMES,
    SETS,
    SHOTS,
    active,
    all_actions,
    begin,
    event_of,
    events_of,
    face_down,
    keep_scenes,
    legal,
    on_day,
    place,
    play,
    player,
    purse,
    put,
    put_card,
    scene,
    shots,
    turn_of,
)

WRAP = "act = 6 / 6 5 4"


def evening(players=4, wrapper="Ada", day=1, **options):
    """One player is about to wrap the last scene but one, at the Hotel; the Bank's lies face down."""
    state = keep_scenes(put_card(begin(players, **options), "hotel", 9, shots=1), "hotel", "bank")
    return on_day(turn_of(put(state, wrapper, "hotel", "star 1"), wrapper), day)


def evening_with_work_at_the_bank():
    """The same, but the Bank's card is turned, and Bo and Cy work there."""
    state = put_card(evening(), "bank", 10)
    state = put(state, "Bo", "bank", "star 2", rank=2, chips=3)
    return put(state, "Cy", "bank", "extra 1", rank=2, chips=1)


@pytest.mark.rule("R9.1")
def test_the_last_scene_does_not_finish_and_pays_nothing():
    state = evening_with_work_at_the_bank()
    after, events = play(state, WRAP), events_of(state, WRAP)
    assert [event.area for event in events if isinstance(event, SceneWrapped)] == ["Hotel"]
    assert [event.player for event in events if isinstance(event, BonusPaid)] == ["Ada"]
    assert purse(after, "Bo") == purse(after, "Cy") == (0, 0)


@pytest.mark.rule("R9.1")
def test_its_players_leave_their_roles_and_all_chips_go():
    after = play(evening_with_work_at_the_bank(), WRAP)
    assert {player(after, name).role for name in NAMES[:4]} == {None}
    assert {player(after, name).chips for name in NAMES[:4]} == {0}


@pytest.mark.rule("R9.1")
def test_a_card_that_lay_face_up_is_named_and_does_not_come_back():
    state = evening_with_work_at_the_bank()
    ended = event_of(state, WRAP, DayEnded)
    assert ended.title == state.table.cards[9].title
    assert ended.area == "Bank"
    assert state.table.card_numbers[10] not in play(state, WRAP).unseen


@pytest.mark.rule("R9.1")
def test_a_card_that_lay_face_down_is_never_shown_or_logged():
    state = evening()
    after, events = play(state, WRAP), events_of(state, WRAP)
    ended = event_of(state, WRAP, DayEnded)
    assert (ended.day, ended.days, ended.area, ended.title) == (1, 4, "Bank", None)
    assert {one.scene for one in ended.sets} == {None}
    assert after.unseen == state.unseen
    assert format_outcome(events) == "6 / 6 5 4"
    narrated = " ".join(map(narrate, events))
    assert not any(card.title in narrated for card in state.table.cards if card.number != 9)


@pytest.mark.rule("R9.2")
def test_everyone_returns_to_the_trailers():
    state = put(evening_with_work_at_the_bank(), "Di", "train-station")
    after = play(state, WRAP)
    assert {place(after, name) for name in NAMES[:4]} == {"trailers"}


@pytest.mark.rule("R9.3")
@pytest.mark.parametrize(("players", "days"), [(2, 3), (3, 3), (4, 4), (8, 4)])
def test_after_the_last_day_the_game_is_over(players, days):
    assert not play(evening(players, day=days - 1), WRAP).over
    assert play(evening(players, day=days), WRAP).over


@pytest.mark.rule("R9.3")
def test_after_the_last_day_nothing_is_dealt_and_nobody_is_next():
    state = evening(2, day=3)
    after, events = play(state, WRAP), events_of(state, WRAP)
    assert {scene(after, area) for area in SETS} == {None}
    assert after.scenes_left == 0
    assert after.snapshot().active is None
    assert after.active not in range(2)
    assert not any(isinstance(event, DayStarted | TurnEnded) for event in events)
    assert {place(after, name) for name in NAMES[:2]} == {"trailers"}


@pytest.mark.rule("R9.3")
def test_after_the_last_day_no_action_is_legal():
    after = play(evening(2, day=3), WRAP)
    assert legal(after) == []
    for action in all_actions():
        problem = rules.refusal(after, action)
        assert problem.rule == "R9.3"
        assert "over" in narrate(problem)
        with pytest.raises(IllegalAction):
            rules.apply(after, action, ScriptedDice((1,)))


@pytest.mark.rule("R9.3")
def test_after_the_last_day_scoring_follows():
    events = events_of(evening(2, day=3), WRAP)
    assert [type(event) for event in events] == [Acted, SceneWrapped, BonusPaid, DayEnded, GameEnded]
    assert events[-1].winners == ("Ada",)


@pytest.mark.rule("R9.4")
def test_on_other_days_all_shots_are_put_back_and_ten_new_cards_lie_face_down():
    state = evening()
    after = play(state, WRAP)
    assert {area: shots(after, area) for area in SETS} == SHOTS
    assert face_down(after) == after.scenes_left == 10
    assert (state.day, after.day) == (1, 2)
    started = event_of(state, WRAP, DayStarted)
    assert (started.day, started.days, started.scenes, started.player) == (2, 4, 10, "Bo")
    assert {one.area_id: (one.scene, one.shots) for one in started.sets} == {
        area: ("face down", count) for area, count in SHOTS.items()
    }


@pytest.mark.rule("R9.4")
@pytest.mark.parametrize(("wrapper", "following"), [("Ada", "Bo"), ("Bo", "Cy"), ("Cy", "Di"), ("Di", "Ada")])
def test_play_goes_on_with_the_player_after_the_one_who_wrapped(wrapper, following):
    after = play(evening(wrapper=wrapper, first="Bo"), WRAP)
    assert active(after) == following
    assert sorted(legal(after)) == ["end", "move hotel", "move main-street", "move saloon"]


@pytest.mark.rule("R9.4")
def test_ranks_dollars_credits_and_the_layout_stay():
    state = evening(layout="second")
    state = put(put(state, "Bo", rank=4, dollars=7, credits=9), "Ada", dollars=20, credits=3)
    after = play(state, WRAP)
    assert (player(after, "Bo").rank, purse(after, "Bo")) == (4, (7, 9))
    assert purse(after, "Ada") == (20 + 4, 3 + 2)
    assert after.table.options.layout == "H'M/CG'"
    assert after.table.neighbours == state.table.neighbours
