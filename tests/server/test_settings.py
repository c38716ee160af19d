"""Settings name the public address of a server as browsers write it, and say what it offers."""

import pytest
from click.testing import CliRunner

from deadwood.cli import main
from deadwood.server import command
from deadwood.server.settings import SettingsWrong, origin_of


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
    ("flags", "variables", "talk"),
    [([], {}, True), (["--no-talk"], {}, False), ([], {"DEADWOOD_NO_TALK": "1"}, False)],
)
def test_an_operator_switches_talk_off(monkeypatch, flags, variables, talk):
    served = []
    monkeypatch.setattr(command, "serve", lambda settings, _announce: served.append(settings))
    monkeypatch.setattr(command, "log_to_stderr", lambda: None)
    told = CliRunner().invoke(main, ["serve", *flags], env=variables)
    assert (told.exit_code, [settings.talk for settings in served]) == (0, [talk])
