"""Finds the line of an entry in a TOML text; parsers do not report it."""

import re
from collections.abc import Iterator
from typing import NamedTuple

Path = tuple[str | int, ...]  # the steps to a value: ("cards", 3, "budget")
_TOKENS = re.compile(  # an unclosed string runs to the end of its line or text, so that nothing is read twice
    r'''(?P<comment>\#[^\n]*)
    | (?P<string>"""(?:\\.|[^\\])*?(?:"{3,5}|\\?\Z) | \'{3}.*?(?:\'{3,5}|\Z) | "(?:\\[^\n]|[^"\\\n])*" | '[^'\n]*')
    | (?P<open>["'][^\n]*)
    | (?P<newline>\n)
    | (?P<double>\[\[)
    | (?P<punctuation>[\[\]{}=,.])
    | (?P<word>[^\s\[\]{}=,.\#"']+)''',
    re.VERBOSE | re.DOTALL,
)
_VALUE_ENDS = frozenset(",]}\n")
_DEEPEST = 8  # steps to a number of a board: sections, 0, areas, 0, geometry, outline, 0, 1


class _Token(NamedTuple):
    kind: str
    text: str
    line: int


def lines_of(text: str) -> dict[Path, int]:
    """The line, counted from 1, of every entry of a valid TOML text: `("cards", 3, "budget")`."""
    return _Scanner(text).lines


def longest_key(text: str) -> tuple[int, int]:
    """How many parts the longest dotted key has, and its line."""
    longest, parts, last, in_key = (1, 1), 1, "", True
    for token in _tokens(text):
        if token.kind not in ("word", "string") and token.text != ".":
            parts, in_key = 1, token.text != "="  # a value may have dots, but no parts
        elif token.text == ".":
            parts = 1 if last == "." else parts + in_key
            longest = max(longest, (parts, token.line), key=lambda found: found[0])
        last = token.text
    return longest


def unclosed_line(text: str) -> int | None:
    """The first line with a string that is not closed."""
    return next((token.line for token in _tokens(text) if token.kind == "open"), None)


def deepest(text: str) -> tuple[int, int]:
    """How deeply brackets are nested, and the first line at that depth."""
    found, depth = (0, 1), 0
    for token in _tokens(text):
        depth = max(0, depth + _opened(token))
        found = max(found, (depth, token.line), key=lambda place: place[0])
    return found


def _tokens(text: str) -> Iterator[_Token]:
    line = 1
    for match in _TOKENS.finditer(text):
        if match.lastgroup != "comment":
            yield _Token(match.lastgroup or "", match[0], line)
        line += match[0].count("\n")
    yield _Token("end", "", line)


def _opened(token: _Token) -> int:
    """How many brackets a token opens; below 0, how many it closes."""
    if token.kind not in ("double", "punctuation"):
        return 0
    return len(token.text) if token.text[0] in "[{" else -(token.text in "]}")


class _Scanner:
    """Reads keys and brackets; everything between them is skipped, because a parser has checked it."""

    def __init__(self, text: str) -> None:
        self.lines: dict[Path, int] = {(): 1}
        self._tokens = list(_tokens(text))
        self._at = 0
        self._counts: dict[Path, int] = {}  # how many tables an array of tables has so far
        table: Path = ()
        while (token := self._next()).kind != "end":
            if token.kind == "newline":
                continue
            self._at -= 1
            if token.text in ("[", "[["):
                table = self._header()
            else:
                self._pair(table)

    def _next(self) -> _Token:
        token = self._tokens[self._at]
        self._at = min(self._at + 1, len(self._tokens) - 1)
        return token

    def _header(self) -> Path:
        start = self._next()
        *parents, last = self._keys("]")
        path: Path = ()
        for key in parents:
            path = self._inside((*path, key))
        path = (*path, last)
        if start.kind == "double":
            self._next()  # the second closing bracket
            self._counts[path] = self._counts.get(path, 0) + 1
        path = self._inside(path)
        self._note(path, start.line)
        return path

    def _inside(self, path: Path) -> Path:
        """The latest table of an array of tables; otherwise the path itself."""
        return (*path, self._counts[path] - 1) if path in self._counts else path

    def _keys(self, end: str) -> list[str]:
        keys = []
        while (token := self._next()).text != end and token.kind != "end":
            if token.kind in ("word", "string"):
                keys.append(token.text.strip("\"'"))
        return keys

    def _pair(self, table: Path) -> None:
        line = self._tokens[self._at].line
        path = (*table, *self._keys("="))
        self._note(path, line)
        self._value(path)

    def _note(self, path: Path, line: int) -> None:
        for length in range(min(len(path), _DEEPEST), 0, -1):
            if path[:length] in self.lines:
                break  # noted already, and so are all entries around it
            self.lines[path[:length]] = line

    def _value(self, path: Path) -> None:
        token = self._next()
        if len(path) >= _DEEPEST:
            self._at -= 1
            self._skip()
        elif token.kind == "double":  # two arrays begin
            self._at -= 1
            self._tokens[self._at] = _Token("punctuation", "[", token.line)
            self._array(path)
        elif token.text == "[":
            self._array(path)
        elif token.text == "{":
            self._inline_table(path)
        else:
            self._skip()

    def _skip(self) -> None:
        """Skip to the end of a value, past all brackets in it."""
        depth = 0
        while (token := self._tokens[self._at]).kind != "end" and (depth or token.text not in _VALUE_ENDS):
            depth += _opened(token)
            self._next()

    def _array(self, path: Path) -> None:
        index = 0
        while (token := self._next()).text != "]" and token.kind != "end":
            if token.kind == "newline" or token.text == ",":
                continue
            self._at -= 1
            self._note((*path, index), token.line)
            self._value((*path, index))
            index += 1

    def _inline_table(self, path: Path) -> None:
        while (token := self._next()).text != "}" and token.kind != "end":
            if token.kind != "newline" and token.text != ",":
                self._at -= 1
                self._pair(path)
