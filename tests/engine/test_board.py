"""Boards: what is wrong with them, what makes two alike, and that their text says everything."""

import pytest
from hypothesis import given, settings

from deadwood import DataError
from deadwood.engine.board import built_in_board, format_board, kebab, load_board, parse_board
from deadwood.engine.deck import built_in_deck

from ..strategies import boards
from .data_files import BOARD, line_of, write


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
    assert old in BOARD
    text = BOARD.replace(old, new, 1)
    if new == 'name = "-"':
        text = text.replace('"Jail"', '"-"')
    with pytest.raises(DataError, match=rf"board.toml: .*{problem}"):
        load_board(write(tmp_path, "board.toml", text))


def test_fingerprints_are_of_what_the_rules_read(tmp_path):
    told_otherwise = BOARD.replace("Union Scarecrow", "Straw Man").replace("card = [46, 128,", "card = [46, 129,")
    assert load_board(write(tmp_path, "a.toml", told_otherwise)).fingerprint == built_in_board().fingerprint
    dearer = BOARD.replace("dollars = [4,", "dollars = [5,")
    assert load_board(write(tmp_path, "b.toml", dearer)).fingerprint != built_in_board().fingerprint
    assert built_in_deck("studio").fingerprint != built_in_deck("classic").fingerprint


def test_the_price_list_names_the_ranks():
    assert [(price.rank, price.dollars, price.credits) for price in built_in_board().price_list] == [
        (2, 4, 5),
        (3, 10, 10),
        (4, 18, 15),
        (5, 28, 20),
        (6, 40, 25),
    ]


@given(boards())
@settings(max_examples=10, deadline=None)
def test_a_board_survives_its_text(board):
    text = format_board(board)
    assert parse_board(text) == board
    assert "[\n    [" not in text  # points stay on one line


def test_the_built_in_board_survives_its_text():
    assert parse_board(format_board(built_in_board())) == built_in_board()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('initial = "M"', 'initial = "Mm"'),
        ("dollars = [4, 10,", "dollars = [4, 4,"),
        ("second = \"H'M/CG'\"", 'second = "HM/CX"'),
        ("second = \"H'M/CG'\"", 'second = "HM"'),
        ("vertical = [90, 360]", "vertical = [90, 350]"),
        ('between = ["Jail", "General Store"]', 'between = ["Moon", "General Store"]'),
        ("label = [366, 30, 160, 26]", "label = [366, 30, 1600, 26]"),
        ('name = "Deputy Without Keys"', 'name = "Ambitious Tunnel Digger"'),
        ("width = 56", "width = 0"),
    ],
)
def test_errors_of_a_board_name_the_line(old, new):
    text = BOARD.replace(old, new, 1)
    with pytest.raises(DataError) as caught:
        parse_board(text)
    assert caught.value.line == line_of(BOARD, old)
