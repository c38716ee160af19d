"""Lessons over HTTP: no table, no socket, nothing stored.

Holds `server.lessons` and `server.protocol.lessons`.
"""

from itertools import pairwise

import pytest

from deadwood.lessons import LESSONS, built_in_lesson
from deadwood.narration import languages

from ..people import serving


def address(name, language="en", step=None):
    return f"/api/lessons/{name}?language={language}" + ("" if step is None else f"&step={step}")


@pytest.mark.parametrize("language", languages())
def test_the_lessons_are_listed_in_a_language(server, language):
    answer = server.get(f"/api/lessons?language={language}")["lessons"]
    assert [one["name"] for one in answer] == list(LESSONS)
    for one in answer:
        lesson = built_in_lesson(one["name"])
        assert one["title"] == lesson.script.title[language]
        assert one["description"] == lesson.script.description[language]
        assert (one["steps"], one["seconds"]) == (lesson.steps, lesson.script.seconds)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_is_taken_from_start_to_end(server, name, language):
    lesson = built_in_lesson(name)
    view = server.get(address(name, language))
    assert (view["step"], view["happened"]) == (0, [])
    for step, coaching in enumerate(lesson.script.steps):
        assert view == server.get(address(name, language, step))
        assert view["caption"] == coaching.caption[language]
        assert view["highlights"] == list(coaching.highlights)
        assert (view["learned"], view["next"]) == ([], None)
        seq = view["table"]["seq"]
        view = server.post(address(name, language), {"step": step, "action": coaching.action})
        assert view["type"] == "lesson"
        assert [one["seq"] for one in view["happened"]] == list(range(seq + 1, view["table"]["seq"] + 1))
        assert view["happened"][0]["chair"] == view["chair"]
        assert view["happened"][-1]["position"]["state"] == view["table"]["position"]["state"]
    assert view == server.get(address(name, language, lesson.steps))
    assert view["step"] == view["steps"] == lesson.steps
    assert view["caption"] == lesson.script.closing[language]
    assert len(view["learned"]) == len(lesson.script.learned)
    assert view["next"] == dict(pairwise(LESSONS)).get(name)


def test_a_lesson_shows_a_table_as_any_other(server):
    view = server.get(address("first-scene"))
    table = view["table"]
    assert [chair["name"] for chair in table["chairs"]] == ["Frankie", "Mabel", "Clyde"]
    assert table["chairs"][view["chair"] - 1]["name"] == "Frankie"
    assert table["position"]["state"]["active"] == 0
    assert table["position"]["scores"] == [5, 32, 22]
    assert {"action": "move ranch"} in table["position"]["offers"]
    refused = {action: one["sentence"] for one in table["position"]["reasons"] for action in one["actions"]}
    assert "no doorway" in refused["move hotel"]
    odds = server.get(address("first-scene", step=2))["table"]["position"]["offers"]
    assert [(one["action"], round(one["chance"], 2)) for one in odds] == [("act", 0.5), ("rehearse", 0.67)]


def test_a_game_that_ends_with_a_lesson_has_a_final_table(server):
    view = server.get(address("ranks", step=built_in_lesson("ranks").steps))
    assert view["table"]["status"] == "finished"
    assert [one["name"] for one in view["table"]["standings"]] == ["Frankie", "Mabel", "Clyde"]


@pytest.mark.parametrize(
    ("action", "language", "sentence", "rule"),
    [
        ("end", "en", "doing nothing is my job", None),
        ("MOVE  Saloon", "en", "while you snored", None),
        ("move train-station", "de", "Fünf-Millionen-Film", None),
        ("move hotel", "en", "There is no doorway", "R4.1"),
        ("move hotel", "de", "Durchgang", "R4.1"),
        ("act", "en", "not working on a role", "R6.1"),
    ],
)
def test_another_action_gets_a_reason_and_changes_nothing(server, action, language, sentence, rule):
    answer = server.post(address("first-scene", language), {"step": 0, "action": action})
    assert answer["type"] == "not_now"
    assert sentence in answer["sentence"]
    assert answer["rule"] == rule


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "sentence"),
    [
        ("GET", "/api/lessons/juggling", None, 404, "There is no lesson 'juggling'"),
        ("POST", "/api/lessons/juggling", {"step": 0, "action": "end"}, 404, "There is no lesson 'juggling'"),
        ("GET", "/api/lessons/ranks?step=6", None, 400, "a whole number from 0 to 5"),
        ("GET", "/api/lessons/ranks?step=-1", None, 400, "a whole number from 0 to 5"),
        ("GET", "/api/lessons/ranks?language=tlh", None, 400, "'language' cannot be 'tlh'"),
        ("GET", "/api/lessons?language=tlh", None, 400, "'language' cannot be 'tlh'"),
        ("POST", "/api/lessons/ranks", {"step": 5, "action": "end"}, 400, "a whole number from 0 to 4"),
        ("POST", "/api/lessons/ranks", {"step": 10**9, "action": "end"}, 400, "step"),
        ("POST", "/api/lessons/ranks", {"step": "1", "action": "end"}, 400, "step"),
        ("POST", "/api/lessons/ranks", {"step": 1}, 400, "action"),
        ("POST", "/api/lessons/ranks", {"step": 1, "action": "sing"}, 409, "'sing' is not an action"),
        ("POST", "/api/lessons/ranks", {"step": 1, "action": "end" * 100}, 400, "action"),
        ("POST", "/api/lessons/ranks", b"x" * 10_000, 413, "at most 8192 bytes"),
        ("DELETE", "/api/lessons/ranks", None, 405, "does not support DELETE"),
    ],
)
def test_wrong_requests_get_a_sentence(server, method, path, body, status, sentence):
    answered, _, answer = server.request(method, path, body)
    assert answered == status
    assert sentence in answer["sentence"]


def test_nothing_is_stored(sqlite_url):
    """Two learners at different steps do not notice each other."""
    first, second = built_in_lesson("ranks").script.steps[:2]
    with serving(sqlite_url) as server:
        server.post(address("ranks"), {"step": 1, "action": second.action})
        assert server.post(address("ranks"), {"step": 0, "action": first.action})["step"] == 1
        assert server.metric("tables") == 0
