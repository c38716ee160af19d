"""What the engine may use: the standard library without clocks and global chance, msgspec, and the writing of files."""

import ast
import sys
from pathlib import Path

from deadwood import engine

CLOCKS = {"datetime", "time"}
NODES = [
    node
    for path in Path(engine.__file__).parent.glob("*.py")
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
]


def imported(node):
    """The top-level modules that a statement imports; those of ours outside the engine begin with a dot."""
    match node:
        case ast.Import(names=names):
            return {one.name.partition(".")[0] for one in names}
        case ast.ImportFrom(level=0, module=module):
            return {module.partition(".")[0]}
        case ast.ImportFrom(level=2, module=module, names=names):
            return {f".{module}"} if module else {f".{one.name}" for one in names}
    return set()


def test_the_engine_needs_the_standard_library_and_msgspec_alone():
    found = {name for node in NODES for name in imported(node)}
    assert found - sys.stdlib_module_names == {"msgspec", ".files"}
    assert not found & CLOCKS


def test_chance_comes_only_from_our_own_generators():
    """The global one would be shared by all games."""
    assert not any(isinstance(node, ast.ImportFrom) and node.module == "random" for node in NODES)
    attributes = [node for node in NODES if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)]
    assert {node.attr for node in attributes if node.value.id == "random"} == {"Random"}
