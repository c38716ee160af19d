"""The print-and-play kit over HTTP."""

import json

import pytest

from deadwood.engine.deck import built_in_deck
from deadwood.engine.loading import FILE_BYTES

from ...own_files import BOARD, DECK, DECK_NAME


def post(server, body, path="/api/kit"):
    return server.request("POST", path, json.dumps(body).encode(), headers={"content-type": "application/json"})


def test_the_kit_of_a_built_in_deck(server):
    assert len(server.get("/api/kit")["deck"]["cards"]) == 40
    kit = server.get("/api/kit?deck=studio&language=de")
    assert [card["number"] for card in kit["deck"]["cards"]] == [card.number for card in built_in_deck("studio").cards]
    assert kit["checklist"].startswith("# Die Checkliste")
    assert kit["setups"][-1]["players"] == 8


def test_an_unknown_deck_is_refused(server):
    status, _, problem = server.request("GET", "/api/kit?deck=marked")
    assert status == 400
    assert "marked" in problem["sentence"]


def test_the_kit_of_files(server):
    status, _, kit = post(server, {"deck": DECK, "board": BOARD})
    assert status == 200
    assert kit["deck"]["name"] == DECK_NAME
    assert "opera-house" in [area["id"] for area in kit["board"]["areas"]]
    assert "| 3 | 10 | 18 | 28 | 40 |" in kit["aid"]
    assert "| General Store | Main Street |" in kit["checklist"]
    status, _, kit = post(server, {"board": BOARD}, "/api/kit?deck=studio")
    assert (status, len(kit["deck"]["cards"])) == (200, 60)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"deck": DECK.replace("budget = 4", "budget = 9", 1)}, 422),
        ({"board": "name = 1"}, 422),
        ({"deck": "[" * 5000}, 422),
        ({"deck": "#" * (FILE_BYTES + 1)}, 400),
        ({"deck": "#" * FILE_BYTES, "board": "\0" * FILE_BYTES}, 413),
        ({"deck": 7}, 400),
        ({"cards": ""}, 400),
        ([], 400),
    ],
    ids=["budget", "board", "nested", "too long", "too big", "number", "unknown", "list"],
)
def test_requests_that_cannot_be_printed_get_a_sentence(server, body, expected):
    status, _, problem = post(server, body)
    assert status == expected
    assert problem["sentence"]


def test_the_line_of_a_mistake_is_named(server):
    _, _, problem = post(server, {"deck": DECK.replace("budget = 4", "budget = 9", 1)})
    assert problem["line"] == DECK[: DECK.index("budget = 4")].count("\n") + 1
