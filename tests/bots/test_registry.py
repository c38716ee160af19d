"""Bots by name, also those of other packages."""

from importlib.metadata import EntryPoint

import pytest

from deadwood import Game, bots
from deadwood.bots import registry


class FirstBot:
    """Decides for whatever is listed first."""

    level = -1

    def __init__(self, seed=None):
        self.seed = seed

    def decide(self, state, actions):
        return actions[0]


@pytest.fixture
def another(monkeypatch):
    """A package that brings two bots, one of them without a level."""
    found = [
        EntryPoint("random", "deadwood.bots.random_bot:RandomBot", registry.GROUP),
        EntryPoint("first", f"{__name__}:FirstBot", registry.GROUP),
        EntryPoint("a-dict", "builtins:dict", registry.GROUP),
    ]
    monkeypatch.setattr(registry, "entry_points", lambda group: found)
    registry._found.cache_clear()
    yield
    registry._found.cache_clear()


class HighBot(FirstBot):
    level = "high"


def test_a_bot_with_a_strange_level_does_not_spoil_the_others(monkeypatch):
    entries = [
        EntryPoint("high", f"{__name__}:HighBot", registry.GROUP),
        EntryPoint("ok", f"{__name__}:FirstBot", registry.GROUP),
    ]
    monkeypatch.setattr(registry, "entry_points", lambda group: entries)
    registry._found.cache_clear()
    with pytest.warns(UserWarning, match="'high' is left out: its level must be a whole number"):
        assert bots.names() == ("ok",)
    registry._found.cache_clear()


def test_the_random_bot_is_there():
    assert "random" in bots.names()


def test_bots_of_other_packages_are_found_gentle_ones_first(another):
    assert bots.names() == ("first", "a-dict", "random")
    assert isinstance(bots.make("first", seed=3), FirstBot)
    assert bots.make("first", seed=3).seed == 3


def test_an_unknown_bot_is_refused_with_those_there_are():
    with pytest.raises(bots.BotUnknown, match=r"no bot called 'genius'; there are: .*random"):
        bots.make("genius")


def played(name, seed):
    game = Game.new(["Ada", "Bo"], seed=1)
    bot = bots.make(name, seed=seed)
    for _ in range(20_000):
        if game.over:
            return game.record()
        game.play(bot.decide(game.state, game.legal_actions()))
    raise AssertionError(f"{name} against itself does not come to an end")


@pytest.mark.parametrize("name", bots.names())
def test_every_bot_plays_whole_games_and_alike_with_the_same_seed(name):
    assert played(name, 5) == played(name, 5)


def test_without_a_seed_random_bots_differ():
    assert played("random", None) != played("random", None)
