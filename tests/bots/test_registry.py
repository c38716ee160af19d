"""Bots by name, including those of other packages."""

from functools import cache
from importlib.metadata import EntryPoint

import pytest

from deadwood import Game, bots
from deadwood.bots import registry
from deadwood.engine.legality import legal_actions


class FirstBot:
    """Always plays the first legal action."""

    level = -1

    def __init__(self, seed=None):
        self.seed = seed

    def decide(self, state, actions):
        return actions[0]


@pytest.fixture
def another(monkeypatch):
    """Another package with two bots, one of them without a level."""
    found = [
        EntryPoint("random", "deadwood.bots.random_bot:RandomBot", registry.GROUP),
        EntryPoint("first", f"{__name__}:FirstBot", registry.GROUP),
        EntryPoint("a-dict", "builtins:dict", registry.GROUP),
    ]
    monkeypatch.setattr(registry, "entry_points", lambda group: found)
    monkeypatch.setattr(registry, "_found", cache(registry._found.__wrapped__))


class HighBot(FirstBot):
    level = "high"


def test_a_bot_with_a_strange_level_does_not_spoil_the_others(monkeypatch):
    entries = [
        EntryPoint("high", f"{__name__}:HighBot", registry.GROUP),
        EntryPoint("ok", f"{__name__}:FirstBot", registry.GROUP),
    ]
    monkeypatch.setattr(registry, "entry_points", lambda group: entries)
    monkeypatch.setattr(registry, "_found", cache(registry._found.__wrapped__))
    with pytest.warns(UserWarning, match="'high' is left out: its level must be a whole number"):
        assert bots.names() == ("ok",)


def test_the_random_bot_is_there():
    assert "random" in bots.names()


def test_bots_of_other_packages_are_found_gentle_ones_first(another):
    assert bots.names() == ("first", "a-dict", "random")
    assert isinstance(bots.make("first", seed=3), FirstBot)
    assert bots.make("first", seed=3).seed == 3


def test_an_unknown_bot_is_refused_with_those_there_are():
    with pytest.raises(bots.BotUnknown, match=r"no bot called 'genius'; choose from: .*random"):
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


class BrokenBot(FirstBot):
    def decide(self, state, actions):
        raise ZeroDivisionError("no idea")


class CheatingBot(FirstBot):
    def decide(self, state, actions):
        return "win"


def test_a_decision_is_one_of_the_legal_actions():
    state = Game.new(["Ada", "Bo"], seed=1).state
    actions = legal_actions(state)
    assert bots.decision(FirstBot(), "first", state) == actions[0]
    assert bots.decision(FirstBot(), "first", state, actions[1:]) == actions[1]
    with pytest.raises(bots.BotFailed, match=r"The bot 'broken' raised ZeroDivisionError\('no idea'\)\."):
        bots.decision(BrokenBot(), "broken", state)
    with pytest.raises(bots.BotFailed, match=r"The bot 'cheat' chose 'win', which is not one of its 4 legal actions\."):
        bots.decision(CheatingBot(), "cheat", state)
