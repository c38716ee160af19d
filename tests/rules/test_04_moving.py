"""RULES section 4: moving."""

import pytest

from deadwood import Move
from deadwood.engine import rules
from deadwood.engine.chance import ScriptedDice, ScriptEnded
from deadwood.engine.events import CardTurned, Moved

from .positions import (
    AREAS,
    NAMES,
    AskedDice,
    assert_refused,
    begin,
    event_of,
    events_of,
    legal,
    place,
    play,
    player,
    put,
    put_card,
    scene,
    wrap_sets,
)

NEIGHBOURS = {
    "train-station": ["jail", "general-store", "casting-office"],
    "secret-hideout": ["church", "ranch", "casting-office"],
    "church": ["secret-hideout", "bank", "hotel"],
    "hotel": ["trailers", "bank", "church"],
    "main-street": ["trailers", "jail", "saloon"],
    "jail": ["main-street", "general-store", "train-station"],
    "general-store": ["ranch", "train-station", "jail", "saloon"],
    "ranch": ["casting-office", "general-store", "secret-hideout", "bank"],
    "bank": ["saloon", "church", "ranch", "hotel"],
    "saloon": ["main-street", "general-store", "bank", "trailers"],
    "trailers": ["main-street", "saloon", "hotel"],
    "casting-office": ["train-station", "ranch", "secret-hideout"],
}


@pytest.mark.rule("R4.1")
@pytest.mark.parametrize("area", AREAS)
def test_one_step_leads_into_the_adjoining_areas_and_no_others(area):
    state = put(begin(), "Ada", area)
    assert sorted(legal(state, "move")) == sorted(f"move {neighbour}" for neighbour in NEIGHBOURS[area])


@pytest.mark.rule("R4.1")
def test_a_move_changes_the_place_of_the_active_player_only():
    state = play(begin(), "move main-street = card 1")
    assert [place(state, name) for name in NAMES[:3]] == ["main-street", "trailers", "trailers"]
    assert event_of(begin(), "move main-street = card 1", Moved) == Moved(
        "Ada", "Trailers", "Main Street", "trailers", "main-street"
    )


@pytest.mark.rule("R4.1")
def test_nobody_moves_without_a_doorway():
    assert_refused(begin(), "move bank", "R4.1", "Trailers", "Bank", "Main Street", "Saloon", "Hotel")


@pytest.mark.rule("R4.1")
def test_staying_is_not_a_move():
    assert_refused(begin(), "move trailers", "R4.1", "Trailers", "already")


@pytest.mark.rule("R4.1")
def test_an_area_that_does_not_exist_is_refused_with_those_that_do():
    assert_refused(begin(), "move moon", "R4.1", "moon", *AREAS)


@pytest.mark.rule("R4.1")
@pytest.mark.parametrize("second", ["bank", "trailers", "saloon"])
def test_at_most_one_move_a_turn(second):
    state = play(begin(), "move saloon = card 17")
    assert legal(state, "move") == []
    assert_refused(state, f"move {second}", "R4.1", "Saloon", "one move")


@pytest.mark.rule("R4.1")
@pytest.mark.parametrize("role", ["star 1", "extra 1"])
def test_players_who_are_working_cannot_move(role):
    state = put(put_card(begin(), "saloon", 17), "Ada", "saloon", role, rank=2)
    assert legal(state, "move") == []
    name = state.table.role(player(state, "Ada").area, state.table.card_numbers[17], player(state, "Ada").role).name
    assert_refused(state, "move bank", "R4.1", name, "Saloon")


@pytest.mark.rule("R4.2")
def test_moving_into_a_set_turns_its_card():
    state = play(begin(), "move saloon = card 17")
    assert scene(state, "saloon") == 17
    turned = event_of(begin(), "move saloon = card 17", CardTurned)
    assert (turned.player, turned.area, turned.card, turned.budget) == ("Ada", "Saloon", 17, 5)


@pytest.mark.rule("R4.2")
def test_turning_the_card_is_not_optional():
    with pytest.raises(ScriptEnded):
        rules.apply(begin(), Move("saloon"), ScriptedDice(()))


@pytest.mark.rule("R4.2")
def test_only_the_card_of_that_set_is_turned():
    before, after = begin(), play(begin(), "move saloon = card 17")
    others = set(before.snapshot().sets) - {"saloon"}
    assert all(scene(after, area) == "face down" for area in others)


@pytest.mark.rule("R4.2")
def test_a_card_that_is_face_up_is_not_turned_again():
    state = put_card(begin(), "saloon", 17)
    assert events_of(state, "move saloon") == (Moved("Ada", "Trailers", "Saloon", "trailers", "saloon"),)
    assert scene(play(state, "move saloon"), "saloon") == 17


@pytest.mark.rule("R4.2")
@pytest.mark.parametrize(("origin", "target"), [("saloon", "trailers"), ("ranch", "casting-office")])
def test_moving_where_no_scene_is_shot_turns_no_card(origin, target):
    state, dice = put(begin(), "Ada", origin), AskedDice()
    after, _ = rules.apply(state, Move(target), dice)
    assert dice.asked == []
    assert after.unseen == state.unseen


@pytest.mark.rule("R4.3")
def test_any_number_of_players_may_stand_in_an_area():
    state = play(begin(8), "move saloon = card 17", "end", *["move saloon", "end"] * 7)
    assert {place(state, name) for name in NAMES} == {"saloon"}


@pytest.mark.rule("R4.3")
def test_a_set_whose_scene_has_wrapped_can_be_entered_but_has_no_roles_to_take():
    state = play(put(wrap_sets(begin(), "saloon"), "Ada", rank=6), "move saloon")
    assert place(state, "Ada") == "saloon"
    assert scene(state, "saloon") is None
    assert legal(state) == ["end"]
    assert player(play(state, "end"), "Ada").role is None
