"""The options as data agree with what Options and a game accept."""

import msgspec
import pytest

from deadwood import Game, Options, SetupError
from deadwood.engine.board import built_in_board
from deadwood.engine.option_list import OneOf, Option, PlayerName, Spelled, WholeNumber, list_options
from deadwood.engine.options import PLAYERS, usual_days

NAMES = ["Ada", "Bo"]
OPTIONS = {option.name: option for option in list_options()}


def values(option):
    match option.allowed:
        case OneOf():
            return option.allowed.values
        case WholeNumber():
            return (None, *range(option.allowed.least, option.allowed.most + 1))
        case PlayerName():
            return (*option.allowed.values, *NAMES)
        case Spelled():
            return (*option.allowed.values, *option.allowed.examples)


def test_every_option_is_listed_with_its_clause_and_default():
    assert tuple(OPTIONS) == Options.__struct_fields__
    assert [option.clause for option in OPTIONS.values()] == [f"R12.{number}" for number in range(1, 8)]
    assert Options(**{option.name: option.default for option in OPTIONS.values()}) == Options()


@pytest.mark.parametrize("option", OPTIONS.values(), ids=OPTIONS)
def test_every_listed_value_can_be_played(option):
    for value in values(option):
        assert Game.new(NAMES, Options(**{option.name: value}), seed=1)


@pytest.mark.parametrize("option", OPTIONS.values(), ids=OPTIONS)
def test_the_default_is_among_the_values(option):
    assert option.default in values(option)


@pytest.mark.parametrize(("name", "value"), [("days", 0), ("days", 5), ("ties", "x"), ("deck", "x"), ("layout", "x")])
def test_other_values_are_refused(name, value):
    assert value not in values(OPTIONS[name])
    with pytest.raises(SetupError):
        Game.new(NAMES, Options(**{name: value}))


def test_the_usual_days_are_listed_by_the_number_of_players():
    assert OPTIONS["days"].allowed.usual == {players: usual_days(players) for players in PLAYERS}


def test_a_board_names_its_layouts():
    board = msgspec.structs.replace(built_in_board(), layouts={"standard": "GMCH", "tower": "G/M/C/H"})
    layout = list_options(board)[1]
    assert layout.allowed.values == ("standard", "tower", "random")


def test_options_go_through_json():
    encoded = msgspec.json.encode(list_options())
    assert msgspec.json.decode(encoded, type=tuple[Option, ...]) == list_options()
