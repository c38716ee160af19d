"""The OpenAPI document and docs/server.md cover everything that the code does.

Holds `server.http.openapi`, `server.http.operations`, `server.http.routes`, `server.protocol.answers`,
`server.protocol.commands`, `server.protocol.messages` and `server.protocol.refusals`.
"""

import json
import re
from pathlib import Path
from typing import get_args

from msgspec import structs
from starlette.routing import Route

from deadwood import __version__
from deadwood.server.app import make_app
from deadwood.server.http.openapi import document
from deadwood.server.http.operations import OPERATIONS
from deadwood.server.protocol import commands, messages
from deadwood.server.protocol.refusals import STATUSES
from deadwood.server.settings import Settings

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "server.md").read_text("utf-8")
DOCUMENT = json.loads(document(__version__))


def tag(kind):
    return kind.__struct_config__.tag


def test_every_route_is_documented():
    app = make_app(Settings(database=""), store=None)
    routes = [route for route in app.routes if isinstance(route, Route) and route.path.startswith("/api/")]
    served = {(method, route.path) for route in routes for method in route.methods if method != "HEAD"}
    documented = {(method.upper(), path) for path, methods in DOCUMENT["paths"].items() for method in methods}
    assert served - {("GET", "/api/openapi.json")} == documented
    assert len(documented) == len(OPERATIONS)


def test_every_operation_has_a_summary_and_lists_its_refusals():
    for methods in DOCUMENT["paths"].values():
        for operation in methods.values():
            assert operation["summary"].endswith(".")
            assert {"400", "403", "429", "503"} <= set(operation["responses"])


def test_every_status_is_documented():
    named = set(map(int, re.findall(r"\b[45]\d\d\b", PAGE)))
    assert {*STATUSES.values(), 409} <= named


def test_every_command_is_documented_with_its_fields():
    for command in get_args(commands.AnyCommand):
        row = re.search(rf"^\| `{tag(command)}` \|.*$", PAGE, re.MULTILINE)
        assert row, tag(command)
        for field in structs.fields(command):
            assert field.name == "id" or f"`{field.name}`" in row[0], (tag(command), field.name)


def test_every_message_is_documented():
    unasked = [messages.Update, messages.Problem, messages.OutcomeWanted, messages.Present, messages.Goodbye]
    for kind in (*unasked, *get_args(messages.Answer)):
        assert re.search(rf"^\| .*`{tag(kind)}`.* \|", PAGE, re.MULTILINE), tag(kind)


def test_every_operation_is_documented():
    for operation in OPERATIONS:
        assert re.search(rf"`{operation.method} {re.escape(operation.path)}[?`]", PAGE), operation.path


def test_every_flag_is_documented():
    from click.testing import CliRunner

    from deadwood.cli import main

    text = CliRunner().invoke(main, ["serve", "--help"]).output
    for flag in re.findall(r"^  (--[a-z-]+)", text, re.MULTILINE):
        assert f"`{flag}`" in PAGE, flag
