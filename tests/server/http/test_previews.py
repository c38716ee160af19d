"""The preview of a link that people share."""

import html
import re
import struct
import urllib.request

import pytest

from ...client.playing import finish, running_game, waiting_table

MARKUP = 'Ada "<b>" & Co'


def head(server, path, **headers):
    """The properties of a page's preview, and its title."""
    _, _, text = server.request("GET", path, headers=headers)
    found = re.findall(r'<meta (?:property|name)="([^"]+)" content="([^"]*)" />', text)
    (title,) = re.findall("<title>([^<]*)</title>", text)
    return {"title": html.unescape(title), **{name: html.unescape(value) for name, value in found}}


def test_the_start_page_says_what_it_is_and_shows_a_picture(server):
    tags = head(server, "/")
    assert tags["title"] == tags["og:title"] == "Deadwood: bad westerns, worse acting"
    assert "2 to 8 players" in tags["description"] == tags["og:description"]
    assert tags["og:url"] == f"{server.url}/"
    assert tags["twitter:card"] == "summary_large_image"
    status, headers, _ = picture(server, tags["og:image"].removeprefix(server.url))
    assert (status, headers["content-type"]) == (200, "image/png")


def picture(server, path):
    """A PNG with its size."""
    with urllib.request.urlopen(server.url + path) as response:
        body = response.read()
        assert body.startswith(b"\x89PNG")
        return response.status, response.headers, struct.unpack(">II", body[16:24])


def test_the_picture_has_the_size_that_is_said(server):
    tags = head(server, "/")
    _, _, size = picture(server, "/preview.png")
    assert size == (int(tags["og:image:width"]), int(tags["og:image:height"]))


def test_an_invitation_names_the_host_and_who_is_there(server):
    code, _ = waiting_table(server, MARKUP, "Bo")
    tags = head(server, f"/t/{code.lower()}")
    assert tags["og:title"] == f"{MARKUP} invites you to a game of Deadwood"
    assert f"{MARKUP} and Bo" in tags["og:description"]
    _, _, text = server.request("GET", f"/t/{code}")
    assert "<b>" not in text


def test_a_running_and_a_finished_game_say_how_things_are(server):
    code, tokens = running_game(server, "Ada", "Bo", days=1)
    assert head(server, f"/t/{code}")["og:title"] == "Ada and Bo play Deadwood"
    finish(server, code, *tokens)
    won, recorded = head(server, f"/t/{code}"), head(server, f"/t/{code}/games/1")
    assert re.fullmatch("(Ada|Bo|Ada and Bo|Bo and Ada) wins?( together)? at Deadwood", won["og:title"])
    assert re.search(r"1\. (Ada|Bo) \d+, [12]\. (Ada|Bo) \d+", won["og:description"])
    assert recorded["og:title"].startswith("Replay: ")
    assert recorded["og:description"] == won["og:description"]


@pytest.mark.parametrize("path", ["/t/K7RM4TXC", "/t/nothing", "/t/K7RM4TXC/games/x", "/t/K7RM4TXC/games/99999999999"])
def test_unknown_addresses_get_the_start_pages_preview(server, path):
    assert head(server, path)["og:title"] == head(server, "/")["og:title"]


def test_previews_speak_the_language_of_the_reader(server):
    assert head(server, "/rules", **{"accept-language": "de-CH, en"})["og:title"] == "Die Regeln von Deadwood"
    assert head(server, "/rules", **{"accept-language": "de-CH, en"})["og:locale"] == "de_DE"


def test_pictures_are_where_the_reader_found_the_page_but_never_at_a_foreign_address(server):
    near = f"localhost:{server.port}"
    assert head(server, "/", host=near)["og:image"] == f"http://{near}/preview.png"
    assert head(server, "/", host="evil.example")["og:image"] == f"{server.url}/preview.png"
