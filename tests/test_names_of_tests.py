"""Every module has tests that a search for its name finds, as CONTRIBUTING promises."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import deadwood

SOURCE, TESTS = Path(deadwood.__file__).parent, Path(__file__).parent
FOLDERS = {"client": "python_client"}  # tests/client drives the browser


def modules() -> Iterator[tuple[str, Path]]:
    """Every module with the test file of its name, whether there is one or not."""
    for file in SOURCE.rglob("*.py"):
        path = file.relative_to(SOURCE)
        if not file.stem.startswith("__") and "migrations" not in path.parts:
            first, *others = path.parent.parts or ("",)
            folder = Path(FOLDERS.get(first, first), *others)
            yield ".".join(path.with_suffix("").parts), TESTS / folder / f"test_{file.stem}.py"


def named_in(docstring: str) -> list[str]:
    """The modules that a docstring names after the word Holds."""
    sentence = re.search(r"^Holds ((?:`[^`]+`[,.]?(?: and)?\s*)+)$", docstring, re.MULTILINE)
    return re.findall("`([^`]+)`", sentence[1]) if sentence else []


@pytest.fixture(scope="module")
def held() -> dict[str, list[str]]:
    """The modules that test files name in such a line, by file."""
    texts = {file.relative_to(TESTS).as_posix(): file.read_text("utf-8") for file in TESTS.rglob("test_*.py")}
    return {
        file: named_in(ast.get_docstring(ast.parse(text)) or "")
        for file, text in texts.items()
        if re.search("^Holds `", text, re.MULTILINE)
    }


def test_every_module_has_a_test_file_of_its_name_or_is_named_in_one(held):
    named = {name for names in held.values() for name in names}
    assert [name for name, file in modules() if not file.exists() and name not in named] == []


def test_only_modules_that_exist_are_named(held):
    existing = {name for name, _ in modules()}
    assert {file: wrong for file, names in held.items() if (wrong := set(names) - existing)} == {}


def test_every_such_line_can_be_read(held):
    assert [file for file, names in held.items() if not names] == []
