"""Decks: the texts of ours, what is wrong with others, and that their text says everything."""

from itertools import chain

import pytest
from hypothesis import given, settings

from deadwood import DataError
from deadwood.engine.board import built_in_board
from deadwood.engine.deck import BUILT_IN_DECKS, built_in_deck, format_deck, load_deck, parse_deck

from ..strategies import decks
from .data_files import CLASSIC, card, line_of, role, write

STUDIO = built_in_deck("studio")


def roles():
    yield from chain.from_iterable(one.roles for one in STUDIO.cards)
    yield from chain.from_iterable(area.extras for area in built_in_board().areas)


def test_no_two_texts_are_alike():
    for texts in (
        [one.title for one in STUDIO.cards],
        [one.description for one in STUDIO.cards],
        [one.scene for one in STUDIO.cards],
        [one.name for one in roles()],
        [one.line for one in roles()],
    ):
        folded = [str(text).casefold() for text in texts]
        assert len(set(folded)) == len(folded)


def test_texts_fit_the_table():
    for one in STUDIO.cards:
        assert len(one.title) <= 36
        assert len(one.description) <= 130
        assert one.description.endswith((".", "!", "?"))
    for one in roles():
        assert len(one.name) <= 26
        assert len(one.line) <= 80
        assert not set(one.name) & set(";:")


def test_the_studio_deck_is_the_classic_one_and_twenty_more():
    assert STUDIO.cards[:40] == built_in_deck("classic").cards
    assert [one.number for one in STUDIO.cards] == list(range(1, 61))


def test_built_in_data_is_loaded_once():
    assert built_in_deck("classic") is built_in_deck("classic")
    assert built_in_board() is built_in_board()


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
        (
            card(roles=f"{role(3, 'A')}, {role(2, 'B')}"),
            "own.toml: card 1: roles must ascend .*rank 2 follows rank 3",
        ),
        (
            card(roles=f"{role(2, 'A')}, {role(3, 'a')}"),
            "own.toml: role 1 of card 1 and role 2 of card 1: both have the name 'a'",
        ),
        (
            card() + card(title="Other", roles=role(1, "B")),
            "own.toml: card 1: card numbers must be unique",
        ),
        (
            card() + card(number=2, roles=role(1, "B")),
            "own.toml: card 1 and card 2: both have the title 'Roof'",
        ),
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


@given(decks())
@settings(max_examples=40)
def test_a_deck_survives_its_text(deck):
    assert parse_deck(format_deck(deck)) == deck


@pytest.mark.parametrize("name", BUILT_IN_DECKS)
def test_built_in_decks_survive_their_text(name):
    assert parse_deck(format_deck(built_in_deck(name))) == built_in_deck(name)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("budget = 3", "budget = 9", "card 2: budget: must be at most 6, not 9"),
        ("number = 3\n", "number = 2\n", "card 2: card numbers must be unique"),
        ('title = "High Noonish"', 'title = "A Stranger in the Wrong Town"', "both have the title"),
        ('rank = 5, name = "Sheriff', 'rank = 1, name = "Sheriff', "rank 1 follows rank 2"),
        ('rank = 5, name = "Sheriff', 'rank = 5, names = "Sheriff', "there is no field 'names'"),
        ('name = "Town Clock"', 'name = "Puzzled Stable Hand"', "both have the name"),
        ("scene = 37\n", "scene = 37\nfilm = 3\n", "there is no field 'film'"),
        ("scene = 37", "scene == 37", "Invalid value"),
        ("scene = 37", f"scene = {10**9}", "must be at most 9999"),
        ('name = "classic"\n', 'name = "a"\nextends = "../b.toml"\n', "extends: must be classic or studio here"),
        ("Town Clock", "\u202ekcolC nwoT", r"name: remove the invisible character U\+202E; it would change how"),
        ("High Noonish", "High Noonish" * 10, "must have at most 100 characters"),
    ],
)
def test_errors_name_the_line(old, new, problem):
    text = CLASSIC.replace(old, new, 1)
    with pytest.raises(DataError, match=problem) as caught:
        parse_deck(text)
    wrong = line_of(text, new.rstrip("\n").rpartition("\n")[2])
    if new.startswith("number"):
        wrong = line_of(text, new + 'title = "Leave') - 1  # a card begins above its number
    if "A Stranger" in new:
        wrong = line_of(text, f"{new}\nscene = 37")
    if "Stable" in new:
        wrong = line_of(text, 'name = "Puzzled Stable Hand", line = "Bong')
    assert caught.value.line == wrong
    assert str(caught.value).endswith(f"(line {wrong})")


def test_an_error_in_a_file_that_is_extended_names_that_file_and_its_line(tmp_path):
    (tmp_path / "base.toml").write_text(CLASSIC.replace("budget = 3", "budget = 9", 1), "utf-8")
    own = tmp_path / "own.toml"
    own.write_text('name = "own"\nextends = "base.toml"\ncards = [{ number = 999 }]\n', "utf-8")
    with pytest.raises(DataError, match=r"own.toml: card 999: the field 'title' is missing \(line 3\)"):
        load_deck(own)
    own.write_text('name = "own"\nextends = "base.toml"\n' + CLASSIC.split("\n", 1)[1], "utf-8")
    line = line_of(CLASSIC, "budget = 3")
    with pytest.raises(DataError, match=rf"base.toml: card 2: budget: must be at most 6, not 9 \(line {line}\)"):
        load_deck(own)


def test_an_entry_that_is_in_another_file_has_the_line_of_the_list(tmp_path):
    card = '\n[[cards]]\nnumber = {0}\ntitle = "T{0}"\nscene = 1\ndescription = "D"\nbudget = 2\nroles = [{1}]\n'
    role = '{ rank = 1, name = "Twin", line = "L" }'
    (tmp_path / "base.toml").write_text('name = "base"' + card.format(9, role), "utf-8")
    (tmp_path / "own.toml").write_text('name = "own"\nextends = "base.toml"' + card.format(1, role), "utf-8")
    with pytest.raises(DataError, match=r"role 1 of card 1 and role 1 of card 9: both have the name 'Twin' \(line 3\)"):
        load_deck(tmp_path / "own.toml")
