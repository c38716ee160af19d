"""Every refusal and check in the source has a sentence in every language, and all values that it needs.

`values` is a plain dict, so neither the type checker nor a test that never meets the refusal sees a misspelt
placeholder. This reads the source instead.
"""

import ast
import string
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
import pytest

import deadwood
from deadwood.narration import TEXTS, languages

SOURCE = Path(deadwood.__file__).parent
CATALOGUES = {
    language: msgspec.toml.decode((TEXTS / f"{language}.toml").read_text("utf-8")) for language in languages()
}
SENTENCES = {language: texts["refusals"] | texts["checks"] for language, texts in CATALOGUES.items()}

KEY_AT = {"Refusal": 1, "Check": 1, "refuse": 0, "fail": 1, "_refuse_layout": 0, "_working": 3}
VALUES_AT = {"Refusal": 2, "Check": 2}  # the others take values as keywords
ADDED = {"_refuse_layout": {"layout"}, "_working": {"role", "area"}}  # values that the maker itself adds
COMPUTED = {
    "cannot_afford_either",
    "currency_missing",
}  # their values are computed, so the source does not show them


class Made(msgspec.Struct, frozen=True):
    """A call that makes a refusal or a check; `given` is None where the source does not show it."""

    where: str
    key: str
    given: frozenset[str] | None


class Scope:
    """What names stand for at a call in a function, as far as the source shows it."""

    def __init__(self, module: ast.Module, function: ast.FunctionDef | ast.AsyncFunctionDef, call: ast.Call) -> None:
        before = [node for node in ast.walk(function) if getattr(node, "lineno", call.lineno) < call.lineno]
        self.assigned = {**_assigned(module.body), **_assigned(before)}
        self.parameters = {one.arg for one in ast.walk(function.args) if isinstance(one, ast.arg)}

    def texts(self, node: ast.AST) -> set[str] | None:
        """All texts that a key may be; None where the caller decides."""
        match node:
            case ast.Constant(value=str() as text):
                return {text}
            case ast.IfExp():
                return (self.texts(node.body) or set()) | (self.texts(node.orelse) or set())
            case ast.Name(id=name) if name in self.parameters:
                return None
            case ast.Name(id=name) if name in self.assigned:
                return self.texts(self.assigned[name])
            case ast.Subscript(value=table) | ast.Call(func=ast.Attribute(value=table, attr="get")):
                texts = self.texts(table) or set()
                return texts | (self.texts(node.args[1]) or set() if isinstance(node, ast.Call) else set())
            case ast.Dict():
                return {text for value in node.values for text in self.texts(value) or ()}
        return set()

    def names(self, node: ast.AST | None) -> frozenset[str] | None:
        """The keys of a dict; None if they are computed."""
        match node:
            case None:
                return frozenset()
            case ast.Name(id=name) if name in self.assigned:
                return self.names(self.assigned[name])
            case ast.Dict():
                parts = [
                    self.names(value) if key is None else frozenset({str(getattr(key, "value", ""))})
                    for key, value in zip(node.keys, node.values, strict=True)
                ]
                return None if None in parts else frozenset().union(*parts)
        return None


def _assigned(nodes: Iterable[ast.AST]) -> dict[str, ast.AST]:
    """The last value of every name."""
    assignments = [node for node in nodes if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)]
    return {node.targets[0].id: node.value for node in sorted(assignments, key=lambda node: node.lineno)}


def made_in(path: Path) -> Iterator[Made]:
    module = ast.parse(path.read_text("utf-8"))
    functions = [node for node in ast.walk(module) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    for function in functions:
        for call in ast.walk(function):
            name = getattr(call.func, "id", "") if isinstance(call, ast.Call) else ""
            if name in KEY_AT and len(call.args) > KEY_AT[name]:
                where = f"{path.relative_to(SOURCE)}:{call.lineno}"
                yield from _made(call, name, Scope(module, function, call), where)


def _made(call: ast.Call, name: str, scope: Scope, where: str) -> Iterator[Made]:
    keys = scope.texts(call.args[KEY_AT[name]])
    if keys is None:
        return  # inside a maker: its callers are read
    at = VALUES_AT.get(name)
    if at is None:
        keywords = {keyword.arg for keyword in call.keywords}
        given = None if None in keywords else frozenset(keywords | ADDED.get(name, set()))
    else:
        given = scope.names(call.args[at] if len(call.args) > at else None)
    yield from (Made(where, key, given) for key in sorted(keys) or [f"?{name}"])


@pytest.fixture(scope="module")
def all_made() -> list[Made]:
    """What the whole source makes."""
    return [made for path in sorted(SOURCE.rglob("*.py")) for made in made_in(path)]


def placeholders(entry: str | dict) -> set[str]:
    """The fields that any sentence of an entry asks for, and the field that it is chosen by."""
    if isinstance(entry, str):
        return {field for _, field, _, _ in string.Formatter().parse(entry) if field is not None}
    return {entry["by"]} | {name for case, one in entry.items() if case != "by" for name in placeholders(one)}


def problem(made: Made, language: str) -> str:
    if made.key not in SENTENCES[language]:
        return f"{made.where}: no sentence for {made.key!r}"
    missing = set() if made.given is None else placeholders(SENTENCES[language][made.key]) - made.given
    return f"{made.where}: {made.key!r} does not say {sorted(missing)}" if missing else ""


def test_the_source_is_read(all_made):
    assert len(all_made) > 110
    assert {made.key for made in all_made if made.given is None} == COMPUTED


@pytest.mark.parametrize("language", languages())
def test_every_refusal_has_a_sentence_and_fills_it(all_made, language):
    assert list(filter(None, (problem(made, language) for made in all_made))) == []


@pytest.mark.parametrize("language", languages())
def test_every_sentence_is_used(all_made, language):
    assert set(SENTENCES[language]) == {made.key for made in all_made}
