import pytest
from hypothesis import given
from msgspec.structs import replace

from deadwood import DataError, Game, SetupError
from deadwood.engine.board import built_in_board
from deadwood.engine.layout import RANDOM_PLACEMENTS, distances, neighbours, parse_layout, random_layout, stored_layout

from ..strategies import layouts

BOARD = built_in_board()


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        ("standard", "GM/CH"),
        (" Second ", "H'M/CG'"),
        ("gm/ch", "GM/CH"),
        ("G\N{RIGHT SINGLE QUOTATION MARK}MCH", "G'MCH"),
        ("G/M/CH'", "G./M./CH'"),
        ("..GM/..CH", "GM/CH"),
        ("/.GM/.CH/", "GM/CH"),
        (".G./MCH", ".G./MCH"),
    ],
)
def test_spellings(text, spelled):
    assert parse_layout(text, BOARD).text == spelled


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "layout_missing"),
        ("GMC", "layout_missing"),
        ("GM/CHG", "layout_twice"),
        ("GM/CX", "layout_unknown_sign"),
        ("G.M/.C./H..", "layout_apart"),
        ("'GM/CH", "layout_stray_mark"),
        ("G''M/CH", "layout_stray_mark"),
        (".'GM/CH", "layout_stray_mark"),
        ("round", "layout_unknown_sign"),
    ],
)
def test_invalid_layouts_are_refused(text, key):
    with pytest.raises(SetupError) as caught:
        parse_layout(text, BOARD)
    assert caught.value.refusal.key == key


@given(layouts)
def test_every_layout_reads_back_and_is_one_place(text):
    layout = parse_layout(text, BOARD)
    assert parse_layout(layout.text, BOARD) == layout
    joined = neighbours(layout, BOARD)
    assert all(area in joined[other] for area, others in enumerate(joined) for other in others)
    assert all(area not in joined[area] for area in range(12))
    far = distances(joined)
    assert all(far[a][b] == far[b][a] <= 11 for a in range(12) for b in range(12))
    assert all((far[a][b] == 1) == (b in joined[a]) for a in range(12) for b in range(12))


def test_random_layouts_are_all_different_squares():
    spelled = {random_layout(number, BOARD).text for number in range(RANDOM_PLACEMENTS)}
    assert len(spelled) == RANDOM_PLACEMENTS == 384
    assert random_layout(0, BOARD).text == "GM/CH"
    assert random_layout(1, BOARD).text == "G'M/CH"
    assert random_layout(16, BOARD).text == "GM/HC"
    assert random_layout(383, BOARD).text == "H'C'/M'G'"


def test_distances_of_the_standard_layout():
    joined = neighbours(parse_layout("standard", BOARD), BOARD)
    number = {area.id: index for index, area in enumerate(BOARD.areas)}
    far = distances(joined)
    assert far[number["trailers"]][number["casting-office"]] == 4
    assert far[number["trailers"]][number["trailers"]] == 0
    assert far[number["train-station"]][number["hotel"]] == 4


def test_the_name_of_a_layout_may_not_spell_one():
    board = replace(BOARD, layouts={"standard": "GM/CH", "gm/ch": "H'M/CG'"})
    with pytest.raises(DataError, match=r"layout 'gm/ch': the name spells a layout itself; choose another name"):
        Game.new(["Ada", "Bo"], board=board)


def test_a_started_game_keeps_its_layout_whatever_the_names_of_layouts_are():
    board = replace(BOARD, layouts={"standard": "GM/CH", "gm/ch": "H'M/CG'"})
    table = Game.new(["Ada", "Bo"], seed=1).state.table
    assert replace(table.snapshot(), board=board).table().layout.text == "GM/CH"
    assert stored_layout("GM/CH", board).text == "GM/CH"


def test_a_record_may_name_its_layout():
    assert stored_layout("standard", BOARD).text == "GM/CH"
    with pytest.raises(SetupError):
        stored_layout("crooked", BOARD)
