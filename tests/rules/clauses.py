"""Which tests hold which clause. `python -m tests.rules.clauses` rewrites docs/rules.md."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from deadwood.narration import rules_text

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "rules.md"
CLAUSE = re.compile(r"\bR(\d+)\.(\d+)\b")
# How many clauses each section has; adding or dropping a rule must change this line too.
SECTIONS = {2: 7, 3: 6, 4: 3, 5: 5, 6: 8, 7: 6, 8: 4, 9: 4, 10: 6, 11: 3, 12: 7, 13: 5}


def all_clauses() -> list[str]:
    return [f"R{section}.{number}" for section, count in SECTIONS.items() for number in range(1, count + 1)]


def clauses_in_the_rules() -> set[str]:
    return {match[0] for match in CLAUSE.finditer(rules_text())}


def citations() -> dict[str, list[str]]:
    """The tests that `@pytest.mark.rule(...)` says hold a clause."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                for clause in _marks(node):
                    found[clause].append(f"{path.relative_to(ROOT / 'tests').as_posix()}::{node.name}")
    return found


def _marks(function: ast.FunctionDef) -> Iterator[str]:
    for decorator in function.decorator_list:
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.rule":
            yield from (ast.literal_eval(argument) for argument in decorator.args)


def page() -> str:
    """The players' rules and, below them, the table."""
    tests = citations()
    rows = [f"| {clause} | {'<br>'.join(f'`{test}`' for test in tests[clause])} |" for clause in all_clauses()]
    return "\n".join(
        (
            "<!-- Written by `make docs` from src/deadwood/text/rules.en.md and the tests' marks. -->",
            rules_text().rstrip(),
            "",
            "## Which tests hold which rule",
            "",
            "| clause | tests (below `tests/`) |",
            "|---|---|",
            *rows,
            "",
        )
    )


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
