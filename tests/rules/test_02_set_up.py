"""RULES section 2: set-up."""

import pytest

from deadwood import Game, Options, Seat, SetupError, narrate
from deadwood.engine import rules
from deadwood.engine.chance import ScriptedDice
from deadwood.engine.events import DayStarted

from .positions import (
    NAMES,
    SETS,
    SHOTS,
    AskedDice,
    active,
    begin,
    events_at_random,
    face_down,
    place,
    play,
    player,
    purse,
    scene,
    shots,
)

COUNTS = range(2, 9)


def start(names, **options):
    return rules.start(names, Options(**{"layout": "standard", **options}), AskedDice(0))[0]


@pytest.mark.rule("R2.1")
@pytest.mark.parametrize("count", COUNTS)
def test_two_to_eight_can_play(count):
    assert begin(count).table.names == NAMES[:count]


@pytest.mark.rule("R2.1")
@pytest.mark.parametrize("count", [0, 1, 9, 10])
def test_any_other_number_is_refused_with_a_message_that_says_so(count):
    with pytest.raises(SetupError) as caught:
        start([f"Player {number}" for number in range(count)])
    assert caught.value.refusal.rule == "R2.1"
    assert "2 to 8 players" in narrate(caught.value)
    assert str(count) in narrate(caught.value)


@pytest.mark.rule("R2.1")
@pytest.mark.parametrize("twin", ["Ada", "ada", "ADA", "  Ada ", "\taDa"])
def test_names_are_unique_trimmed_and_without_case(twin):
    with pytest.raises(SetupError) as caught:
        start(["Ada", "Bo", twin])
    assert caught.value.refusal.rule == "R2.1"
    assert "different" in narrate(caught.value)
    assert twin.strip() in narrate(caught.value)


@pytest.mark.rule("R2.1")
def test_names_are_unique_however_their_accents_are_encoded():
    with pytest.raises(SetupError):
        start(["Zoe\u0301", "zo\u00e9"])


@pytest.mark.rule("R2.1")
@pytest.mark.parametrize("name", ["", " ", "\t  "])
def test_a_name_is_not_empty(name):
    with pytest.raises(SetupError) as caught:
        start(["Ada", name])
    assert caught.value.refusal.rule == "R2.1"
    assert "empty" in narrate(caught.value)


@pytest.mark.rule("R2.1")
def test_a_name_has_at_most_40_characters():
    assert start(["Ada", "B" * 40]).table.names[1] == "B" * 40
    with pytest.raises(SetupError) as caught:
        start(["Ada", "B" * 41])
    assert caught.value.refusal.rule == "R2.1"
    assert "40" in narrate(caught.value)
    assert "41" in narrate(caught.value)


@pytest.mark.rule("R2.1")
@pytest.mark.parametrize(
    "character",
    [
        *[";", ":", "\n", "\r", "\v", "\f", "\x85", "\u2028", "\u2029"],
        *["\0", "\t", "\x1b", "\x7f", "\x9b"],
        *["\u061c", "\u200e", "\u200f", "\u202a", "\u202b", "\u202c", "\u202d", "\u202e"],
        *["\u2066", "\u2067", "\u2068", "\u2069"],
    ],
    ids=lambda character: f"U+{ord(character):04X}",
)
def test_separators_line_breaks_control_and_bidi_characters_have_no_place_in_a_name(character):
    with pytest.raises(SetupError) as caught:
        start(["Ada", f"Bo{character}Bo"])
    sentence = narrate(caught.value)
    assert caught.value.refusal.rule == "R2.1"
    assert f"U+{ord(character):04X}" in sentence or f"character {character}" in sentence
    assert sentence.isprintable()


@pytest.mark.rule("R2.1")
def test_a_character_that_nfc_makes_a_separator_is_one():
    with pytest.raises(SetupError):
        start(["Ada", "Bo\N{GREEK QUESTION MARK}Bo"])


@pytest.mark.rule("R2.1")
@pytest.mark.parametrize("name", ["result", "Result", " RESULT "])
def test_nobody_is_called_result(name):
    with pytest.raises(SetupError) as caught:
        start(["Ada", name])
    assert caught.value.refusal.rule == "R2.1"
    assert name.strip() in narrate(caught.value)


@pytest.mark.rule("R2.1")
@pytest.mark.parametrize("name", ["Results", "O'Hara", "Anna Lena", "李", "María", "7"])
def test_other_names_are_fine(name):
    assert start(["Ada", name]).table.names[1] == name


@pytest.mark.rule("R2.1")
def test_names_are_stored_trimmed_and_as_nfc():
    assert start([" Ada ", "Zoe\u0301"]).table.names == ("Ada", "Zo\u00e9")


@pytest.mark.rule("R2.1")
@pytest.mark.parametrize("count", COUNTS)
def test_the_usual_colours_are_distinct(count):
    colours = [seat.colour for seat in Game.new(NAMES[:count], seed=1).seats]
    assert len(set(colours)) == count


@pytest.mark.rule("R2.1")
def test_two_seats_of_one_colour_are_refused():
    with pytest.raises(SetupError) as caught:
        Game.new(["Ada", "Bo"], seed=1, seats=[Seat("red"), Seat("red")])
    assert caught.value.refusal.rule == "R2.1"
    assert "red" in narrate(caught.value)


@pytest.mark.rule("R2.2")
@pytest.mark.parametrize(("count", "days"), [(2, 3), (3, 3), (4, 4), (5, 4), (6, 4), (7, 4), (8, 4)])
def test_two_or_three_play_three_days_and_more_play_four(count, days):
    assert begin(count).table.days == days


@pytest.mark.rule("R2.2")
@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("days", [1, 2, 3, 4])
def test_the_option_days_decides_whatever_the_number_of_players(count, days):
    assert begin(count, days=days).table.days == days


@pytest.mark.rule("R2.2")
@pytest.mark.parametrize(("count", "cards"), [(2, 30), (3, 30), (4, 40)])
def test_the_days_decide_how_many_cards_are_dealt(count, cards):
    events = events_at_random(begin(count), seed=1)
    assert 10 + sum(event.scenes for event in events if isinstance(event, DayStarted)) == cards


@pytest.mark.rule("R2.3")
@pytest.mark.parametrize(
    ("count", "rank", "credits"),
    [(2, 1, 0), (3, 1, 0), (4, 1, 0), (5, 1, 2), (6, 1, 4), (7, 2, 0), (8, 2, 0)],
)
def test_starting_ranks_and_credits_depend_on_the_number_of_players(count, rank, credits):
    state = begin(count)
    for name in NAMES[:count]:
        assert player(state, name).rank == rank
        assert purse(state, name) == (0, credits)
        assert player(state, name).chips == 0
        assert player(state, name).role is None


@pytest.mark.rule("R2.4")
@pytest.mark.parametrize("count", COUNTS)
def test_everybody_starts_in_the_trailers(count):
    state = begin(count)
    assert {place(state, name) for name in NAMES[:count]} == {"trailers"}


@pytest.mark.rule("R2.5")
def test_each_of_the_ten_sets_has_a_card_face_down_and_all_its_shots():
    state = begin()
    assert {area: scene(state, area) for area in SETS} == dict.fromkeys(SETS, "face down")
    assert face_down(state) == state.scenes_left == state.table.board.scenes_a_day == 10
    assert {area: shots(state, area) for area in SETS} == SHOTS
    assert sum(state.shots) == 22


@pytest.mark.rule("R2.6")
@pytest.mark.parametrize("count", COUNTS)
def test_the_first_player_is_drawn_among_all(count):
    for drawn in range(count):
        dice = AskedDice(drawn)
        state, _ = rules.start(NAMES[:count], Options(), dice)
        assert active(state) == NAMES[drawn]
        assert dice.asked == [("pick", count)]


@pytest.mark.rule("R2.6")
def test_the_table_may_choose_the_first_player_and_nothing_is_drawn():
    state, _ = rules.start(NAMES[:3], Options(first="Cy"), ScriptedDice(()))
    assert active(state) == "Cy"


@pytest.mark.rule("R2.6")
def test_play_goes_on_in_seat_order_from_the_first_player():
    state, order = begin(4, first="Cy"), []
    for _ in range(9):
        order.append(active(state))
        state = play(state, "end")
    assert order == ["Cy", "Di", "Ada", "Bo", "Cy", "Di", "Ada", "Bo", "Cy"]


@pytest.mark.rule("R2.7")
@pytest.mark.parametrize(("deck", "cards"), [("classic", 40), ("studio", 60)])
def test_the_deck_is_the_classic_or_the_studio_one(deck, cards):
    state = begin(deck=deck)
    assert len(state.table.cards) == len(state.unseen) == cards
