"""What a server counts and measures, the dashboard and the alerts that show it, and the ids in its log.

Holds `server.database_size`.
"""

import json
import re
import socket
from pathlib import Path

import pytest
import yaml
from sqlalchemy import text

from deadwood.server.database_size import DatabaseSize
from deadwood.server.limits import Rate
from deadwood.server.metrics import Counters, Histogram, exposition
from deadwood.server.protocol.refusals import StoreFailed
from deadwood.server.settings import Limits
from deadwood.server.store.database import DatabaseStore
from deadwood.server.store.files import database_file

from .people import new_table, person, serving, started, together, token, until
from .store.changes import opened

DEPLOY = Path(__file__).parents[2] / "deploy"
DASHBOARD = json.loads((DEPLOY / "grafana" / "deadwood.json").read_text("utf-8"))
ALERTS = yaml.safe_load((DEPLOY / "prometheus" / "alerts.yml").read_text("utf-8"))


def exposed(text):
    """The names of all series, from the lines that declare them."""
    names = set()
    for name, kind in re.findall(r"^# TYPE (\S+) (\S+)$", text, re.MULTILINE):
        names |= {f"{name}_bucket", f"{name}_sum", f"{name}_count"} if kind == "histogram" else {name}
    return names


def asked(expressions):
    return {name for one in expressions for name in re.findall(r"deadwood_\w+", one)}


def samples(server):
    """All values by their names and labels."""
    lines = server.get("/metrics").splitlines()
    return {name: float(value) for name, value in (line.split() for line in lines if not line.startswith("#"))}


# --- dashboards and alerts


def test_every_metric_of_the_dashboard_and_the_alerts_exists(server):
    shown = asked(target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"])
    alerting = asked(rule["expr"] for group in ALERTS["groups"] for rule in group["rules"])
    assert shown | alerting <= exposed(server.get("/metrics"))
    assert alerting


def test_the_dashboard_shows_every_metric(server):
    shown = asked(target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"])
    families = {re.sub(r"_(bucket|sum|count)$", "", name) for name in shown}
    unseen = {re.sub(r"_(bucket|sum|count)$", "", name) for name in exposed(server.get("/metrics"))} - families
    assert unseen == set()


def test_codes_in_alerts_are_those_of_refusals():
    from deadwood.server.protocol.refusals import STATUSES

    codes = re.findall(r'code="(\w+)"', (DEPLOY / "prometheus" / "alerts.yml").read_text("utf-8"))
    assert codes
    assert set(codes) <= STATUSES.keys()


def test_panels_neither_overlap_nor_share_an_id():
    places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in DASHBOARD["panels"]]
    assert len(set(places)) == len(places)
    assert len({panel["id"] for panel in DASHBOARD["panels"]}) == len(places)


# --- values


def test_a_histogram_counts_each_value_in_all_larger_buckets():
    histogram = Histogram()
    for seconds in (0.0005, 0.001, 0.3, 60.0):
        histogram.observe(seconds)
    lines = list(histogram.lines("x"))
    assert lines[:2] == ['x_bucket{le="0.001"} 2', 'x_bucket{le="0.0025"} 2']
    assert lines[8] == 'x_bucket{le="0.5"} 3'
    assert lines[-3:] == ['x_bucket{le="+Inf"} 4', "x_sum 60.301500", "x_count 4"]
    assert histogram.count == 4


def test_the_exposition_is_valid():
    counters = Counters()
    counters.refusals.add("stale")
    line = re.compile(r'(# TYPE \w+ (counter|gauge|histogram))|(\w+(\{\w+="[\w.+]+"\})? [0-9.]+)')
    text = exposition(counters, {"database_errors": 1}, {"tables": 2})
    assert text.endswith("\n")
    assert [one for one in text.splitlines() if not line.fullmatch(one)] == []
    assert 'deadwood_refusals_total{code="stale"} 1' in text


@together
async def test_actions_refusals_and_times_are_counted(sqlite_url):
    with serving(sqlite_url) as server:
        body = new_table("Ada", token(), bots=[{"bot": "random"}], options={"first": "Ada"})
        mine = body["chairs"][0]["token"]
        code = server.post("/api/tables", body, status=201)["table"]["code"]
        async with person(server, code, mine) as host:
            await host.be_ready()
            await host.do("start")
            await host.act("end")
            while not host.up:
                await host.hear()
            await host.ask("play", seq=1, action="end")
            server.request("POST", f"/api/tables/{code}/commands", {"type": "start", "id": "x"}, token=mine)
            found = samples(server)
        assert found['deadwood_actions_total{by="person"}'] == 1
        assert found['deadwood_actions_total{by="bot"}'] >= 1
        assert found['deadwood_refusals_total{code="stale"}'] == 1
        assert found['deadwood_refusals_total{code="table_not_waiting"}'] == 1
        assert found["deadwood_command_seconds_count"] == 3  # the refused one is not timed
        assert found["deadwood_commit_seconds_count"] == found["deadwood_commits_total"] > 0
        assert found["deadwood_request_seconds_count"] == 2
        assert found["deadwood_outbox_queue"] == found["deadwood_writer_queue"] == 0


def test_the_size_of_the_database_is_measured(database):
    """The bytes of SQLite's pages, as in its file; what PostgreSQL says, and an empty one has some megabytes."""
    with serving(database) as server:
        size = server.metric("database_bytes")
    file = database_file(database)
    assert size == file.stat().st_size if file is not None else size > 1e6


@together
async def test_the_size_of_the_database_is_followed(postgres_url, monkeypatch):
    async with opened(DatabaseStore.open(postgres_url)) as store:
        size = DatabaseSize(store)
        assert size.bytes is None
        await size.measure()
        before = size.bytes
        await store.administer(_grow)
        await size.measure()
        assert size.bytes - before > 1_000_000

        async def fail(_work):
            raise StoreFailed("no database")

        monkeypatch.setattr(store, "administer", fail)
        await size.measure()
        assert size.bytes is None  # rather than what may be long untrue


def _grow(connection):
    connection.execute(text("CREATE TABLE filled AS SELECT repeat('x', 1000) FROM generate_series(1, 3000)"))
    connection.commit()


@together
async def test_failures_of_the_database_are_counted(postgres, postgres_url):
    with serving(postgres_url) as server:
        async with started(server) as host:
            assert server.metric("database_errors_total") == 0
            name = postgres_url.partition("?")[0].rpartition("/")[2]
            postgres.psql(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false;')
            postgres.psql(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}';")
            assert (await host.ask("play", seq=host.seq + 1, action="end"))["code"] == "not_stored"
            id = host.socket.response.headers["x-request-id"]
            assert "an entry may not be stored" in next(line for line in server.log().splitlines() if id in line)
            assert server.metric("database_errors_total") > 0
            assert "deadwood_outbox_queue" not in server.get("/metrics")
            postgres.psql(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true;')
            await until(lambda: server.request("GET", "/readyz")[0] == 200)


# --- logs


@pytest.fixture
def logged(sqlite_url):
    with serving(sqlite_url, log_requests=True) as server:
        yield server


def lines(server):
    return [json.loads(line) for line in server.log().splitlines()]


def test_a_request_is_found_in_the_log_by_its_id(logged):
    code, mine = logged.make()
    status, headers, _ = logged.request("GET", f"/api/tables/{code}", token=mine)
    line = next(one for one in lines(logged) if one["request"] == headers["x-request-id"])
    assert (line["method"], line["path"], line["status"]) == ("GET", "/api/tables/{code}", status)
    assert line["seconds"] >= 0
    ids = [one["request"] for one in lines(logged)]
    assert len(set(ids)) == len(ids) == 2
    assert code not in logged.log()
    assert mine not in logged.log()


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("/api/tables/{code}/nothing", "/api/tables/…/…"),
        ("/t/{code}/", "/t/…/"),
        ("/t/{code}?language=" + "x" * 3000, "/t/…"),
        ("/{code}" + "/x" * 1000, "/…/…/…/…/…/…/…"),
    ],
)
def test_a_path_that_leads_nowhere_is_logged_without_its_code(logged, path, shown):
    _, headers, _ = logged.request("GET", path.format(code="K7RM4TXC"))
    line = next(one for one in lines(logged) if one["request"] == headers["x-request-id"])
    assert line["path"] == shown
    assert "K7RM4TXC" not in logged.log()


def test_a_request_that_is_refused_before_its_route_is_logged_without_its_code(sqlite_url):
    limits = Limits(address=Rate(1e-6, 1))
    with serving(sqlite_url, log_requests=True, limits=limits) as server:
        assert [server.request("GET", path)[0] for path in ("/livez", "/api/tables/K7RM4TXC")] == [200, 429]
        assert lines(server)[1]["path"] == "/api/tables/…"
        assert "K7RM4TXC" not in server.log()


def test_data_that_is_not_http_cannot_fill_the_log(sqlite_url):
    with serving(sqlite_url) as server:
        with socket.create_connection(("127.0.0.1", server.port)) as line:
            line.sendall(b"\x16\x03\x01 is no HTTP\r\n\r\n")
            assert line.recv(1000).startswith(b"HTTP/1.1 400 ")
        assert server.log() == ""


def test_requests_are_not_logged_unless_wanted(sqlite_url):
    with serving(sqlite_url) as server:
        server.make()
        assert server.log() == ""
