"""XML files of university courses: turned into our formats, with every problem named. All texts here are ours."""

import re
from xml.sax.saxutils import escape, quoteattr

import msgspec
import pytest
from click.testing import CliRunner

from deadwood import DataError, Game, Options, load_board, load_deck
from deadwood.cli import main
from deadwood.engine.board import built_in_board
from deadwood.engine.deck import MOST_CARDS, Deck, built_in_deck, format_deck, parse_deck
from deadwood.engine.layout import neighbours, parse_layout
from deadwood.engine.loading import FILE_BYTES
from deadwood.xml_files import XML_BYTES, import_board, import_deck, read_xml

BOARD, DECK = built_in_board(), built_in_deck("classic")
AREA = '<area x="1" y="2" h="3" w="4"/>'


def part(role):
    line = f"<line>{escape(role.line)}</line>"
    return f'<part name={quoteattr(role.name)} level="{role.rank}">\n{AREA}\n{line}\n</part>'


def cards_xml():
    cards = [
        f'<card name={quoteattr(card.title)} img="{card.number:02}.png" budget="{card.budget}">\n'
        f'<scene number="{card.scene}">\n  {escape(card.description)}\n</scene>\n'
        + "\n".join(map(part, card.roles))
        + "\n</card>"
        for card in DECK.cards
    ]
    return '<?xml version="1.0" encoding="UTF-8"?>\n<cards>\n' + "\n".join(cards) + "\n</cards>\n"


def place_xml(area, near):
    names = {"Trailers": "trailer", "Casting Office": "office"}
    joined = "\n".join(f'<neighbor name="{names.get(one, one)}"/>' for one in near)
    inside = f"<neighbors>\n{joined}\n</neighbors>\n{AREA}\n"
    if area.kind == "trailers":
        return f"<trailer>\n{inside}</trailer>"
    if area.kind == "casting office":
        upgrades = [
            f'<upgrade level="{price.rank}" currency="{currency}" amt="{amount}">{AREA}</upgrade>'
            for price in BOARD.price_list
            for currency, amount in (("dollar", price.dollars), ("credit", price.credits))
        ]
        return f'<office name="office">\n{inside}<upgrades>\n' + "\n".join(upgrades) + "\n</upgrades>\n</office>"
    takes = "".join(f'<take number="{number}">{AREA}</take>' for number in range(area.shots, 0, -1))
    parts = "\n".join(map(part, area.extras))
    return f'<set name="{area.name}">\n{inside}<takes>{takes}</takes>\n<parts>\n{parts}\n</parts>\n</set>'


def board_xml():
    joined = neighbours(parse_layout("standard", BOARD), BOARD)
    places = [
        place_xml(area, [BOARD.areas[number].name for number in near])
        for area, near in zip(BOARD.areas, joined, strict=True)
    ]
    return '<?xml version="1.0"?>\n<board name="Deadwood">\n' + "\n".join(places) + "\n</board>\n"


CARDS_XML, BOARD_XML = cards_xml(), board_xml()


@pytest.fixture
def files(tmp_path):
    """Writes the two files and imports them; returns the exit code and the output."""

    def bring(cards=CARDS_XML, board=BOARD_XML, *more):
        for name, text in (("cards.xml", cards), ("board.xml", board)):
            (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        command = ["deck", "import", str(tmp_path / "cards.xml"), "--board", str(tmp_path / "board.xml")]
        done = CliRunner().invoke(main, [*command, "--out", str(tmp_path / "own"), *more])
        return done.exit_code, done.output

    bring.folder = tmp_path / "own"
    return bring


def test_both_files_become_ours(files):
    code, output = files(CARDS_XML, BOARD_XML, "--name", "Course")
    assert code == 0, output
    assert "deck.toml is written" in output
    assert "pixels belong to another picture" in output
    deck, board = load_deck(files.folder / "deck.toml"), load_board(files.folder / "board.toml")
    assert (deck.name, deck.cards) == ("Course", DECK.cards)
    assert (board.name, board.sections, board.prices) == ("Deadwood", BOARD.sections, BOARD.prices)
    assert deck.fingerprint == DECK.fingerprint
    Game.new(["Ada", "Bo"], Options(), deck=deck, board=board)


def test_files_that_exist_are_kept(files):
    files()
    code, output = files()
    assert code == 1
    assert "already; name another folder with --out" in output


def line_of(text, part):
    return text[: text.index(part)].count("\n") + 1


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (' budget="4">', ">", "has no budget"),
        (' budget="4">', ' budget="9">', "budget must be from 2 to 6, not '9'"),
        (' budget="4">', ' budget="four">', "budget must be from 2 to 6, not 'four'"),
        ('level="2">', 'level="7">', "level must be from 1 to 6, not '7'"),
        ('level="2">', 'level="-1">', "level must be from 1 to 6"),
        ('name="Town Clock"', "", "the name of a part of the card 'High Noonish' is missing"),
        ('<scene number="37">', "<scene>", "the scene of the card 'High Noonish' has no number"),
        ('name="High Noonish"', f'name="{"x" * 101}"', "has 101 characters, and may have 100"),
        ("<line>Bong. Bong. Sorry, how many was that?</line>", "", "the line of 'Town Clock' is missing"),
    ],
)
def test_problems_of_cards_are_reported_with_their_line(files, old, new, problem):
    text = CARDS_XML.replace(old, new, 1)
    code, output = files(text)
    assert code == 1
    found = re.search(rf"cards.xml:(\d+): .*{re.escape(problem)}", output)
    assert found, output
    assert abs(int(found[1]) - line_of(CARDS_XML, old)) <= 2  # an element begins above its line
    assert "1 problem; nothing was written." in output
    assert not files.folder.exists()


@pytest.mark.parametrize(
    ("old", "new", "problems"),
    [
        ('<set name="Jail">', '<set name="Moon">', ["our board has no place for 'Moon'", "'Jail' is missing"]),
        ('<set name="Jail">', '<set name="Church">', ["'Church' is there twice", "'Jail' is missing"]),
        ('<neighbor name="Jail"/>', "", ["must have 'Jail' as a neighbour", "but not the other way round"]),
        ('<neighbor name="Jail"/>', '<neighbor name="Bank"/>', ["are not neighbours in the standard layout"]),
        ('<neighbor name="Jail"/>', '<neighbor name="Moon"/>', ["'Moon' is not on the board"]),
        ("<takes>", f'<takes><take number="4">{AREA}</take>', ["4 takes: our 'Train Station' has room for 1 to 3"]),
        ('level="3" currency="dollar"', 'level="3" currency="gold"', ["'dollar' or 'credit', not 'gold'"]),
        (
            'level="3" currency="dollar"',
            'level="2" currency="dollar"',
            ["is there twice", "level 3 in dollars is missing"],
        ),
        ('currency="dollar" amt="4"', 'currency="dollar" amt="40"', ["prices must rise"]),
        ('currency="dollar" amt="4"', 'currency="dollar"', ["the upgrade to level 2 has no amt"]),
        ('<board name="Deadwood">', "<board>", ["the name of the board is missing"]),
    ],
)
def test_problems_of_a_board_are_reported(files, old, new, problems):
    code, output = files(CARDS_XML, BOARD_XML.replace(old, new, 1))
    assert code == 1
    for problem in problems:
        assert re.search(rf"board.xml(:\d+)?: .*{re.escape(problem)}", output), output
    assert not files.folder.exists()


def test_all_problems_of_both_files_are_named(files):
    cards = CARDS_XML.replace(' budget="4">', ">").replace('level="6">', 'level="8">')
    code, output = files(cards, BOARD_XML.replace('level="1">', 'level="0">'))
    wrong = CARDS_XML.count(' budget="4">') + CARDS_XML.count('level="6">') + BOARD_XML.count('level="1">')
    assert code == 1
    assert f"{wrong} problems; nothing was written." in output


def test_equal_names_are_told_apart_and_parts_put_in_order(files):
    cards = CARDS_XML.replace('name="Town Clock"', 'name="Puzzled Stable Hand"').replace(
        'name="Sheriff Dot Larkin" level="5"', 'name="Sheriff Dot Larkin" level="1"'
    )
    code, output = files(cards)
    assert code == 0
    assert "note: 'Puzzled Stable Hand' is there already; this one is called 'Puzzled Stable Hand (2)'" in output
    assert "note: the card 'High Noonish': its parts were put in the order of their levels" in output
    roles = load_deck(files.folder / "deck.toml").cards[1].roles
    assert [role.name for role in roles] == ["Puzzled Stable Hand (2)", "Sheriff Dot Larkin", "Busy Gunslinger"]


def test_equal_titles_are_told_apart(files):
    """The published deck shoots some films twice; a role may share a title's name."""
    cards = CARDS_XML.replace('name="High Noonish"', 'name="A Stranger in the Wrong Town"')
    code, output = files(cards.replace('name="Town Clock"', 'name="Grass, a Motion Picture"'))
    assert code == 0, output
    renamed = "A Stranger in the Wrong Town (2)"
    assert f"note: 'A Stranger in the Wrong Town' is there already; this one is called '{renamed}'" in output
    assert output.count("note:") == 1
    assert [card.title for card in load_deck(files.folder / "deck.toml").cards[:2]] == [renamed[:-4], renamed]


def test_places_may_be_written_as_one_word_and_all_be_sets(files):
    board = re.sub(r'name="(\w+) (\w+)"', r'name="\1\2"', BOARD_XML)
    for old, new in (("trailer", "Trailer"), ("office", "CastingOffice")):
        board = re.sub(f"<{old}( [^>]*)?>", f'<set name="{new}">', board).replace(f"</{old}>", "</set>")
    assert 'name="TrainStation"' in board
    code, output = files(CARDS_XML, board)
    assert code == 0, output
    assert load_board(files.folder / "board.toml").prices == BOARD.prices


def card_xml(title, *names):
    parts = "".join(f'<part name="{name}" level="1"><line>Oh.</line></part>' for name in names)
    return f'<card name="{title}" budget="2"><scene number="1">Oh.</scene>{parts}</card>'


@pytest.mark.parametrize("count", [MOST_CARDS, 340])
def test_any_number_of_equal_names_is_told_apart(files, count):
    code, output = files("<cards>" + "".join(card_xml(at, *"AAA") for at in range(count)) + "</cards>")
    assert (code, "Traceback" in output) == (count > MOST_CARDS, False)
    assert ("this one is called 'A (600)'" in output) == (count == MOST_CARDS)
    assert (f"there are {count} cards; a deck may have at most {MOST_CARDS}" in output) == (count > MOST_CARDS)


def test_a_card_with_a_thousand_equal_parts_gets_a_sentence(files):
    code, output = files(f"<cards>{card_xml('Crowd', *'A' * 1001)}</cards>")
    assert code == 1
    assert "the card 'Crowd' must have 1 to 3 parts, not 1001" in output


def test_a_long_name_is_shortened_without_a_space_at_its_end(files):
    names = [f"{'x' * 89} {end}" for end in ("y" * 10, "Y" * 10, "z" * 10, "z" * 10)]
    assert files(f"<cards>{card_xml('One', *names[:2])}{card_xml('Two', *names[2:])}</cards>")[0] == 0
    deck = load_deck(files.folder / "deck.toml")
    named = [role.name for card in deck.cards for role in card.roles]
    assert named == [names[0], f"{'x' * 89} (2)", names[2], f"{'x' * 89} (3)"]


@pytest.mark.parametrize("title", ["x" * 100, "x" * 101])
@pytest.mark.parametrize("description", ["x" * 400, "x" * 401])
@pytest.mark.parametrize("scene", [1, 9999, 0, 10_000])
def test_the_limits_are_those_of_our_format(files, title, description, scene):
    card = msgspec.structs.replace(DECK.cards[0], title=title, description=description, scene=scene)
    try:
        parse_deck(format_deck(Deck("Course", (card,))))
    except DataError:
        expected = 1
    else:
        expected = 0
    code, _ = files(
        f'<cards><card name="{title}" budget="2"><scene number="{scene}">{description}</scene>'
        '<part name="A" level="1"><line>Oh.</line></part></card></cards>'
    )
    assert code == expected


def test_a_deck_too_big_for_our_format_is_noted(files):
    cards = [card_xml(at, f"Part {at}").replace("Oh.", "x" * 400) for at in range(120)]
    code, output = files(f"<cards>{''.join(cards)}</cards>")
    size = (files.folder / "deck.toml").stat().st_size
    assert (code, size > FILE_BYTES) == (0, True)
    assert f"cards.xml: note: its file has {size:,} bytes, but may have {FILE_BYTES:,}" in output


BOMB = '<?xml version="1.0"?>\n<!DOCTYPE cards [\n<!ENTITY a "aaaa">\n<!ENTITY b "&a;&a;&a;">\n]>\n<cards>&b;</cards>'
OUTSIDE = '<?xml version="1.0"?>\n<!DOCTYPE cards [<!ENTITY a SYSTEM "file:///etc/passwd">]>\n<cards>&a;</cards>'


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "this is not XML: no element found"),
        ("name = 3", "this is not XML"),
        ("<cards><card></cards>", "this is not XML: mismatched tag (line 1)"),
        (BOMB, "entities are not allowed (line 3)"),
        (OUTSIDE, "entities are not allowed (line 2)"),
        ("\0" * 100, "this is not XML"),
        ("<cards>" * 100_000, "this is not XML: no element found"),
        ('<?xml version="1.0" encoding="klingon"?><cards/>', "cards.xml: this"),
        ("<cards/>", "there must be at least 1"),
        ("<cards>" + "<card/>" * MOST_CARDS + "</cards>", f"the name of card {MOST_CARDS} is missing"),
        ("<cards>" + "<card/>" * 300 + "</cards>", f"there are 300 cards; a deck may have at most {MOST_CARDS}"),
        ("<movies/>", "the outermost element must be <cards>, not <movies>"),
        ("<cards>" + " " * XML_BYTES + "</cards>", "at most 1,000,000 bytes"),
    ],
)
def test_other_files_get_a_sentence(files, text, problem):
    code, output = files(text)
    assert (code, "Traceback" in output) == (1, False)
    assert problem in output


def test_a_file_may_name_a_document_type(files):
    assert files(CARDS_XML.replace("<cards>", '<!DOCTYPE cards SYSTEM "cards.dtd">\n<cards>'))[0] == 0


def test_the_library_can_import_as_well(tmp_path):
    path = tmp_path / "cards.xml"
    path.write_text(CARDS_XML, "utf-8")
    deck, problems = import_deck(read_xml(path), "Course")
    assert (deck.cards, problems) == (DECK.cards, [])
    path.write_text(BOARD_XML, "utf-8")
    board, problems = import_board(read_xml(path))
    assert (board.sections, problems) == (BOARD.sections, [])
    assert import_board(read_xml(path))[0] == board
    path.write_text("<", "utf-8")
    with pytest.raises(DataError, match=r"cards.xml: this is not XML: .* \(line 1\)"):
        read_xml(path)
