"""`deadwood print` as people run it; tests/client/test_print.py looks at what it prints.

Holds `cli.print`, `interruption`, `server.chromium` and `server.printing`.
"""

import os
import signal
import subprocess
import sys
import time
import urllib.request

import pytest

from .processes import has_ended
from .test_cli import run

pytestmark = pytest.mark.usefixtures("home")
PATIENCE = 60  # seconds


def test_the_checklist_is_printed_for_a_number_of_players():
    done = run("print", "--checklist", "--players", 5)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("# The host's checklist")
    assert "| 5 | 4 | 40 | 1 | 2 | 47 |" in done.stdout
    assert "| 4 | 4 |" not in done.stdout


def test_the_checklist_speaks_german_and_counts_another_deck():
    done = run("print", "--checklist", "--language", "de", "--deck", "studio")
    assert "Drucke die 60 Szenenkarten" in done.stdout


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("--players", 9), "9 is not in the range 2<=x<=8"),
        (("--paper", "a3"), "'a3' is not one of 'a4', 'letter'"),
        (("--deck", "nowhere.toml"), "'nowhere.toml' is not a file, nor classic or studio."),
        (("--board", "nowhere.toml"), "nowhere.toml"),
        (("--pdf", "nowhere/kit.pdf"), "There is no folder"),
    ],
)
def test_commands_that_cannot_be_run_get_a_sentence(words, problem):
    done = run("print", *words)
    assert done.returncode in (1, 2)
    assert problem in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("named", "problem"),
    [
        ("no-such-browser", "DEADWOOD_CHROMIUM is 'no-such-browser', but there is no such program."),
        ("false", "The browser did not start"),
    ],
)
def test_a_browser_that_cannot_be_used_gets_a_sentence(named, problem):
    done = run("print", "--pdf", "kit.pdf", env={"DEADWOOD_CHROMIUM": named})
    assert done.returncode == 1
    assert problem in done.stderr
    assert not os.path.exists("kit.pdf")


def test_without_a_browser_it_says_what_to_install(home):
    done = run("print", "--pdf", "kit.pdf", env={"PATH": str(home), "DEADWOOD_CHROMIUM": ""})
    assert done.returncode == 1
    assert "install one, or name it in DEADWOOD_CHROMIUM" in done.stderr


BROWSER = "#!/bin/sh\necho $$ > written && mv written number\nexec sleep 600\n"
STARTED_BY_A_SCRIPT = "#!/bin/sh\nsleep 600 &\necho $! > written && mv written number\nwait\n"  # as Debian does


@pytest.mark.parametrize("script", [BROWSER, STARTED_BY_A_SCRIPT], ids=["browser", "script"])
@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_no_browser_is_left_behind_when_it_is_ended(home, end, script):
    browser = home / "browser"
    browser.write_text(script)
    browser.chmod(0o755)
    process = subprocess.Popen(
        ["/bin/sh", "-c", 'trap - HUP; exec "$@"', "sh", sys.executable, "-m", "deadwood", "print", "--pdf", "kit.pdf"],
        env={**os.environ, "DEADWOOD_CHROMIUM": str(browser)},
        stderr=subprocess.DEVNULL,
    )
    wait_until((home / "number").exists)
    process.send_signal(end)
    assert process.wait(PATIENCE) != 0
    number = int((home / "number").read_text())
    wait_until(lambda: has_ended(number))


def wait_until(condition):
    until = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.02)


def test_the_page_is_served_until_it_is_interrupted(home):
    deck = home / "own.toml"
    deck.write_text(OWN, "utf-8")
    command = [sys.executable, "-m", "deadwood", "print", "--deck", deck, "--paper", "letter", "--players", "3"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "BROWSER": "true"}
    )
    try:
        said = process.stdout.readline()
        address = said.split()[2]
        assert address.endswith("/print?paper=letter&ink=full&sides=two&language=en&players=3")
        with urllib.request.urlopen(address.partition("/print")[0] + "/api/kit", timeout=PATIENCE) as answer:
            assert b"One Man's Rehearsal" in answer.read()
    finally:
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (0, "")


OWN = """
name = "Own"
[[cards]]
number = 1
title = "One Man's Rehearsal"
scene = 1
description = "Short."
budget = 2
roles = [{ rank = 1, name = "One Man", line = "Line?" }]
"""
