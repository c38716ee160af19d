import hashlib
import json
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from deadwood import Game, OutcomeError, OutcomeNeeded, SetupError
from deadwood.engine.board import built_in_board
from deadwood.engine.chance import (
    FairDice,
    FastDice,
    ScriptedDice,
    ScriptEnded,
    TableDice,
    _words,
    commitment,
    seed_bytes,
)
from deadwood.engine.layout import random_layout
from deadwood.engine.verify import verify

VECTORS = json.loads((Path(__file__).parent / "fair_dice_vectors.json").read_text())


def test_published_vectors():
    for vector in VECTORS["vectors"]:
        dice = FairDice(bytes.fromhex(vector["seed"]), [bytes.fromhex(salt) for salt in vector["salts"]])
        assert dice._key.hex() == vector["key"]
        assert dice.commitment == vector["commitment"]
        assert [dice.pick(vector["count"]) for _ in vector["results"]] == vector["results"]
        words = [f"{word:04x}" for word in islice(_words(dice._key, 0), len(vector.get("words", ())))]
        assert words == vector.get("words", [])


def test_published_layouts():
    for vector in VECTORS["layouts"]:
        assert random_layout(vector["number"], built_in_board()).text == vector["layout"]


def test_the_published_record_draws_what_it_says():
    record = VECTORS["record"]
    assert {check.verdict for check in verify(record["text"])} == {"passed", "unknown"}
    dice = Game.from_record(record["text"])._dice
    again = FairDice(dice.seed, dice.salts)
    assert [again.pick(draw["count"]) for draw in record["draws"]] == [draw["result"] for draw in record["draws"]]
    assert [draw["k"] for draw in record["draws"]] == list(range(len(record["draws"])))
    assert dice.drawn == len(record["draws"])


def test_a_die_is_a_pick_of_six():
    twin = FairDice(7)
    assert FairDice(7).roll(20) == tuple(twin.pick(6) + 1 for _ in range(20))


def test_an_int_seed_means_its_big_endian_bytes():
    assert seed_bytes(7) == bytes(31) + b"\x07"
    assert FairDice(7).roll(50) == FairDice(bytes(31) + b"\x07").roll(50)


@pytest.mark.parametrize("seed", [-1, 2**256, b"short", "7", None, 1.5])
def test_invalid_seeds_are_refused(seed):
    with pytest.raises(SetupError, match="seed unusable"):
        FairDice(seed)


def test_commitment_is_the_hash_of_the_seed():
    assert commitment(7) == hashlib.sha256(bytes(31) + b"\x07").hexdigest() == FairDice(7).commitment


def test_salts_change_the_key():
    salt = bytes(range(32))
    salted = FairDice(7, [salt, bytes(32)])
    assert salted._key == hashlib.sha256(bytes(31) + b"\x07" + salt + bytes(32)).digest()
    assert salted.roll(50) != FairDice(7).roll(50)
    assert salted.commitment == FairDice(7).commitment


def test_a_salt_has_32_bytes():
    with pytest.raises(SetupError, match="salt unusable"):
        FairDice(7, [b"salt"])


def test_words_go_on_when_a_digest_is_used_up():
    words = list(islice(_words(bytes(32), 0), 40))
    assert len(set(words)) > 30
    assert words[:16] == list(islice(_words(bytes(32), 0), 16))


def test_words_outside_the_usable_range_are_passed_over():
    """With 40000 choices, only words below 40000 count: 39 percent are rejected."""
    dice = FairDice(1)
    for k in range(200):
        expected = next(word for word in _words(bytes(31) + b"\x01", k) if word < 40000)
        assert dice.pick(40000) == expected


@pytest.mark.parametrize("dice", [FairDice(11), FastDice(11)])
def test_dice_are_even(dice):
    """Chi-square with 5 degrees of freedom; the seed is fixed, so this cannot fail by chance."""
    faces = Counter(dice.roll(60_000))
    assert set(faces) == {1, 2, 3, 4, 5, 6}
    assert sum((count - 10_000) ** 2 / 10_000 for count in faces.values()) < 20.5


@pytest.mark.parametrize("dice", [FairDice(3), FastDice(3), ScriptedDice([1, 2, 3, 4, 5, 6, 1, 2]), TableDice([2] * 8)])
def test_a_copy_goes_on_by_itself(dice):
    dice.roll(3)
    twin = dice.copy()
    assert type(twin) is type(dice)
    assert twin.roll(5) == dice.roll(5)


def test_the_same_seed_gives_the_same_fast_dice():
    assert FastDice(5).roll(30) == FastDice(5).roll(30)
    assert [FastDice(5).pick(40) for _ in range(3)] == [FastDice(5).pick(40)] * 3


@pytest.mark.parametrize("count", [0, -1, 65537])
def test_fair_dice_choose_among_1_to_65536(count):
    with pytest.raises(ValueError, match="1 to 65536"):
        FairDice(1).pick(count)


def test_scripted_dice():
    dice = ScriptedDice([5, 6, 1, 39])
    assert dice.roll(1) == (5,)
    assert dice.roll(2) == (6, 1)
    assert dice.left == (39,)
    assert dice.pick(40) == 39
    with pytest.raises(ScriptEnded):
        dice.roll(1)


@pytest.mark.parametrize("die", [0, 7, -1])
def test_scripted_dice_show_1_to_6(die):
    with pytest.raises(OutcomeError, match="die out of range"):
        ScriptedDice([die]).roll(1)


def test_scripted_choices_must_be_in_range():
    with pytest.raises(OutcomeError, match="pick out of range"):
        ScriptedDice([40]).pick(40)


def test_table_dice_ask_for_what_is_missing():
    with pytest.raises(OutcomeNeeded) as caught:
        TableDice([6, 5]).roll(3)
    assert (caught.value.kind, caught.value.count) == ("dice", 3)
    with pytest.raises(OutcomeNeeded) as caught:
        TableDice([]).pick(40)
    assert (caught.value.kind, caught.value.count) == ("card", 1)
