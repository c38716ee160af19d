"""The formats of files as JSON Schema."""

import tomllib

import jsonschema
import pytest

from deadwood.engine.board import built_in_board, format_board
from deadwood.engine.deck import BUILT_IN_DECKS, built_in_deck, format_deck
from deadwood.engine.loading import DATA
from deadwood.engine.schema import board_schema, deck_schema

from .data_files import BOARD, CLASSIC


def validator(schema):
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    return kind(schema)


@pytest.mark.parametrize("name", BUILT_IN_DECKS)
def test_decks_fit_their_schema(name):
    validator(deck_schema()).validate(tomllib.loads((DATA / f"{name}.toml").read_text("utf-8")))
    validator(deck_schema()).validate(tomllib.loads(format_deck(built_in_deck(name))))


def test_the_board_fits_its_schema():
    validator(board_schema()).validate(tomllib.loads(BOARD))
    validator(board_schema()).validate(tomllib.loads(format_board(built_in_board())))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("budget = 3", "budget = 9"),
        ("scene = 37", 'scene = "37"'),
        ("scene = 37", "scene = 37\nfilm = 3"),
        ("rank = 5", "rank = 7"),
        ('title = "High Noonish"', 'title = " "'),
        ('title = "High Noonish"', ""),
    ],
)
def test_a_broken_deck_does_not_fit_the_schema(old, new):
    assert not validator(deck_schema()).is_valid(tomllib.loads(CLASSIC.replace(old, new, 1)))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("dollars = [4, 10, 18, 28, 40]", "dollars = [4, 10, 18, 28]"),
        ('initial = "G"', 'initial = "g"'),
        ('kind = "trailers"', 'kind = "tents"'),
        ("shots = 3", "shots = 4"),
        ("label = [46, 31, 180, 26]", "label = [46, 31, 180]"),
    ],
)
def test_a_broken_board_does_not_fit_the_schema(old, new):
    assert not validator(board_schema()).is_valid(tomllib.loads(BOARD.replace(old, new, 1)))


def test_everything_in_the_schemas_is_described():
    for schema in (deck_schema(), board_schema()):
        assert schema["$schema"].startswith("https://json-schema.org/")
        for kind in schema["$defs"].values():
            assert kind["description"]
