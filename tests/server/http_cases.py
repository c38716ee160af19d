"""Requests that schemathesis makes from the OpenAPI document. `test_fuzz.py` runs this in a separate process."""

import json

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, settings

from deadwood import __version__
from deadwood.server.http import openapi

from .fuzzed import TIMES, fuzzed_server
from .people import PATIENCE

schemathesis.serializer.alias("application/toml", "text/plain")
schema = schemathesis.openapi.from_dict(json.loads(openapi.document(__version__)))
CHECKS = [
    schemathesis.checks.not_a_server_error,
    schemathesis.specs.openapi.checks.status_code_conformance,
    schemathesis.specs.openapi.checks.content_type_conformance,
    schemathesis.specs.openapi.checks.response_schema_conformance,
]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    with fuzzed_server(tmp_path_factory.mktemp("fuzz")) as server, requests.Session() as server.line:
        server.line.trust_env = False  # otherwise it looks for proxies before every request
        server.line.headers.clear()  # only those of the case
        yield server


@schema.parametrize()
@settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=12 * TIMES)
def test_http_answers_as_the_openapi_document_says(case, place):
    """Half of the requests go to existing tables, with a valid token."""
    number = len(str(case.body)) + len(str(case.path_parameters))
    if case.path_parameters and "code" in case.path_parameters and number % 2:
        code, token = place.codes[number // 2 % len(place.codes)]
        case.path_parameters["code"] = code
        case.headers = {**(case.headers or {}), "Authorization": f"Bearer {token}"}
        response = case.call(base_url=place.url, session=place.line, timeout=PATIENCE)
        assert response.status_code < 500
        case.validate_response(response, checks=CHECKS)
    else:
        case.call_and_validate(base_url=place.url, session=place.line, timeout=PATIENCE, checks=CHECKS)
