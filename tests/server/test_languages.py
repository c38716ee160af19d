"""Refusals and rules over HTTP come in the reader's language."""

import pytest

from .people import bots_alone

GERMAN = {"accept-language": "de"}


@pytest.mark.parametrize(
    ("method", "path", "body", "sentence"),
    [
        ("GET", "/api/tables/K7RM4TXC", None, "Hier gibt es keinen Tisch"),
        ("GET", "/api/nothing", None, "Unter dieser Adresse gibt es nichts"),
        ("DELETE", "/api/tables", None, "Diese Adresse kennt kein DELETE"),
        ("POST", "/api/replays", b"\xff", "Eine Aufzeichnung ist UTF-8-Text."),
        ("GET", "/api/rules?language=tlh", None, "'language' kann nicht 'tlh' sein"),
        ("POST", "/api/tables", bots_alone(1), "2 bis 8"),
    ],
)
def test_refusals_come_in_the_readers_language(server, method, path, body, sentence):
    _, _, told = server.request(method, path, body, headers=GERMAN)
    assert sentence in told["sentence"]
    _, _, told = server.request(method, path, body)
    assert sentence not in told["sentence"]


def test_refused_commands_come_in_the_readers_language(server, table):
    code, host_token = table
    address = f"/api/tables/{code}/commands"
    _, _, told = server.request("POST", address, {"type": "start", "id": "a"}, token=host_token, headers=GERMAN)
    assert "Noch nicht bereit" in told["sentence"]


def test_foreign_pages_are_refused_in_the_readers_language(server):
    headers = {**GERMAN, "origin": "https://elsewhere.example"}
    _, _, told = server.request("GET", "/api/about", headers=headers)
    assert "dürfen diesen Server nicht benutzen" in told["sentence"]


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
    _, _, told = server.request("GET", f"/api/nothing{query}", headers={"accept-language": header})
    assert told["sentence"].startswith({"de": "Unter dieser Adresse", "en": "There is nothing"}[language])
    _, _, text = server.request("GET", f"/api/rules{query}", headers={"accept-language": header})
    assert text.startswith({"de": "# Die Regeln", "en": "# The rules"}[language])
