"""Bots sit down under the names of characters."""

from itertools import islice

from deadwood import bots
from deadwood.engine.options import PLAYERS
from deadwood.engine.seats import name_refusal


def test_a_whole_table_of_one_bot_has_different_names_without_numbers():
    for bot in (*bots.names(), "champion"):
        names = list(islice(bots.stage_names(bot), PLAYERS[-1]))
        assert names[0] == bots.character(bot)
        for number, name in enumerate(names):
            assert name_refusal(name, names[:number]) is None
            assert not any(char.isdigit() for char in name)


def test_no_two_bots_share_a_name():
    names = [name for bot in bots.names() for name in islice(bots.stage_names(bot), PLAYERS[-1])]
    assert len(set(names)) == len(names)


def test_names_never_run_out():
    assert list(islice(bots.stage_names("random"), 8, 10)) == ["Tumbleweed 9", "Tumbleweed 10"]


def test_a_bot_of_another_package_goes_by_its_name():
    assert list(islice(bots.stage_names("walker"), 3)) == ["Walker", "Walker 2", "Walker 3"]
