"""Cards and boards from the XML files that university courses use for this game.

The parser is expat itself: unlike ElementTree it says on which line an element stands, and it can refuse entities,
which could make a small file grow without end. Nothing outside the file is ever read.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import NoReturn, get_args, get_type_hints
from xml.parsers import expat

from msgspec import Meta, Struct, structs

from .engine.board import UPGRADE_RANKS, Area, Board, Prices, built_in_board, check_board, format_board, kebab
from .engine.deck import (
    BUDGETS,
    HIGHEST_RANK,
    LOWEST_RANK,
    MOST_CARDS,
    MOST_STARS,
    Card,
    Deck,
    Role,
    check_deck,
    format_deck,
)
from .engine.drafts import size_problem
from .engine.layout import neighbours, parse_layout
from .engine.refusal import DataError, shortened

XML_BYTES = 1_000_000
_OTHER_NAMES = {"trailer": "trailers", "office": "casting-office"}
_CURRENCIES = {"dollar": "dollars", "dollars": "dollars", "credit": "credits", "credits": "credits"}


def _limit(field: str, name: str) -> int:
    """A limit that our format states for a field of a card."""
    stated: tuple[Meta, ...] = get_args(get_type_hints(Card, include_extras=True)[field])[1:]
    schemas = [one.extra_json_schema or {} for one in stated]
    return next(int(schema[name]) for schema in schemas if name in schema)


_SHORT, _LONG = (_limit(field, "maxLength") for field in ("title", "description"))
_SCENES = range(1, _limit("scene", "maximum") + 1)
_STEM = _SHORT - 10  # characters of a name that stay before its number


class Element(Struct, frozen=True):
    """An element with its line, its attributes, its text and what is inside."""

    name: str
    line: int
    attributes: dict[str, str]
    inside: list["Element"]
    texts: list[str]

    @property
    def text(self) -> str:
        """The text of the element itself, on one line."""
        return " ".join("".join(self.texts).split())

    def all(self, *path: str) -> Iterator["Element"]:
        """The elements at the end of a path of names."""
        found = [one for one in self.inside if one.name == path[0]]
        if len(path) == 1:
            yield from found
        for one in found if len(path) > 1 else ():
            yield from one.all(*path[1:])


class Problem(Struct, frozen=True):
    """What is wrong in a file; a note does not prevent the import."""

    line: int | None
    text: str
    note: bool = False


def read_xml(path: Path) -> Element:
    """The root of a file, or a DataError."""
    with path.open("rb") as file:
        data = file.read(XML_BYTES + 1)
    if len(data) > XML_BYTES:
        raise DataError(f"{path}: it may have at most {XML_BYTES:,} bytes")
    return _Reader(path.name).root(data)


class _Reader:
    """Builds the elements of one file."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text
        self._parser.EntityDeclHandler = self._entity
        self._open = [Element("", 0, {}, [], [])]

    def root(self, data: bytes) -> Element:
        try:
            self._parser.Parse(data, True)
        except expat.ExpatError as error:
            raise DataError(
                f"{self._file}: this is not XML: {expat.ErrorString(error.code)}", line=error.lineno
            ) from error
        except (LookupError, ValueError) as error:  # an encoding that Python does not know
            raise DataError(f"{self._file}: this cannot be read: {error}") from error
        return self._open[0].inside[0]

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        element = Element(name, self._parser.CurrentLineNumber, attributes, [], [])
        self._open[-1].inside.append(element)
        self._open.append(element)

    def _end(self, _name: str) -> None:
        self._open.pop()

    def _text(self, text: str) -> None:
        self._open[-1].texts.append(text)

    def _entity(self, *_declared: object) -> NoReturn:
        raise DataError(f"{self._file}: entities are not allowed", line=self._parser.CurrentLineNumber)


class _Names:
    """The names of one kind in a file, no two alike."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._numbers: defaultdict[str, Iterator[int]] = defaultdict(lambda: count(2))

    def unlike(self, name: str) -> str:
        """The name, with a number after it if it is taken."""
        free, stem = name, name[:_STEM].rstrip()
        while free.casefold() in self._taken:
            free = f"{stem} ({next(self._numbers[stem.casefold()])})"
        self._taken.add(free.casefold())
        return free


class _Importer:
    """Collects all problems of a file, not only the first."""

    def __init__(self, root: Element) -> None:
        self.root = root
        self.problems: list[Problem] = []
        self.titles, self._parts = _Names(), _Names()

    def wrong(self, element: Element, text: str) -> None:
        self.problems.append(Problem(element.line, text))

    def note(self, element: Element, text: str) -> None:
        self.problems.append(Problem(element.line, text, note=True))

    @property
    def fits(self) -> bool:
        return all(problem.note for problem in self.problems)

    def number(self, element: Element, attribute: str, allowed: range, what: str) -> int:
        """A number from an attribute, or the lowest allowed one if the file has no valid number."""
        text = element.attributes.get(attribute, "")
        if not text:
            self.wrong(element, f"{what} has no {attribute}")
        elif not (text.strip().isascii() and text.strip().isdecimal() and len(text) < 6 and int(text) in allowed):
            shown = f"{attribute} must be from {allowed[0]} to {allowed[-1]}, not '{shortened(text)}'"
            self.wrong(element, f"{what}: {shown}")
        else:
            return int(text)
        return allowed[0]

    def words(self, text: str, element: Element, what: str, most: int) -> str:
        """A text of bounded length, or `?` if the file has none."""
        if not text:
            self.wrong(element, f"{what} is missing")
        elif len(text) > most:
            self.wrong(element, f"{what} has {len(text)} characters, and may have {most}")
        return text[:most] or "?"

    def roles(self, of: Element, path: tuple[str, ...], where: str) -> tuple[Role, ...]:
        return tuple(self._role(part, where) for part in of.all(*path))

    def _role(self, part: Element, where: str) -> Role:
        name = self.words(part.attributes.get("name", "").strip(), part, f"the name of a part {where}", _SHORT)
        rank = self.number(part, "level", range(LOWEST_RANK, HIGHEST_RANK + 1), f"the part '{shortened(name)}'")
        said = next((line.text for line in part.all("line")), "")
        line = self.words(said, part, f"the line of '{shortened(name)}'", _LONG)
        return Role(rank, self.unlike(self._parts, name, part), line)

    def unlike(self, names: _Names, name: str, element: Element) -> str:
        """The name as the file has it, or with a number if it is taken."""
        free = names.unlike(name)
        if free != name:
            self.note(element, f"'{shortened(name)}' is there already; this one is called '{shortened(free)}'")
        return free


def import_deck(root: Element, name: str) -> tuple[Deck | None, list[Problem]]:
    """The cards of `<cards>` as a deck, and all that is wrong with them; with problems there is no deck."""
    source = _Importer(root)
    if root.name != "cards":
        source.wrong(root, f"the outermost element must be <cards>, not <{shortened(root.name)}>")
    found = list(root.all("card"))
    if len(found) > MOST_CARDS:
        source.wrong(root, f"there are {len(found)} cards; a deck may have at most {MOST_CARDS}")
        return None, source.problems
    deck = Deck(name, tuple(_card(source, card, number) for number, card in enumerate(found, 1)))
    if source.fits:
        _check(source, lambda: check_deck(deck, ""))
        _note_size(source, format_deck(deck))
    return deck if source.fits else None, source.problems


def _card(source: _Importer, card: Element, number: int) -> Card:
    title = source.words(card.attributes.get("name", "").strip(), card, f"the name of card {number}", _SHORT)
    what = f"the card '{shortened(title)}'"
    scene = next(card.all("scene"), None)
    if scene is None:
        source.wrong(card, f"{what} has no scene")
    roles = source.roles(card, ("part",), f"of {what}")
    ascending = tuple(sorted(roles, key=lambda role: role.rank))
    if ascending != roles:
        source.note(card, f"{what}: its parts were put in the order of their levels")
    if not 1 <= len(roles) <= MOST_STARS:
        source.wrong(card, f"{what} must have 1 to {MOST_STARS} parts, not {len(roles)}")
    return Card(
        number=number,
        title=source.unlike(source.titles, title, card),
        scene=source.number(scene, "number", _SCENES, f"the scene of {what}") if scene else 1,
        description=source.words(scene.text, scene, f"the text of {what}", _LONG) if scene else "?",
        budget=source.number(card, "budget", BUDGETS, what),
        roles=ascending,
    )


def import_board(root: Element) -> tuple[Board | None, list[Problem]]:
    """The areas and prices of `<board>` on our board, and all that is wrong with them.

    The pixels of the file belong to another picture, so everything is drawn where our board has it.
    """
    source, board = _Importer(root), built_in_board()
    if root.name != "board":
        source.wrong(root, f"the outermost element must be <board>, not <{shortened(root.name)}>")
    found = _areas(source, board)
    _check_neighbours(source, board, found)
    sections = tuple(
        structs.replace(
            section,
            areas=tuple(_area(source, area, found[area.id]) if area.id in found else area for area in section.areas),
        )
        for section in board.sections
    )
    name = source.words(root.attributes.get("name", "").strip(), root, "the name of the board", _SHORT)
    office = found.get(_OTHER_NAMES["office"])
    prices = _prices(source, office) if office else board.prices
    imported = structs.replace(board, name=name, prices=prices, sections=sections)
    if source.fits:
        _check(source, lambda: check_board(imported, ""))
        _note_size(source, format_board(imported))
    return imported if source.fits else None, source.problems


def _id(name: str) -> str:
    """The id of our area; some files write 'TrainStation', or 'trailer'."""
    ours = {area.id.replace("-", ""): area.id for area in built_in_board().areas} | _OTHER_NAMES
    return ours.get(kebab(name).replace("-", ""), kebab(name))


def _areas(source: _Importer, board: Board) -> dict[str, Element]:
    """The elements of the file by the ids of our areas."""
    known = {area.id: area for area in board.areas}
    found: dict[str, Element] = {}
    for element in (one for kind in ("set", "trailer", "office") for one in source.root.all(kind)):
        id = _id(element.attributes.get("name", "") if element.name == "set" else element.name)
        if id not in known:
            source.wrong(element, f"our board has no place for '{shortened(element.attributes.get('name', id))}'")
        elif id in found:
            source.wrong(element, f"'{known[id].name}' is there twice; first on line {found[id].line}")
        else:
            found[id] = element
    for id in known.keys() - found.keys():
        source.wrong(source.root, f"'{known[id].name}' is missing")
    return found


def _check_neighbours(source: _Importer, board: Board, found: dict[str, Element]) -> None:
    """Their board must be our standard layout: our sections can lie in other ways, but not be joined in other ways."""
    names = {area.id: area.name for area in board.areas}
    ours = {
        area.id: {board.areas[number].id for number in near}
        for area, near in zip(board.areas, neighbours(parse_layout("standard", board), board), strict=True)
    }
    theirs = {id: {_id(one.attributes.get("name", "")): one for one in _near(place)} for id, place in found.items()}
    for id, place in found.items():
        for other, element in theirs[id].items():
            if other not in names:
                source.wrong(element, f"'{shortened(element.attributes.get('name', ''))}' is not on the board")
            elif other not in ours[id]:
                source.wrong(element, f"'{names[id]}' and '{names[other]}' are not neighbours in the standard layout")
            elif other in theirs and id not in theirs[other]:
                source.wrong(element, f"'{names[id]}' leads to '{names[other]}', but not the other way round")
        for other in sorted(ours[id] - theirs[id].keys()):
            source.wrong(place, f"'{names[id]}' must have '{names[other]}' as a neighbour, as in the standard layout")


def _near(place: Element) -> Iterator[Element]:
    return place.all("neighbors", "neighbor")


def _area(source: _Importer, area: Area, element: Element) -> Area:
    if area.kind != "set":
        return area
    shots = len(list(element.all("takes", "take")))
    extras = source.roles(element, ("parts", "part"), f"at '{area.name}'")
    geometry = area.geometry
    for what, found, places in (("takes", shots, geometry.shots), ("parts", len(extras), geometry.extras)):
        if found > len(places) or (what == "takes" and not found):
            room = f"our '{area.name}' has room for 1 to {len(places)}" if places else f"our '{area.name}' has no room"
            source.wrong(element, f"{found} {what}: {room}")
    drawn = structs.replace(geometry, shots=geometry.shots[:shots], extras=geometry.extras[: len(extras)])
    return structs.replace(area, shots=shots, extras=extras, geometry=drawn)


def _prices(source: _Importer, office: Element) -> Prices:
    found: dict[str, dict[int, int]] = {"dollars": {}, "credits": {}}
    for upgrade in office.all("upgrades", "upgrade"):
        level = source.number(upgrade, "level", UPGRADE_RANKS, "an upgrade")
        amount = source.number(upgrade, "amt", range(1, 1000), f"the upgrade to level {level}")
        text = upgrade.attributes.get("currency", "")
        currency = _CURRENCIES.get(text.strip().casefold())
        if currency is None:
            source.wrong(upgrade, f"the currency must be 'dollar' or 'credit', not '{shortened(text)}'")
        elif level in found[currency]:
            source.wrong(upgrade, f"the upgrade to level {level} in {currency} is there twice")
        else:
            found[currency][level] = amount
    for currency, amounts in found.items():
        for level in UPGRADE_RANKS:
            if level not in amounts:
                source.wrong(office, f"the upgrade to level {level} in {currency} is missing")
    return Prices(*(tuple(amounts.get(level, 0) for level in UPGRADE_RANKS) for amounts in found.values()))  # type: ignore[arg-type]


def _note_size(source: _Importer, text: str) -> None:
    too_big = size_problem(text)
    if too_big:
        source.problems.append(Problem(None, str(too_big), note=True))


def _check(source: _Importer, check: Callable[[], None]) -> None:
    try:
        check()
    except DataError as error:
        source.problems.append(Problem(None, error.problem))
