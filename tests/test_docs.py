"""The documents agree with the code."""

import doctest
import re
from pathlib import Path

import pytest

import deadwood

from .rules.clauses import PAGE, all_clauses, citations, clauses_in_the_rules, page

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "benchmarks").glob("*.md")])


def test_every_clause_has_a_test_and_every_mark_a_clause():
    assert set(citations()) == set(all_clauses())


def test_the_players_rules_contain_every_clause():
    assert clauses_in_the_rules() == set(all_clauses())


def test_the_rules_page_is_current():
    assert PAGE.read_text(encoding="utf-8") == page(), "run `make docs`"


def test_clauses_cited_in_the_source_exist():
    for path in (ROOT / "src").rglob("*.py"):
        cited = re.findall(r"\bR\d+\.\d+\b", path.read_text(encoding="utf-8"))
        assert set(cited) <= set(all_clauses()), path


PAGES_WITH_EXAMPLES = ("library.md", "bots.md", "lab.md", "learning.md")
WITH_EXAMPLES = [ROOT / "README.md", *(ROOT / "docs" / name for name in PAGES_WITH_EXAMPLES)]


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=lambda path: path.name)
def test_examples_run(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    failures, examples = doctest.testfile(str(path), module_relative=False)
    assert failures == 0
    assert examples > 0


def test_the_example_of_the_package_runs():
    assert doctest.testmod(deadwood) == (0, 3)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_links_lead_somewhere(path):
    for target in re.findall(r"\]\(([^)#]+)", path.read_text(encoding="utf-8")):
        if not target.startswith("https://"):
            assert (path.parent / target).exists(), target


def test_readme_commands_exist():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for command in re.findall(r"`make (\w+)", (ROOT / "README.md").read_text(encoding="utf-8")):
        assert re.search(rf"^{command}:", makefile, re.MULTILINE)
