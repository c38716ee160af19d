"""How the engine is built; tests/rules checks how it plays."""

import ast
import sys
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from msgspec.structs import replace

from deadwood import IllegalAction, Options, Refusal, TakeRole
from deadwood.engine import legality, rules
from deadwood.engine.actions import Action
from deadwood.engine.chance import FastDice, ScriptedDice

from ..strategies import actions, positions

ENGINE = Path(rules.__file__).parent
FILES_ALLOWED = {"files.py", "loading.py", "game.py"}


def test_every_action_has_a_check_and_an_effect():
    assert set(legality._CHECKS) == set(rules._EFFECTS) == set(get_args(Action))


@pytest.mark.parametrize("path", sorted(ENGINE.glob("*.py")), ids=lambda path: path.name)
def test_the_engine_needs_the_standard_library_and_msgspec_only(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imported = {
        name.partition(".")[0]
        for node in ast.walk(tree)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom) and not node.level
            else []
        )
    }
    assert imported <= set(sys.stdlib_module_names) | {"msgspec"}
    assert not imported & {"time", "datetime", "secrets"}, "the engine has no clock and no hidden chance"
    if path.name not in FILES_ALLOWED:
        assert "os" not in imported
    calls = {node.func.attr for node in ast.walk(tree) if isinstance(node, ast.Call) and hasattr(node.func, "attr")}
    if path.name not in FILES_ALLOWED:
        assert not calls & {"open", "read_text", "write_text", "read_bytes", "write_bytes"}


@given(positions(), actions)
def test_refused_actions_raise_and_legal_actions_are_applied(state, action):
    problem = rules.refusal(state, action)
    assert (problem is None) == (action in rules.legal_actions(state))
    if problem is None:
        after, events = rules.apply(state, action, FastDice(1))
        assert after != state
        assert events
    else:
        with pytest.raises(IllegalAction) as caught:
            rules.apply(state, action, ScriptedDice([]))
        assert caught.value.refusal == problem


def test_no_role_can_be_taken_under_a_face_down_card():
    """Play never reaches this, because moving turns the card; a state made by hand can."""
    state, _ = rules.start(["Ada", "Bo"], Options(first="Ada"), FastDice(0))
    standing = replace(state.players[0], area=state.table.area_numbers["saloon"])
    problem = rules.refusal(replace(state, players=(standing, state.players[1])), TakeRole("extra", 1))
    assert problem == Refusal("R5.1", "card_face_down", {"area": "Saloon"})


@given(positions())
def test_apply_is_pure(state):
    for action in rules.legal_actions(state):
        before = state.snapshot()
        assert rules.apply(state, action, FastDice(2)) == rules.apply(state, action, FastDice(2))
        assert state.snapshot() == before
