"""RULES section 10: board and deck."""

import re
from collections import Counter
from itertools import combinations, permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deadwood import Move, Options, SetupError
from deadwood.engine import rules
from deadwood.engine.chance import FastDice, ScriptedDice
from deadwood.engine.deck import built_in_deck
from deadwood.engine.events import CardTurned, DayStarted

from .positions import (
    NAMES,
    SETS,
    AskedDice,
    assert_says,
    begin,
    events_at_random,
    face_down,
    keep_scenes,
    play,
    played_at_random,
    put,
    put_card,
    scene,
)

SECTIONS = {
    "G": ("train-station", "jail", "general-store"),
    "M": ("main-street", "saloon", "trailers"),
    "C": ("secret-hideout", "ranch", "casting-office"),
    "H": ("church", "hotel", "bank"),
}
INNER = {frozenset(pair) for areas in SECTIONS.values() for pair in combinations(areas, 2)}
CORNERS = {  # top left, top right, bottom right, bottom left
    "G": ("train-station", "jail", "general-store", "train-station"),
    "M": ("main-street", "main-street", "trailers", "saloon"),
    "C": ("casting-office", "ranch", "secret-hideout", "secret-hideout"),
    "H": ("bank", "hotel", "hotel", "church"),
}
STANDARD_OUTER = """
    jail main-street, general-store saloon, ranch bank, secret-hideout church,
    train-station casting-office, general-store ranch, saloon bank, trailers hotel
"""
OTHER_SHAPES = {
    "GMCH": """
        jail main-street, general-store saloon, main-street casting-office, trailers secret-hideout,
        ranch bank, secret-hideout church
    """,
    "G/M/C/H": """
        train-station main-street, general-store main-street, saloon casting-office, trailers ranch,
        secret-hideout bank, secret-hideout hotel
    """,
    "G./M./CH'": """
        train-station main-street, general-store main-street, saloon casting-office, trailers ranch,
        ranch hotel, secret-hideout hotel
    """,
    "GMC/.H.": """
        jail main-street, general-store saloon, main-street casting-office, trailers secret-hideout,
        saloon bank, trailers hotel
    """,
    "GM./.CH": """
        jail main-street, general-store saloon, saloon casting-office, trailers ranch,
        ranch bank, secret-hideout church
    """,
}
CLASSIC = {
    1: (4, 2, 3, 4),
    2: (3, 1, 2, 5),
    3: (5, 5, 6),
    4: (5, 3, 4, 6),
    5: (4, 2, 3, 5),
    6: (6, 2, 4, 6),
    7: (4, 4, 6),
    8: (4, 2, 4, 5),
    9: (3, 1, 3, 5),
    10: (4, 1, 2, 4),
    11: (4, 1, 4, 5),
    12: (2, 6),
    13: (3, 3, 6),
    14: (2, 3, 4),
    15: (2, 2, 4),
    16: (5, 2, 4, 5),
    17: (5, 2, 3, 4),
    18: (3, 1, 3, 4),
    19: (3, 4, 6),
    20: (5, 3, 5, 6),
    21: (6, 4, 5, 6),
    22: (5, 2, 4, 5),
    23: (6, 5, 6),
    24: (2, 3, 5),
    25: (5, 1, 4, 6),
    26: (6, 1, 2, 5),
    27: (5, 1, 3, 5),
    28: (4, 2, 3, 4),
    29: (5, 2, 3, 5),
    30: (4, 2, 3, 4),
    31: (4, 5, 6),
    32: (6, 1, 3, 5),
    33: (6, 3, 5, 6),
    34: (4, 2, 4, 5),
    35: (5, 3, 4, 5),
    36: (4, 1, 2, 5),
    37: (5, 2, 4, 5),
    38: (4, 4, 5, 6),
    39: (3, 2, 6),
    40: (5, 2, 4, 6),
}  # number: budget, ranks of the roles


def pairs(text):
    return {frozenset(pair.split()) for pair in text.split(",")}


def graph(layout):
    """The neighbour pairs of a layout."""
    table = begin(2, layout=layout).table
    ids = [area.id for area in table.areas]
    return {frozenset((ids[one], ids[other])) for one in range(12) for other in table.neighbours[one]}


def squares():
    """All placements of the sections in a square, each turned or not."""
    for a, b, c, d in permutations("GMCH"):
        for e, f, g, h in product(("", "'"), repeat=4):
            yield f"{a}{e}{b}{f}/{c}{g}{d}{h}"


def half_turn(square):
    """The same placement, seen from the other side of the table."""
    turned = [mark[0] if mark.endswith("'") else f"{mark}'" for mark in re.findall("[GMCH]'?", square)]
    fourth, third, second, first = turned
    return f"{first}{second}/{third}{fourth}"


def corners_of(section, turned):
    top_left, top_right, bottom_right, bottom_left = CORNERS[section]
    return (bottom_right, bottom_left, top_left, top_right) if turned else CORNERS[section]


@pytest.mark.rule("R10.1")
@pytest.mark.parametrize("layout", ["standard", "second", "GMCH", "G/M/C/H", "G'M'/C'H'"])
def test_the_three_areas_of_a_section_are_joined_to_each_other(layout):
    assert graph(layout) >= INNER


@pytest.mark.rule("R10.1")
@pytest.mark.parametrize(("left", "right"), list(permutations("GMCH", 2)))
@pytest.mark.parametrize(("left_turned", "right_turned"), list(product((False, True), repeat=2)))
def test_side_by_side_the_two_corners_of_the_shared_side_connect(left, right, left_turned, right_turned):
    row = f"{left}{chr(39) * left_turned}{right}{chr(39) * right_turned}"
    others = [section for section in "GMCH" if section not in (left, right)]
    one, other = corners_of(left, left_turned), corners_of(right, right_turned)
    expected = {frozenset((one[1], other[0])), frozenset((one[2], other[3]))}
    both = {*SECTIONS[left], *SECTIONS[right]}
    found = {pair for pair in graph(f"{row}{''.join(others)}") if pair <= both} - INNER
    assert found == expected


@pytest.mark.rule("R10.1")
@pytest.mark.parametrize(("upper", "lower"), list(permutations("GMCH", 2)))
@pytest.mark.parametrize(("upper_turned", "lower_turned"), list(product((False, True), repeat=2)))
def test_one_above_the_other_the_two_corners_of_the_shared_side_connect(upper, lower, upper_turned, lower_turned):
    column = f"{upper}{chr(39) * upper_turned}/{lower}{chr(39) * lower_turned}"
    others = [section for section in "GMCH" if section not in (upper, lower)]
    one, other = corners_of(upper, upper_turned), corners_of(lower, lower_turned)
    expected = {frozenset((one[3], other[0])), frozenset((one[2], other[1]))}
    both = {*SECTIONS[upper], *SECTIONS[lower]}
    found = {pair for pair in graph("/".join((column, *others))) if pair <= both} - INNER
    assert found == expected


@pytest.mark.rule("R10.1")
def test_both_connections_may_join_the_same_two_areas():
    assert {pair for pair in graph("HGMC") if pair & {"church", "hotel", "bank"}} - INNER == pairs(
        "hotel train-station"
    )
    assert len(graph("HG/MC")) == 19


@pytest.mark.rule("R10.2")
def test_the_standard_layout_has_20_neighbour_pairs():
    assert graph("standard") == graph("GM/CH") == INNER | pairs(STANDARD_OUTER)
    assert len(graph("standard")) == 20
    assert begin(layout="standard").table.options.layout == "GM/CH"


@pytest.mark.rule("R10.2")
def test_the_second_layout_of_the_rulebook():
    outer = """
        church main-street, bank saloon, ranch general-store, secret-hideout jail,
        hotel casting-office, bank ranch, saloon general-store, trailers train-station
    """
    assert graph("second") == graph("H'M/CG'") == INNER | pairs(outer)
    assert begin(layout="second").table.options.layout == "H'M/CG'"


@pytest.mark.rule("R10.3")
def test_the_384_squares_make_192_distinct_graphs_of_19_or_20_pairs():
    graphs = [frozenset(graph(square)) for square in squares()]
    assert len(graphs) == 384
    assert len(set(graphs)) == 192
    assert {len(found) for found in graphs} == {19, 20}


@pytest.mark.rule("R10.3")
@pytest.mark.parametrize("square", ["GM/CH", "H'M/CG'", "G'M/C'H"])
def test_a_square_seen_from_the_other_side_is_the_same_board(square):
    assert half_turn(half_turn(square)) == square
    assert graph(half_turn(square)) == graph(square)


@pytest.mark.rule("R10.3")
@pytest.mark.parametrize(("layout", "outer"), OTHER_SHAPES.items())
def test_other_shapes_join_where_their_sections_touch(layout, outer):
    assert graph(layout) == INNER | pairs(outer)
    assert len(graph(layout)) == 18


@pytest.mark.rule("R10.3")
def test_a_layout_is_legal_when_its_cells_hang_together_by_their_sides():
    shapes = Counter()
    for cells in combinations(product(range(4), repeat=2), 4):
        marks = dict(zip(cells, "GMCH", strict=True))
        layout = "/".join("".join(marks.get((row, column), ".") for column in range(4)) for row in range(4))
        shared_sides = sum(abs(a - c) + abs(b - d) == 1 for (a, b), (c, d) in combinations(cells, 2))
        assert is_legal(layout) == (shared_sides >= 3)
        shapes[shared_sides] += 1
    assert shapes[4] == 9  # the places of a square in a grid of four by four
    assert shapes[3] == 8 + 48 + 24 + 24  # rows and columns, Ls, Ts, zigzags


def is_legal(layout):
    try:
        begin(2, layout=layout)
    except SetupError:
        return False
    return True


@pytest.mark.rule("R10.3")
@pytest.mark.parametrize(
    "layout", ["GM/C", "GM/CHG", "GM/CC", "G.M/C.H", "G./.MCH", "GM/CX", "", "''", "'GM/CH", "GM//CH"]
)
def test_invalid_layouts_are_refused(layout):
    with pytest.raises(SetupError) as caught:
        begin(2, layout=layout)
    assert_says(caught.value, "R10.3", layout)


@pytest.mark.rule("R10.3")
def test_random_is_one_of_the_384_squares_all_equally_likely():
    drawn = set()
    for number in range(384):
        dice = AskedDice(number)
        state, _ = rules.start(NAMES[:2], Options(first="Ada", layout="random"), dice)
        assert dice.asked == [("pick", 384)]
        drawn.add(state.table.options.layout)
    assert drawn == set(squares())


@pytest.mark.rule("R10.4")
def test_the_classic_deck_is_the_40_cards():
    cards = built_in_deck("classic").cards
    assert {card.number: (card.budget, *(role.rank for role in card.roles)) for card in cards} == CLASSIC
    assert Counter(card.budget for card in cards) == {2: 4, 3: 6, 4: 12, 5: 12, 6: 6}
    assert sum(len(card.roles) for card in cards) == 108
    assert len(cards) == 4 * len(SETS)


@pytest.mark.rule("R10.4")
def test_the_studio_deck_is_those_40_and_20_more():
    classic, studio = built_in_deck("classic").cards, built_in_deck("studio").cards
    assert studio[:40] == classic
    assert [card.number for card in studio] == list(range(1, 61))


@pytest.mark.rule("R10.4")
@pytest.mark.parametrize("card", built_in_deck("studio").cards, ids=lambda card: card.number)
def test_every_card_has_a_budget_of_2_to_6_and_1_to_3_roles_of_ascending_ranks(card):
    ranks = [role.rank for role in card.roles]
    assert 2 <= card.budget <= 6
    assert 1 <= len(ranks) <= 3
    assert ranks == sorted(set(ranks))
    assert all(1 <= rank <= 6 for rank in ranks)


@pytest.mark.rule("R10.4")
@pytest.mark.parametrize("days", [1, 2, 3, 4])
def test_only_as_many_studio_cards_as_the_days_need_are_dealt(days):
    events = list(events_at_random(begin(8, deck="studio", days=days), seed=3))
    dealt = 10 + sum(event.scenes for event in events if isinstance(event, DayStarted))
    assert dealt == 10 * days
    assert sum(isinstance(event, CardTurned) for event in events) <= dealt


@pytest.mark.rule("R10.5")
@pytest.mark.parametrize("deck", ["classic", "studio"])
@pytest.mark.parametrize("seed", range(3))
def test_no_card_is_turned_twice_within_a_game(deck, seed):
    events = events_at_random(begin(8, deck=deck), seed)
    turned = [event.card for event in events if isinstance(event, CardTurned)]
    assert len(set(turned)) == len(turned)
    assert len(turned) > 20


@pytest.mark.rule("R10.5")
def test_a_turned_card_is_no_candidate_any_more_wherever_it_went():
    state = play(begin(2), "move saloon = card 2", "take star 1", "end", "act = 6", "end", "act = 6 / 3 2 1")
    assert scene(state, "saloon") is None
    assert state.table.card_numbers[2] not in state.unseen


@pytest.mark.rule("R10.5", "R10.6")
def test_an_unturned_card_that_was_discarded_remains_a_candidate():
    state = keep_scenes(put_card(begin(2), "hotel", 9, shots=1), "hotel", "bank")
    state = play(put(state, "Ada", "hotel", "star 1"), "act = 6 / 3 2 1")
    dice = AskedDice(0)
    rules.apply(state, Move("saloon"), dice)
    assert dice.asked == [("pick", 39)]


@pytest.mark.rule("R10.6")
def test_the_state_holds_no_order_of_the_deck():
    one, _ = rules.start(NAMES[:3], Options(first="Ada"), FastDice(1))
    other, _ = rules.start(NAMES[:3], Options(first="Ada"), FastDice(2))
    assert one == other
    assert one.unseen == tuple(range(40))


@pytest.mark.rule("R10.6")
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_the_candidates_are_a_set_and_every_face_down_card_could_be_any_of_them(seed):
    for state in played_at_random(begin(8), seed, 300):
        assert list(state.unseen) == sorted(set(state.unseen))
        assert len(state.unseen) >= face_down(state)


@pytest.mark.rule("R10.6")
def test_the_card_is_drawn_when_it_is_turned_among_all_never_turned():
    dice = AskedDice(39, 0, 37)
    state, _ = rules.apply(begin(), Move("saloon"), dice)
    state, _ = rules.apply(play(state, "end"), Move("hotel"), dice)
    state, _ = rules.apply(play(state, "end"), Move("main-street"), dice)
    assert dice.asked == [("pick", 40), ("pick", 39), ("pick", 38)]
    assert [scene(state, area) for area in ("saloon", "hotel", "main-street")] == [40, 1, 39]


@pytest.mark.rule("R10.6")
def test_every_candidate_is_drawn_by_one_result():
    state = put_card(put_card(begin(), "hotel", 5), "bank", 30)
    drawn = [scene(rules.apply(state, Move("saloon"), ScriptedDice([pick]))[0], "saloon") for pick in range(38)]
    assert sorted(drawn) == [number for number in range(1, 41) if number not in (5, 30)]


@pytest.mark.rule("R10.6")
def test_face_down_cards_are_all_alike():
    state = begin()
    assert len({state.scenes[state.table.area_numbers[area]] for area in SETS}) == 1
