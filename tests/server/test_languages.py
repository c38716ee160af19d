"""Everything that people read comes in their language: refusals, rules, cards, places and events.

Holds `server.tables.catalogue`.
"""

import pytest

from ..own_files import BOARD, DECK
from .people import bots_alone, person, started, together

GERMAN = {"accept-language": "de"}


@pytest.mark.parametrize(
    ("method", "path", "body", "sentence"),
    [
        ("GET", "/api/tables/K7RM4TXC", None, "Hier gibt es keinen Tisch"),
        ("GET", "/api/nothing", None, "Unter dieser Adresse gibt es nichts"),
        ("DELETE", "/api/tables", None, "Diese Adresse kennt kein DELETE"),
        ("POST", "/api/replays", b"\xff", "Eine Aufzeichnung ist UTF-8-Text."),
        ("GET", "/api/rules?language=tlh", None, "„language“ kann nicht „tlh“ sein"),
        ("POST", "/api/tables", bots_alone(1), "2 bis 8"),
    ],
)
def test_refusals_come_in_the_readers_language(server, method, path, body, sentence):
    _, _, answer = server.request(method, path, body, headers=GERMAN)
    assert sentence in answer["sentence"]
    _, _, answer = server.request(method, path, body)
    assert sentence not in answer["sentence"]


def test_refused_commands_come_in_the_readers_language(server, table):
    code, host_token = table
    address = f"/api/tables/{code}/commands"
    _, _, answer = server.request("POST", address, {"type": "start", "id": "a"}, token=host_token, headers=GERMAN)
    assert "Noch nicht bereit" in answer["sentence"]


def test_foreign_pages_are_refused_in_the_readers_language(server):
    headers = {**GERMAN, "origin": "https://elsewhere.example"}
    _, _, answer = server.request("GET", "/api/about", headers=headers)
    assert "dürfen diesen Server nicht benutzen" in answer["sentence"]


@pytest.mark.parametrize(
    ("query", "header", "language"),
    [
        ("", "de-AT,de;q=0.9,en;q=0.8", "de"),
        ("", "tlh, DE;q=0.5, en;q=0.1", "de"),
        ("", "en-GB,de;q=0.5", "en"),
        ("", "tlh", "en"),
        ("", ";,-;q=,\xff", "en"),
        ("?language=de", "en", "de"),
        ("?language=en", "de", "en"),
    ],
)
def test_the_query_and_then_the_header_choose_the_language(server, query, header, language):
    _, _, answer = server.request("GET", f"/api/nothing{query}", headers={"accept-language": header})
    assert answer["sentence"].startswith({"de": "Unter dieser Adresse", "en": "There is nothing"}[language])
    _, _, text = server.request("GET", f"/api/rules{query}", headers={"accept-language": header})
    assert text.startswith({"de": "# Die Regeln", "en": "# The rules"}[language])


def test_cards_and_places_come_in_the_readers_language(server):
    english, german = (server.get(f"/api/decks/studio?language={language}") for language in ("en", "de"))
    assert [card["number"] for card in german["cards"]] == [card["number"] for card in english["cards"]]
    assert english["cards"][1]["title"] == "High Noonish"
    assert german["cards"][1]["title"] == "So gegen zwölf Uhr mittags"
    english, german = (server.get(f"/api/board?language={language}") for language in ("en", "de"))
    assert [area["id"] for area in german["areas"]] == [area["id"] for area in english["areas"]]
    assert german["prices"] == english["prices"]
    station = next(area for area in german["areas"] if area["id"] == "train-station")
    assert (station["name"], station["extras"][0]["name"]) == ("Bahnhof", "Herrenloser Koffer")
    assert server.request("GET", "/api/board", headers=GERMAN)[2] == german
    assert server.get("/api/board") == english


def test_a_kit_comes_in_the_readers_language(server):
    kit = server.get("/api/kit?language=de")
    assert kit["deck"]["cards"][1]["title"] == "So gegen zwölf Uhr mittags"
    assert kit["sections"][0]["name"] == "Kramladen"
    assert {area["name"] for area in kit["board"]["areas"]} >= {"Hauptstraße", "Geheimversteck"}
    for text in (kit["aid"], kit["checklist"]):
        assert "Casting-Büro" in text
        assert "Casting Office" not in text


def test_files_of_a_table_keep_their_own_texts_and_known_ones_are_translated(server):
    code, host = server.make()
    for kind, text in (("deck", DECK), ("board", BOARD)):
        headers = {"content-type": "application/toml"}
        path = f"/api/tables/{code}/{kind}"
        assert server.request("PUT", path, text.encode(), token=host, headers=headers)[0] == 200
    deck = server.get(f"/api/tables/{code}/deck?language=de")
    assert deck["cards"][0]["title"] == "Reel 101"
    board = server.get(f"/api/tables/{code}/board?language=de")
    names = {area["id"]: area["name"] for area in board["areas"]}
    assert (names["opera-house"], names["train-station"]) == ("Opera House", "Bahnhof")
    assert server.request("GET", f"/api/tables/{code}/deck?language=tlh")[0] == 400


@together
async def test_everybody_hears_what_happens_in_their_own_language(server):
    options = {"dice": "table", "first": "Ada"}
    async with started(server, options=options) as host, person(server, host.code, language="de") as watcher:
        await host.act("move saloon", outcome="2")
        await watcher.hear_update(host.seq)
        (moved, turned), (english_move, english_turn) = watcher.updates[-1]["events"], host.updates[-1]["events"]
        assert (moved["origin"], moved["area_id"]) == ("Wohnwagen", "saloon")
        assert turned["title"] == "So gegen zwölf Uhr mittags"
        assert (english_move["origin"], english_turn["title"]) == ("Trailers", "High Noonish")
        assert watcher.updates[-1]["sentences"][0] == "Ada geht von den Wohnwagen zum Saloon."
        assert "Wohnwagen" in watcher.updates[-1]["sentences"][0]
        assert watcher.updates[-1]["action"] == host.updates[-1]["action"] == "move saloon = card 2"


@together
async def test_cards_are_found_by_their_titles_in_any_language(server):
    options = {"dice": "table", "first": "Ada"}
    async with started(server, options=options) as host, person(server, host.code, language="de") as watcher:
        for text in ("gegen zwölf", "noonish", "GEGEN ZWOLF"):
            for one in (host, watcher):
                found = await one.ask("find_cards", text=text)
                assert (found["cards"], found["card"]) == ([2], 2)
        several = (await watcher.ask("find_cards", text="der"))["sentence"]
        assert "8 „Der Suchtrupp gründet einen Verein“" in several
        await host.act("move saloon", outcome="gegen zwölf uhr")
        assert host.updates[-1]["action"] == "move saloon = card 2"
        refused = (await watcher.ask("find_cards", text="noonish"))["sentence"]
        assert refused == "Karte 2, „So gegen zwölf Uhr mittags“, liegt schon offen im Saloon."


def test_replays_come_in_the_readers_language(server):
    made = server.post("/api/tables", {**bots_alone(2, days=1), "start": True}, status=201)
    code = made["table"]["code"]

    async def finish():
        async with person(server, code) as watcher:
            while watcher.status == "running":
                await watcher.hear()

    together(finish)()
    english, german = (
        server.get(f"/api/tables/{code}/games/1/replay?language={language}") for language in ("en", "de")
    )
    assert [step["state"] for step in german["steps"]] == [step["state"] for step in english["steps"]]
    turned = [
        [event["title"] for step in one["steps"] for event in step["events"] if event["type"] == "CardTurned"]
        for one in (english, german)
    ]
    assert len(turned[0]) == len(turned[1]) > 0
    assert not set(turned[0]) & set(turned[1])
