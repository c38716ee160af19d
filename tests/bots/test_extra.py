"""How `extra` decides."""

from hypothesis import given

from deadwood import bots
from deadwood.engine import rules
from deadwood.engine.actions import TakeRole

from ..strategies import positions


@given(positions())
def test_an_extra_never_passes_when_it_can_work(state):
    actions = rules.legal_actions(state)
    if any(isinstance(action, TakeRole) for action in actions):
        assert isinstance(bots.make("extra", 1).decide(state, actions), TakeRole)
