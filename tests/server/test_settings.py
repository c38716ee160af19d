"""Settings name the public address of a server as browsers write it, and say what it offers and whom to ask."""

import pytest
from click.testing import CliRunner

from deadwood.cli import main
from deadwood.server import command
from deadwood.server.settings import SettingsWrong, contact_of, origin_of


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://play.example.org", "https://play.example.org"),
        ("https://Play.Example.org:8443/", "https://play.example.org:8443"),
        ("http://[::1]:8000", "http://[::1]:8000"),
        ("https://play.example.org:443", "https://play.example.org"),
        ("http://play.example.org:80/", "http://play.example.org"),
        ("https://play.example.org:80", "https://play.example.org:80"),
    ],
)
def test_the_origin_of_an_address(url, origin):
    assert origin_of(url) == origin


WRONG = ["play.example.org", "ftp://x", "https://", "https://x/path", "https://x?y", ""]
WRONG += ["http://[", "http://x:99999", "http://x:y", "http://a:b@x", "http://x#y"]


@pytest.mark.parametrize("url", WRONG)
def test_other_texts_are_refused(url):
    with pytest.raises(SettingsWrong):
        origin_of(url)


@pytest.mark.parametrize(
    ("text", "contact"),
    [
        ("admin@example.org", "mailto:admin@example.org"),
        ("mailto:admin@example.org", "mailto:admin@example.org"),
        ("https://example.org/contact", "https://example.org/contact"),
    ],
)
def test_a_contact(text, contact):
    assert contact_of(text) == contact


@pytest.mark.parametrize(
    "text", ["admin", "http://example.org", "a@b@c", "a b@c", "mailto:", "https://a b", "ftp://x@y"]
)
def test_invalid_contacts_are_refused(text):
    with pytest.raises(SettingsWrong):
        contact_of(text)


@pytest.mark.parametrize(
    ("flags", "variables", "talk"),
    [([], {}, True), (["--no-talk"], {}, False), ([], {"DEADWOOD_NO_TALK": "1"}, False)],
)
def test_an_operator_switches_talk_off(monkeypatch, flags, variables, talk):
    served = []
    monkeypatch.setattr(command, "serve", lambda settings, _announce: served.append(settings))
    monkeypatch.setattr(command, "log_to_stderr", lambda _requests: None)
    done = CliRunner().invoke(main, ["serve", *flags], env=variables)
    assert (done.exit_code, [settings.talk for settings in served]) == (0, [talk])
