"""The data files: our own texts, the game's numbers, a place to draw everything, and clear errors."""

from itertools import combinations
from pathlib import Path

import pytest
from msgspec.structs import replace

from deadwood import DataError, Deck, Game, Options, SetupError, load_board, load_deck, narrate
from deadwood.engine.board import built_in_board, kebab
from deadwood.engine.deck import built_in_deck
from deadwood.engine.geometry import SECTION_HEIGHT, SECTION_WIDTH
from deadwood.engine.loading import DATA, parse_toml

BOARD = built_in_board()
STUDIO = built_in_deck("studio")
SETS = [area for area in BOARD.areas if area.kind == "set"]


def roles():
    yield from (role for card in STUDIO.cards for role in card.roles)
    yield from (role for area in BOARD.areas for role in area.extras)


def test_no_two_texts_are_alike():
    for texts in (
        [card.title for card in STUDIO.cards],
        [card.description for card in STUDIO.cards],
        [card.scene for card in STUDIO.cards],
        [role.name for role in roles()],
        [role.line for role in roles()],
    ):
        folded = [str(text).casefold() for text in texts]
        assert len(set(folded)) == len(folded)


def test_texts_fit_the_table():
    for card in STUDIO.cards:
        assert len(card.title) <= 36
        assert len(card.description) <= 130
        assert card.description.endswith((".", "!", "?"))
    for role in roles():
        assert len(role.name) <= 26
        assert len(role.line) <= 80
        assert not set(role.name) & set(";:")


def test_the_studio_deck_is_the_classic_one_and_twenty_more():
    assert STUDIO.cards[:40] == built_in_deck("classic").cards
    assert [card.number for card in STUDIO.cards] == list(range(1, 61))


def test_built_in_data_is_loaded_once():
    assert built_in_deck("classic") is built_in_deck("classic")
    assert built_in_board() is built_in_board()


def boxes(area):
    """Everything that is drawn in an area, as left, top, right, bottom."""
    place = area.geometry
    for left, top, width, height in filter(None, (place.label, place.card, place.prices)):
        yield left, top, left + width, top + height
    for points, size in ((place.shots, 26), (place.extras, 44), (place.standing, 26)):
        for x, y in points:
            yield x - size / 2, y - size / 2, x + size / 2, y + size / 2


def inside(x, y, outline):
    """Whether a point lies in a polygon, by counting the edges to its right."""
    crossings = 0
    for (x1, y1), (x2, y2) in zip(outline, outline[1:] + outline[:1], strict=True):
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
            crossings += 1
    return crossings % 2 == 1


@pytest.mark.parametrize("area", BOARD.areas, ids=lambda area: area.id)
def test_everything_has_its_place_in_its_area(area):
    for left, top, right, bottom in boxes(area):
        for x, y in ((left, top), (right, top), (right, bottom), (left, bottom)):
            assert inside(x, y, area.geometry.outline)
    for one, other in combinations(boxes(area), 2):
        apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
        assert apart, (area.name, one, other)


def area_of(outline):
    return abs(
        sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in zip(outline, outline[1:] + outline[:1], strict=True)) / 2
    )


@pytest.mark.parametrize("section", BOARD.sections, ids=lambda section: section.initial)
def test_areas_fill_their_section_and_meet_at_their_doorways(section):
    outlines = {area.name: area.geometry.outline for area in section.areas}
    assert sum(map(area_of, outlines.values())) == SECTION_WIDTH * SECTION_HEIGHT
    near_x, far_x = BOARD.doorways.horizontal
    near_y, far_y = BOARD.doorways.vertical
    bottom, right = SECTION_HEIGHT - 1, SECTION_WIDTH - 1
    for corner, points in {
        "top_left": [(near_x, 1), (1, near_y)],
        "top_right": [(far_x, 1), (right, near_y)],
        "bottom_right": [(far_x, bottom), (right, far_y)],
        "bottom_left": [(near_x, bottom), (1, far_y)],
    }.items():
        for x, y in points:
            assert inside(x, y, outlines[getattr(section.corners, corner)])
    assert {frozenset(doorway.between) for doorway in section.doorways} == {
        frozenset(pair) for pair in combinations(outlines, 2)
    }
    for doorway in section.doorways:
        x, y = doorway.at
        sides = [(x - 2, y), (x + 2, y)] if doorway.wall == "vertical" else [(x, y - 2), (x, y + 2)]
        assert {name for side in sides for name in outlines if inside(*side, outlines[name])} == set(doorway.between)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Train Station", "train-station"),
        ("Doc's Surgery", "docs-surgery"),
        ("  Gallows   Hill_2 ", "gallows-hill-2"),
        ("Šaloon", "šaloon"),
        ("'", ""),
    ],
)
def test_ids_from_names(name, text):
    assert kebab(name) == text


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


CARD = """
[[cards]]
number = {number}
title = "{title}"
scene = 1
description = "Somebody falls off a roof."
budget = {budget}
roles = [{roles}]
"""


def card(number=1, title="Roof", budget=4, roles='{ rank = 2, name = "Faller", line = "Aah." }'):
    return CARD.format(number=number, title=title, budget=budget, roles=roles)


def role(rank, name):
    return f'{{ rank = {rank}, name = "{name}", line = "Aah." }}'


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (card(budget=7), "own.toml: card 1: budget: must be at most 6, not 7"),
        (card(budget=1), "own.toml: card 1: budget: must be at least 2, not 1"),
        (card(roles=role(7, "A")), "own.toml: card 1: role 'A': rank: must be at most 6, not 7"),
        (card(roles=role(0, "A")), "own.toml: card 1: role 'A': rank: must be at least 1, not 0"),
        (card(roles=""), "own.toml: card 1: roles: there must be at least 1"),
        (
            card(roles=", ".join(role(rank, rank) for rank in (1, 2, 3, 4))),
            "own.toml: card 1: roles: there may be at most 3",
        ),
        (card(roles=f"{role(3, 'A')}, {role(2, 'B')}"), "own.toml: card 1: roles must ascend .*rank 2 follows rank 3"),
        (
            card(roles=f"{role(2, 'A')}, {role(3, 'a')}"),
            "own.toml: role 1 of card 1 and role 2 of card 1: both have the name 'a'",
        ),
        (card() + card(title="Other", roles=role(1, "B")), "own.toml: card 1: card numbers must be unique"),
        (card() + card(number=2, roles=role(1, "B")), "own.toml: card 1 and card 2: both have the title 'Roof'"),
        (card() + "colour = 3", "own.toml: card 1: there is no field 'colour'"),
        ("[[cards", "own.toml: "),
        ("", "own.toml: the field 'cards' is missing"),
        (card(title="  "), "own.toml: card 1: title: must be one line with something in it"),
        (card(title="A\\nB"), "own.toml: card 1: title: must be one line"),
        (card(title="\\u001b[2J"), "own.toml: card 1: title: must be one line"),
        (card(number=1000), "own.toml: card 1000: number: must be at most 999"),
        ("cards = [3]", "own.toml: card number 1: must be a table, not 3"),
        ('extends = "clasic"\n' + card(), "own.toml: extends: there is no deck 'clasic' beside it"),
    ],
)
def test_a_deck_that_cannot_be_played(tmp_path, text, problem):
    with pytest.raises(DataError, match=problem):
        load_deck(write(tmp_path, "own.toml", 'name = "own"\n' + text))


def test_a_deck_that_extends_another(tmp_path):
    write(tmp_path, "base.toml", 'name = "base"\n' + card())
    path = write(tmp_path, "more.toml", 'name = "more"\nextends = "base.toml"\n' + card(2, "Wall", 3, role(1, "B")))
    assert [one.title for one in load_deck(path).cards] == ["Roof", "Wall"]


def test_a_deck_that_extends_a_built_in_one(tmp_path):
    path = write(tmp_path, "more.toml", 'name = "more"\nextends = "classic"\n' + card(41, "Wall", 3, role(1, "B")))
    assert [one.number for one in load_deck(path).cards] == list(range(1, 42))


def test_a_deck_cannot_extend_itself(tmp_path):
    write(tmp_path, "a.toml", 'name = "a"\nextends = "b.toml"\n' + card())
    path = write(tmp_path, "b.toml", 'name = "b"\nextends = "a.toml"\n' + card(2, "Wall", 3, role(1, "B")))
    with pytest.raises(DataError, match="the file extends itself"):
        load_deck(path)


def test_a_file_that_cannot_be_read(tmp_path):
    with pytest.raises(DataError, match=r"none.toml: cannot be read"):
        load_deck(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes(b'name = "\xe9"')
    with pytest.raises(DataError, match=r"latin.toml: cannot be read"):
        load_deck(tmp_path / "latin.toml")


def test_endless_nesting_is_refused():
    with pytest.raises(DataError, match=r"deep.toml: "):
        parse_toml("name = " + "[" * 100_000, dict, "deep.toml")


OWN_BOARD = (DATA / "board.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('bottom_left = "Train Station"', 'bottom_left = "Saloon"', "bottom_left doorways lead to 'Saloon'"),
        ('between = ["Train Station", "Jail"]', 'between = ["Moon", "Jail"]', "inner doorway leads to 'Moon'"),
        ('name = "Jail"', 'name = "Ranch"', "both have the id 'ranch'"),
        ('initial = "M"', 'initial = "G"', "both have the initial 'G'"),
        ('initial = "M"', 'initial = "Mm"', "initial"),
        ('name = "Vault Door"', 'name = "Union Scarecrow"', "both have the name 'Union Scarecrow'"),
        ('kind = "trailers"', 'kind = "casting office"', "one area of kind 'trailers', not 0"),
        ("dollars = [4, 10,", "dollars = [4, 4,", "prices.dollars: prices must rise"),
        ("credits = [5, 10,", "credits = [0, 10,", "prices.credits: prices must rise"),
        ('standard = "GM/CH"', 'usual = "GM/CH"', "layouts: one must be called 'standard'"),
        ('standard = "GM/CH"', 'standard = "GM/CH"\nrandom = "GMCH"', "layout 'random': names are lower case"),
        ('wall = "vertical"', 'wall = "slanted"', "wall"),
        ("at = [272, 40]", "at = [9999, 40]", r"the point \(9999, 40\) lies outside"),
        ('between = ["Train Station", "Jail"]', 'between = ["Jail", "Jail"]', "between 'Train Station' and 'Jail'"),
        ('name = "Hotel"\ninitial', 'name = "Main Street"\ninitial', "both have the name 'Main Street'"),
        ("horizontal = [100, 500]", "horizontal = [500, 100]", "the nearer doorway must come first"),
        ("vertical = [90, 360]", "vertical = [90, 350]", "add up to 450"),
        ("shots = 3", "shots = 0", "a set has 1 to 3 shots"),
        ("shots = 3", "shots = 4", "shots"),
        ("standing = [[82, 368], ", "standing = [", "geometry.standing has 7 places and needs 8"),
        ("shots = [[104, 267], ", "shots = [", "geometry.shots has 2 places and needs 3"),
        ("extras = [[86, 86], ", "extras = [", "geometry.extras has 3 places and needs 4"),
        ("card = [46, 128, 180, 120]", "", "a set needs geometry.card"),
        ("card = [46, 128, 180, 120]", "card = [46, 128, 1800, 120]", r"the point \(1846, 248\) lies outside"),
        ('name = "Jail"', 'name = "-"', "the name needs a letter or a digit"),
        (
            'kind = "trailers"',
            'kind = "trailers"\nextras = [{ rank = 1, name = "Cook", line = "Soup." }]',
            "only a set has extra roles",
        ),
    ],
)
def test_a_board_that_cannot_be_played(tmp_path, old, new, problem):
    assert old in OWN_BOARD
    text = OWN_BOARD.replace(old, new, 1)
    if new == 'name = "-"':
        text = text.replace('"Jail"', '"-"')
    with pytest.raises(DataError, match=rf"board.toml: .*{problem}"):
        load_board(write(tmp_path, "board.toml", text))


def test_a_board_and_a_deck_of_ones_own_are_values(tmp_path):
    board = load_board(write(tmp_path, "board.toml", OWN_BOARD.replace("dollars = [4,", "dollars = [3,")))
    cards = "".join(card(n, f"T{n}", 2, role(1, f"R{n}")) for n in range(1, 31))
    deck = load_deck(write(tmp_path, "deck.toml", 'name = "own"\n' + cards))
    own, usual = Game.new(["Ada", "Bo"], board=board, deck=deck, seed=1), Game.new(["Ada", "Bo"], seed=1)
    assert own.state.table.board.prices.dollars[0] == 3
    assert usual.state.table.board.prices.dollars[0] == 4
    assert len(own.state.unseen) == 30
    assert own.state.table.options.deck == f"custom:{deck.fingerprint}"


def test_a_deck_must_have_a_card_for_every_set_and_day(tmp_path):
    cards = "".join(card(n, f"T{n}", 2, role(1, f"R{n}")) for n in range(1, 30))
    deck = load_deck(write(tmp_path, "deck.toml", 'name = "own"\n' + cards))
    assert Game.new(["Ada", "Bo"], Options(days=2), deck=deck)
    with pytest.raises(SetupError) as caught:
        Game.new(["Ada", "Bo"], deck=deck)
    assert narrate(caught.value) == "A game of 3 days needs 30 cards, but the deck has 29."


def test_a_board_or_deck_made_by_hand_is_checked_too():
    first, *others = built_in_deck("classic").cards
    for wrong in (replace(first, budget=9), replace(first, number=2), replace(first, roles=first.roles[::-1])):
        with pytest.raises(DataError, match="mine: "):
            Game.new(["Ada", "Bo"], deck=Deck("mine", (wrong, *others)))
    with pytest.raises(DataError, match="prices must rise"):
        Game.new(["Ada", "Bo"], board=replace(BOARD, prices=replace(BOARD.prices, dollars=(5, 4, 3, 2, 1))))
    with pytest.raises(DataError, match="mine: "):
        Game.new(["Ada", "Bo"], deck=Deck("mine", (object(), *others)))


def test_fingerprints_are_of_what_the_rules_read(tmp_path):
    told_otherwise = OWN_BOARD.replace("Union Scarecrow", "Straw Man").replace("card = [46, 128,", "card = [46, 129,")
    assert load_board(write(tmp_path, "a.toml", told_otherwise)).fingerprint == BOARD.fingerprint
    dearer = OWN_BOARD.replace("dollars = [4,", "dollars = [5,")
    assert load_board(write(tmp_path, "b.toml", dearer)).fingerprint != BOARD.fingerprint
    assert STUDIO.fingerprint != built_in_deck("classic").fingerprint


def test_the_price_list_names_the_ranks():
    assert [(price.rank, price.dollars, price.credits) for price in built_in_board().price_list] == [
        (2, 4, 5),
        (3, 10, 10),
        (4, 18, 15),
        (5, 28, 20),
        (6, 40, 25),
    ]
