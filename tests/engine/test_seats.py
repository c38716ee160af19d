import pytest
from hypothesis import given

from deadwood import Game, Options, Seat, SetupError, narrate
from deadwood.engine.seats import COLOURS, check_names, find_name, name_refusal

from ..strategies import tables


@given(tables)
def test_checked_names_stay_as_they_are(names):
    checked = check_names(names)
    assert check_names(checked) == checked
    game = Game.from_record(Game.new(names, seed=1).record())
    assert game.state.table.names == checked


@pytest.mark.parametrize(
    ("name", "key"),
    [
        (None, "name_not_text"),
        (7, "name_not_text"),
        ("", "name_empty"),
        ("\udcff", "name_character"),
        (" \t", "name_empty"),
        ("\N{ZERO WIDTH SPACE}", "name_empty"),
        ("x" * 41, "name_too_long"),
        ("A;B", "name_character"),
        ("A:B", "name_character"),
        ("A\nB", "name_character"),
        ("A\u2028B", "name_character"),
        ("A\x1bB", "name_character"),
        ("A\u202eB", "name_character"),
        ("A\u2066B", "name_character"),
        ("A\ud800B", "name_character"),
        ("A\u200bB", "name_character"),
        ("A\u00adB", "name_character"),
        ("A\ufeffB", "name_character"),
        ("A\u034fB", "name_character"),
        ("A\u3164B", "name_character"),
        ("A\u2800B", "name_character"),
        ("A\ufe0fB", "name_character"),
        ("A\u200dB", "name_character"),
        ("\N{HEAVY BLACK HEART}\u200dB", "name_character"),
        ("A\U000e0100B", "name_character"),
        ("A\U000e0041B", "name_character"),
        ("A\ue000B", "name_character"),
        ("A\u0378B", "name_character"),
        ("\uff32\uff45sult", "name_reserved"),
        ("\uff21d\uff41", "name_taken"),
        ("\N{MATHEMATICAL BOLD CAPITAL A}da", "name_taken"),
        ("Jo\u00a0 Ann", "name_taken"),
        ("\N{HEAVY BLACK HEART}", "name_taken"),
        ("Result", "name_reserved"),
        (" ADA ", "name_taken"),
        ("stra\N{LATIN SMALL LETTER SHARP S}e", "name_taken"),
    ],
)
def test_invalid_names_are_refused(name, key):
    problem = name_refusal(name, ["Ada", "STRASSE", "Jo Ann", "\N{HEAVY BLACK HEART}\ufe0f"])
    assert problem is not None
    assert problem.key == key
    assert problem.rule == "R2.1"
    assert narrate(problem).isprintable()


def test_a_composed_and_a_decomposed_name_are_the_same():
    assert name_refusal("e\N{COMBINING ACUTE ACCENT}", ["\N{LATIN SMALL LETTER E WITH ACUTE}"]) is not None
    assert check_names(["e\N{COMBINING ACUTE ACCENT}", "Bo"])[0] == "\N{LATIN SMALL LETTER E WITH ACUTE}"


@pytest.mark.parametrize(
    "name",
    [
        "\N{HEAVY BLACK HEART}\ufe0f",
        "\N{WOMAN}\u200d\N{ROCKET}",
        "\N{HEAVY BLACK HEART}\ufe0f\u200d\N{FIRE}",
        "\N{HEBREW LETTER ALEF}\N{HEBREW LETTER BET}",
        "O'Neil-Śmith Jr.",
    ],
)
def test_names_as_keyboards_write_them(name):
    assert check_names([name, "Bo"])[0] == name


OLD_NAMES = ("ｆin", "fin", "A\u200bB", "AB", "\u2800x", "ｒesult")


def test_kept_names_of_earlier_versions_are_taken_as_they_were():
    """They differ only in ways that people cannot see, or that earlier versions did not compare."""
    with pytest.raises(SetupError):
        Game.new(OLD_NAMES)
    game = Game.new(OLD_NAMES, Options(first="fin"), seed=1, kept_names=True)
    assert game.state.table.names == OLD_NAMES
    for _ in OLD_NAMES:
        game.play("end")
    again = Game.from_record(game.record())
    assert again.state == game.state
    assert [step.seat for step in again.steps] == [1, 2, 3, 4, 5, 0]
    assert again.record() == game.record()


def test_names_that_no_version_allowed_are_refused_in_old_records_too():
    for name in ("A;B", "A\u202eB", " ", "Result"):
        assert name_refusal(name, kept=True) is not None
    assert name_refusal("ADA", ["ada"], kept=True) is not None


def test_too_many_names_are_counted_first():
    with pytest.raises(SetupError) as caught:
        check_names(["Ada"] * 5000)
    assert "not for 5000" in narrate(caught.value)


def test_a_single_text_is_not_a_list_of_names():
    with pytest.raises(SetupError, match="names not a list"):
        check_names("Ada")


def test_finding_a_name():
    assert find_name(" bo", ["Ada", "Bo"]) == 1
    assert find_name("Cy", ["Ada", "Bo"]) is None


def test_seats_are_kept():
    seats = (Seat("green"), Seat("black", "regular"))
    game = Game.new(["Ada", "Bo"], seats=seats)
    assert game.seats == seats
    assert Game.from_record(game.record()).seats == seats
    assert [seat.colour for seat in Game.new(["Ada", "Bo"]).seats] == list(COLOURS[:2])


@pytest.mark.parametrize(
    ("seats", "key"),
    [
        ([Seat("red")], "seat_count"),
        ([Seat("red"), Seat("red")], "colour_taken"),
        ([Seat("red"), Seat("mauve")], "colour_unknown"),
        ([Seat("red", stand_in="my bot"), Seat("blue")], "bot_name"),
        *(([Seat("red"), Seat("blue", bot)], "bot_name") for bot in ("", "my bot", "a;b", "a\nb", "\ud800", "x" * 41)),
    ],
)
def test_seats_that_do_not_fit(seats, key):
    with pytest.raises(SetupError) as caught:
        Game.new(["Ada", "Bo"], seats=seats)
    assert caught.value.refusal.key == key


@pytest.mark.parametrize(
    ("values", "key"),
    [
        ({"ties": "coin"}, "not_a_choice"),
        ({"bonus": None}, "not_a_choice"),
        ({"dice": "loaded"}, "not_a_choice"),
        ({"days": 0}, "days_out_of_range"),
        ({"days": 5}, "days_out_of_range"),
        ({"days": True}, "days_out_of_range"),
        ({"days": "3"}, "days_out_of_range"),
        ({"layout": None}, "option_not_text"),
        ({"deck": 3}, "option_not_text"),
    ],
)
def test_options_that_do_not_exist(values, key):
    with pytest.raises(SetupError) as caught:
        Options(**values)
    assert caught.value.refusal.key == key
    assert narrate(caught.value)


def test_random_is_read_as_other_names_are():
    game = Game.new(["Ada", "Bo"], Options(first=" Random", layout="RANDOM"), seed=1)
    assert game.state.table.drawn == ("first", "layout")
    assert game.record() == Game.new(["Ada", "Bo"], Options(layout="random"), seed=1).record()


@pytest.mark.parametrize(
    ("options", "key"),
    [
        (Options(deck="poker"), "not_a_choice"),
        (Options(first="Cy"), "first_unknown"),
        (Options(layout="GMC"), "layout_missing"),
    ],
)
def test_options_that_do_not_fit_the_table(options, key):
    with pytest.raises(SetupError) as caught:
        Game.new(["Ada", "Bo"], options)
    assert caught.value.refusal.key == key
    assert narrate(caught.value)
