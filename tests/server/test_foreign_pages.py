"""What pages of other origins and other machines may do, and what a server behind TLS says about itself."""

import pytest

from .people import serving
from .ports import free_ports

FRIEND, PUBLIC = "https://friends.example.org", "https://play.example.org"
TOKEN = "for the one who looks after it"


@pytest.fixture(scope="module")
def public(tmp_path_factory):
    """A server with a public address, another origin, and a token for its metrics."""
    database = f"sqlite:///{tmp_path_factory.mktemp('public')}/games.sqlite3"
    known = {"url": PUBLIC, "origins": frozenset({FRIEND, PUBLIC}), "metrics_token": TOKEN}
    (port,) = free_ports(1)
    with serving(database, port=port, **known) as server:
        server.url = f"http://127.0.0.1:{port}"
        yield server


def test_browsers_are_told_to_use_tls_if_the_public_address_does(public, server):
    for path in ("/", "/api/about", "/nothing", "/livez"):
        assert public.request("GET", path)[1]["strict-transport-security"] == "max-age=31536000"
        assert "strict-transport-security" not in server.request("GET", path)[1]


def test_a_page_of_an_allowed_origin_may_read_answers(public):
    asked = {
        "origin": FRIEND,
        "access-control-request-method": "PUT",
        "access-control-request-headers": "authorization",
    }
    status, headers, body = public.request("OPTIONS", "/api/bundle", headers=asked)
    assert (status, body) == (204, "")
    assert headers["access-control-allow-origin"] == FRIEND
    assert "PUT" in headers["access-control-allow-methods"]
    assert headers["access-control-allow-headers"] == "authorization, content-type"
    for path, expected in (("/api/about", 200), ("/api/tables/CCCCFFFF", 404)):
        status, headers, _ = public.request("GET", path, headers={"origin": FRIEND})
        assert (status, headers["access-control-allow-origin"]) == (expected, FRIEND)
        assert "origin" in headers["vary"]
        assert "access-control-allow-credentials" not in headers


@pytest.mark.parametrize("method", ["GET", "OPTIONS"])
def test_a_page_of_another_origin_may_not(public, method):
    status, headers, answer = public.request(method, "/api/about", headers={"origin": "https://elsewhere.example.org"})
    assert (status, answer["code"]) == (403, "origin_foreign")
    assert not [name for name in headers if name.startswith("access-control")]


def test_without_an_origin_nothing_is_said_about_it(public):
    assert not [name for name in public.request("GET", "/api/about")[1] if name.startswith("access-control")]
    assert public.request("OPTIONS", "/api/about")[0] == 405


def test_a_slash_too_many_leads_nowhere_else(public):
    """A redirect would repeat the host that the request named."""
    status, headers, answer = public.request("GET", "/api/about/", headers={"host": "evil.example.org"})
    assert (status, answer["code"]) == (404, "page_unknown")
    assert "location" not in headers


def test_metrics_are_for_this_machine_and_for_whoever_has_the_token(public, server):
    assert "deadwood_tables" in public.get("/metrics")
    elsewhere = public.at("192.0.2.1")
    status, _, answer = elsewhere.request("GET", "/metrics")
    assert (status, answer["code"]) == (403, "metrics_private")
    assert elsewhere.request("GET", "/metrics", token="wrong")[0] == 403
    assert elsewhere.request("GET", "/metrics", token=TOKEN)[0] == 200
    assert server.at("192.0.2.1").request("GET", "/metrics", token="")[0] == 403
    assert server.at("192.0.2.1").request("GET", "/metrics", headers={"authorization": "Bearer "})[0] == 403
    assert server.at("127.0.0.1").request("GET", "/metrics")[0] == 403  # whoever reaches the proxy can say so
