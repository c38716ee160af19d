"""The deck editor's questions over HTTP.

Holds `server.protocol.drafts` and `server.workers.drafting`.
"""

import re

import msgspec
import pytest

from deadwood.engine.deck import built_in_deck, parse_deck
from deadwood.engine.loading import FILE_BYTES
from deadwood.server.protocol.drafts import DRAFT_BYTES, TRIAL_GAMES

CARDS = [msgspec.to_builtins(card) for card in built_in_deck("classic").cards]


def ask(server, path, name="Mine", cards=CARDS):
    body = msgspec.json.encode({"name": name, "cards": cards})
    return server.request("POST", path, body, headers={"content-type": "application/json"})


def test_a_good_deck_comes_back_as_a_file_with_its_balance(server):
    status, _, view = ask(server, "/api/decks/draft")
    assert status == 200
    assert view["problems"] == []
    assert parse_deck(view["toml"]).cards == built_in_deck("classic").cards
    assert view["fingerprint"] == built_in_deck("classic").fingerprint
    assert len(view["balance"]["cards"]) == 40
    assert view["balance"]["ranks"] == view["classic"]


def test_a_deck_with_problems_names_them_all(server):
    status, _, view = ask(server, "/api/decks/draft", cards=[CARDS[0] | {"budget": 1}, CARDS[1] | {"title": ""}])
    assert status == 200
    assert [problem["card"] for problem in view["problems"]] == [0, 1]
    assert view["toml"] is view["fingerprint"] is view["balance"] is None
    assert view["limits"]["budgets"] == [2, 3, 4, 5, 6]


LONG = [card | {"description": "\N{LATIN SMALL LETTER O WITH DIAERESIS}" * 400} for card in CARDS for _ in range(3)]
LONG = [
    card | {"number": at, "title": f"Scene {at}", "roles": [{"rank": 1, "name": f"Role {at}", "line": "Oh."}]}
    for at, card in enumerate(LONG, 1)
]


def test_a_deck_whose_file_would_be_too_big_has_a_problem(server):
    status, _, view = ask(server, "/api/decks/draft", cards=LONG)
    assert status == 200
    assert [problem["card"] for problem in view["problems"]] == [None]
    assert re.search(r"its file has 1\d\d,\d{3} bytes, but may have 65,536", view["problems"][0]["text"])
    assert view["toml"] is None
    status, _, refused = ask(server, "/api/decks/trial?games=1", cards=LONG)
    assert (status, "its file has" in refused["sentence"]) == (422, True)


def test_a_deck_that_is_far_too_big_gets_a_sentence_about_its_file(server):
    status, _, refused = ask(server, "/api/decks/draft", cards=LONG + LONG)
    assert (status, refused["code"]) == (413, "file_too_big")
    assert refused["sentence"] == f"A file may have at most {FILE_BYTES} bytes."


def test_a_trial_plays_both_decks(server):
    easy = [card | {"budget": 2} for card in CARDS]
    status, _, view = ask(server, "/api/decks/trial?first=7&games=3", cards=easy)
    assert status == 200
    own, classic = view["own"], view["classic"]
    assert own["games"] == classic["games"] == 3
    assert own["days"] == 4
    assert own["successes"] / own["acts"] > classic["successes"] / classic["acts"]
    assert set(own["cards"]) == {str(number) for number in range(1, 41)}


@pytest.mark.parametrize(
    ("cards", "expected", "sentence"),
    [
        ([CARDS[0] | {"budget": 1}], 422, "budget: must be at least 2, not 1"),
        (CARDS[:9], 409, "A game of one day needs 10 cards, but the deck has 9."),
    ],
)
def test_a_deck_that_cannot_be_played_is_not_tried(server, cards, expected, sentence):
    status, _, refused = ask(server, "/api/decks/trial?games=1", cards=cards)
    assert status == expected
    assert sentence in refused["sentence"]


@pytest.mark.parametrize("path", ["/api/decks/draft", "/api/decks/trial?games=1"])
@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"[]", 400),
        (b'{"name": "x", "cards": [1]}', 400),
        (b'{"name": "x", "cards": [{"title": ' + b"[" * 900 + b"]" * 900 + b"}]}", 400),
        (b'{"name": "x", "cards": [' + b"[" * 5000 + b"]" * 5000 + b"]}", 400),
        (msgspec.json.encode({"name": "x", "cards": [{}] * 201}), 400),
        (b" " * (DRAFT_BYTES + 1), 413),
    ],
)
def test_other_bodies_are_refused(server, path, body, status):
    answer = server.request("POST", path, body, headers={"content-type": "application/json"})
    assert answer[0] == status
    assert answer[2]["sentence"]


@pytest.mark.parametrize("query", [f"games={TRIAL_GAMES + 1}", "games=0", "first=-1", "first=99999999"])
def test_a_trial_has_limits(server, query):
    assert ask(server, f"/api/decks/trial?{query}")[0] == 400
