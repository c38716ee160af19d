"""Bots explain themselves: a value and a reason for every legal action."""

import pytest
from hypothesis import given

from deadwood import Game, bots, narrate
from deadwood.engine import rules
from deadwood.narration import BotReason

from ..strategies import positions

DECIDE_BY_VALUE = ("hopeful", "regular", "star", "champion")


@given(positions())
def test_every_bot_explains_every_legal_action(state):
    actions = rules.legal_actions(state)
    for name in bots.names():
        advice = bots.advice(name, state, seed=3)
        assert sorted(map(repr, actions)) == sorted(repr(one.action) for one in advice)
        assert [one.value for one in advice] == sorted((one.value for one in advice), reverse=True)
        for one in advice:
            sentence = narrate(one.reason)
            assert sentence
            assert "{" not in sentence


@given(positions())
def test_a_bot_does_what_it_advises(state):
    actions = rules.legal_actions(state)
    for name in DECIDE_BY_VALUE:
        values = {one.action: one.value for one in bots.advice(name, state, seed=3)}
        assert values[bots.make(name, 3).decide(state, actions)] == max(values.values())


@given(positions())
def test_the_values_of_star_are_chances(state):
    assert all(0 <= one.value <= 1 for one in bots.advice("star", state, seed=1))


def test_a_bot_that_explains_nothing_is_asked_what_it_would_do(monkeypatch):
    class Last:
        def decide(self, state, actions):
            return actions[-1]

    monkeypatch.setattr("deadwood.bots.advising.make", lambda name, seed, seconds: Last())
    state = Game.new(["Ada", "Bo"], seed=1).state
    best, *others = bots.advice("last", state)
    assert best.action == rules.legal_actions(state)[-1]
    assert narrate(best.reason) == "the bot 'last' would do this"
    assert {narrate(one.reason) for one in others} == {"the bot 'last' would do something else"}


def test_every_bot_says_what_its_values_are():
    units = {name: bots.unit(name) for name in bots.names()}
    points = {name for name, unit in units.items() if unit == "points"}
    assert points == {"hopeful", "regular"}
    assert set(units.values()) == {"chance", "points"}


def test_the_values_of_a_bot_that_says_nothing_are_points_even_if_they_are_small(monkeypatch):
    class Modest:
        def decide(self, state, actions):
            return actions[0]

        def explain(self, state, actions):
            return [bots.Advice(action, 0.5, BotReason("no_work")) for action in actions]

    monkeypatch.setattr("deadwood.bots.advising.make", lambda name: Modest())
    assert bots.unit("modest") == "points"


def test_there_is_no_advice_after_the_end():
    game = Game.new(["Ada", "Bo"], seed=1)
    bot = bots.make("regular", 1)
    while not game.over:
        game.play(bot.decide(game.state, game.legal_actions()))
    assert bots.advice("star", game.state) == []


def test_an_unknown_adviser_is_refused():
    with pytest.raises(bots.BotUnknown, match="genius"):
        bots.advice("genius", Game.new(["Ada", "Bo"], seed=1).state)


def test_a_reason_in_words():
    reason = BotReason("way_to_role", {"area": "Ranch", "points": 16.4, "turns": 4.0, "rate": 4.1})
    assert narrate(reason) == "heads for a role at the Ranch (≈ 16.4 points in 4.0 turns, 4.1 a turn)"
    win = BotReason("win", {"chance": 0.5432, "because": reason})
    assert narrate(win).startswith("54.3% to win. Heads for a role at the Ranch")
    assert narrate(win, "de").startswith("Siegchance 54,3\N{NO-BREAK SPACE}%. Unterwegs zu einer Rolle auf der Ranch")
