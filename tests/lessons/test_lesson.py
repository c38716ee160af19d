"""A sentence says what is wrong with a lesson, and on which line.

Holds `lessons.script`.
"""

import re

import pytest

from deadwood import DataError
from deadwood.lessons.lesson import DATA, load_lesson, parse_lesson

TEXT = (DATA / "first-scene.toml").read_text("utf-8")
OTHERWISE = '[steps.otherwise]\nen = "Later."\nde = "Später."\n\n[[steps]]\naction = "take star 1"'


def test_the_file_itself_is_right():
    assert parse_lesson(TEXT, "mine.toml").name == "mine"


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("seconds = 90", "seconds = 0", "seconds: must be at least 1, not 0"),
        ("seconds = 90", "minutes = 2", "'minutes'"),
        ('learner = "Frankie"', 'learner = "Nobody"', "there is no player 'Nobody' in the record"),
        ("first: Frankie", "first: Nobody", "record: Line 5"),
        ("Frankie: act = 3 / 6 5 4 1", "Frankie: act = 3 / 6 5 4", "record: Line"),
        ("Frankie: act = 3 / 6 5 4 1", "Frankie: act = 3 / 6 5 4 1 1", "record: Line"),
        ("Frankie: rehearse", "Frankie: end", "record: Line"),
        ("Frankie: rehearse", "Frankie: sing", "record: Line"),
        ("move ranch = card 36", "move ranch = card 2", "record: Line"),
        (
            'action = "rehearse"',
            'action = "act"',
            "step 3: the lesson goes on with 'act', but the record",
        ),
        ('action = "rehearse"', 'action = "sing"', "step 3: 'sing' is not an action"),
        ('["area ranch"]', '["area moon"]', "step 1: there is no 'area moon' to point at"),
        ('["area ranch"]', '["role ranch star 1"]', "step 1: there is no 'role ranch star 1' to point at"),
        ('["role ranch star 1"]', '["role ranch star 4"]', "step 2: there is no 'role ranch star 4' to point at"),
        ('["role ranch star 1"]', '["role moon extra 1"]', "step 2: there is no 'role moon extra 1' to point at"),
        ('["area ranch"]', '["odds"]', "step 1: there is no 'odds' to point at"),
        ('["area ranch"]', '["moon"]', "step 1: there is no 'moon' to point at"),
        ("[steps.not_now.rehearse]", "[steps.not_now.act]", "step 4: 'rehearse' is legal too"),
        ("[steps.not_now.rehearse]", "[steps.not_now.sing]\nen = 'a'\nde = 'b'\n[steps.not_now.rehearse]", "'sing'"),
        ('[[steps]]\naction = "take star 1"', OTHERWISE, "step 1: otherwise: every legal action has its own reason"),
        ('de = "Deine erste Szene"', "", "title: the language 'de' is missing"),
        ('de = "Deine erste Szene"', 'de = "D"\ntlh = "Q"', "title: the language 'tlh' is not one of de, en"),
        ('de = "Noch mal?', 'tlh = "Noch mal?', "step 4: rehearse: the language 'de' is missing"),
        ('en = "Your first scene"', 'en = " "', "title"),
    ],
)
def test_a_lesson_that_is_wrong_is_explained(old, new, problem):
    assert TEXT.count(old) >= 1
    with pytest.raises(DataError) as caught:
        parse_lesson(TEXT.replace(old, new, 1), "mine.toml")
    assert str(caught.value).startswith("mine.toml: ")
    assert problem in str(caught.value)
    assert re.search(r"\(line \d+\)$", str(caught.value))


def test_more_steps_than_decisions_are_refused():
    record, rest = TEXT.split('"""\n\n[title]')
    short = "\n".join(line for line in record.split("\n") if line != "Frankie: end")
    short = re.sub(r"(Frankie|Mabel|Clyde): .*\n", "", short)
    with pytest.raises(DataError, match="there are 7 steps, but the learner acts only 0 times"):
        parse_lesson(f'{short}"""\n\n[title]{rest}', "mine.toml")


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(DataError, match=r"nothing\.toml"):
        load_lesson(tmp_path / "nothing.toml")
