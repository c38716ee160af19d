"""A game used in every possible way, checked against the invariants of the random games."""

import random

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from deadwood import Game, IllegalAction, UndoError
from deadwood.engine.events import CardTurned
from deadwood.engine.notation import format_action, format_outcome

from ..random_games import (
    all_actions,
    check_json,
    check_legal_actions,
    check_players,
    check_sets,
    check_step,
    random_policy,
)
from ..strategies import actions, options, seeds, tables


class GameMachine(RuleBasedStateMachine):
    @initialize(names=tables, options=options, seed=seeds, taste=st.integers(0, 2**32))
    def begin(self, names, options, seed, taste):
        self.game = Game.new(names, options, seed)
        self.choose = random_policy(random.Random(taste))

    def turned(self):
        return {event.card for event in self.game.events if isinstance(event, CardTurned)}

    @rule(count=st.integers(1, 30))
    @precondition(lambda self: not self.game.over)
    def play_on(self, count):
        for _ in range(count):
            if not self.game.over:
                before, turned = self.game.state, self.turned()
                events = self.game.play(self.choose(self.game.legal_actions()))
                check_step(before, self.game.state, events, turned)

    @rule(action=actions)
    def try_anything(self, action):
        before, steps = self.game.state, self.game.steps
        if self.game.refusal(action) is None:
            assert action in self.game.legal_actions()
            self.game.copy().play(action)
        else:
            with pytest.raises(IllegalAction):
                self.game.play(format_action(action))
        assert self.game.state is before
        assert self.game.steps == steps

    @rule()
    @precondition(lambda self: self.game.steps)
    def undo(self):
        last = self.game.steps[-1]
        before, events = self.game.state, self.game.events
        if format_outcome(last.events):
            with pytest.raises(UndoError):
                self.game.undo()
            assert self.game.state is before
        else:
            assert self.game.undo() == last.action
            assert self.game.play(last.action) == last.events
            assert self.game.state == before
        assert self.game.events == events

    @rule()
    def record_and_go_on_with_the_copy(self):
        text = self.game.record()
        again = Game.from_record(text)
        assert again.record() == text
        assert again.state == self.game.state
        assert again.events == self.game.events
        self.game = again

    @invariant()
    def holds(self):
        if hasattr(self, "game"):
            check_players(self.game.state)
            check_sets(self.game.state)
            check_legal_actions(self.game.state, self.game.legal_actions(), tuple(all_actions(self.game.state)))
            check_json(self.game.state)


GameMachine.TestCase.settings = settings(max_examples=25, stateful_step_count=25)
TestGameMachine = GameMachine.TestCase
