"""The files in `deploy` fit the server: options, addresses, names and networks."""

import configparser
import re
from fnmatch import fnmatch
from pathlib import Path
from urllib.parse import urlsplit

import click
import pytest
import yaml

from deadwood.cli import main
from deadwood.server.http.routes import routes
from deadwood.server.networks import Networks, parse_network
from deadwood.server.settings import origin_of
from deadwood.server.store.opening import database_url

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
DOCKERFILE = (DEPLOY / "Dockerfile").read_text("utf-8")
CADDYFILE = (DEPLOY / "Caddyfile").read_text("utf-8")
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
SERVERS = {name: one for name, one in COMPOSE["services"].items() if one.get("image") == "deadwood"}
UNITS = sorted(DEPLOY.glob("*.service"))
HOSTING = (ROOT / "docs" / "hosting.md").read_text("utf-8")


def parsed(words):
    """The options in one of our command lines; an unknown option raises a usage error."""
    command, words = main, list(words)
    while isinstance(command, click.Group):
        command = command.commands[words.pop(0)]
    return command.make_context(
        "deadwood", words, **main.context_settings
    ).params  # click remembers the names of --help


def variables():
    """The environment variables that our commands read."""
    commands = [main.commands[name] for name in ("serve", "backup")]
    return {option.envvar for command in commands for option in command.params if option.envvar}


def unit(path):
    """A systemd unit. If a key is there twice, such as SystemCallFilter, the last one counts."""
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str
    parser.read_string(path.read_text("utf-8"))
    return parser


# --- the image


def test_the_image_does_not_run_as_root_and_asks_for_its_health():
    assert re.findall(r"^USER (.*)$", DOCKERFILE, re.MULTILINE) == ["10001"]
    checked = urlsplit(re.search(r"urlopen\('([^']+)'", DOCKERFILE)[1])
    assert checked.path in {route.path for route in routes()}
    assert f"EXPOSE {checked.port}" in DOCKERFILE


def test_the_image_starts_the_server():
    words = yaml.safe_load(re.search(r"^CMD (\[\"serve.*)$", DOCKERFILE, re.MULTILINE)[1])
    given = parsed(words)
    assert (given["host"], given["port"]) == ("0.0.0.0", 8000)
    url = re.search(r"DEADWOOD_DATABASE=(\S+)", DOCKERFILE)[1]
    assert database_url(url).database == "/data/games.sqlite3"
    assert "DEADWOOD_DATABASE" in variables()


def test_the_image_is_built_from_all_files_that_it_needs():
    """`pip install .` needs what the build reads; everything else stays out, above all .env."""
    rules = (DEPLOY / "Dockerfile.dockerignore").read_text("utf-8").split()
    allowed = [rule[1:] for rule in rules if rule.startswith("!")]
    assert rules[0] == "*"
    assert {"client", "src", "pyproject.toml", "hatch_build.py", "constraints.txt", "README.md", "LICENSE"} <= set(
        allowed
    )
    assert [name for name in allowed if not (ROOT / name).exists()] == []
    assert not any(fnmatch("deploy/.env", rule) for rule in allowed)


# --- compose and Caddy


def test_there_are_two_equal_servers_behind_the_proxy():
    one, other = SERVERS.values()
    assert one == other
    proxied = re.search(r"reverse_proxy (.*) \{", CADDYFILE)[1].split()
    assert proxied == [f"{name}:8000" for name in SERVERS]
    health = re.search(r"health_uri (\S+)", CADDYFILE)[1]
    assert health in {route.path for route in routes()}


def test_servers_know_the_network_of_the_proxy_and_their_address():
    (server, *_) = SERVERS.values()
    words = [re.sub(r"\$\{(\w+)[^}]*\}", "play.example.org", word) for word in server["command"]]
    given = parsed(words)
    (network,) = COMPOSE["networks"]["default"]["ipam"]["config"]
    assert list(given["proxies"]) == [network["subnet"]]
    assert "172.30.57.9" in Networks(given["proxies"])
    assert parse_network(network["subnet"]).is_private
    assert origin_of(given["url"]) == "https://play.example.org"


def test_servers_use_the_database_of_the_compose_file():
    (server, *_) = SERVERS.values()
    url = database_url(server["environment"]["DEADWOOD_DATABASE"].replace("${POSTGRES_PASSWORD}", "secret"))
    given = COMPOSE["services"]["postgres"]["environment"]
    assert (url.username, url.database) == (given["POSTGRES_USER"], given["POSTGRES_DB"])
    assert url.host in COMPOSE["services"]
    assert server["environment"].keys() <= variables()


def test_servers_can_do_little_else():
    for server in SERVERS.values():
        assert server["read_only"] is True
        assert server["cap_drop"] == ["ALL"]
        assert server["security_opt"] == ["no-new-privileges:true"]
        assert "ports" not in server


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/t/K7RM4TXC", "K7RM4TXC"),
        ("/api/tables/K7RM4TXC", "K7RM4TXC"),
        ("/api/tables/K7RM4TXC/socket", "K7RM4TXC"),
        ("/api/tables/K7RM4TXC/games/1/record", "K7RM4TXC"),
        ("/api/tables", None),
        ("/tutorial", None),
    ],
)
def test_the_code_of_a_table_decides_which_server_gets_a_request(path, code):
    found = re.search(re.search(r"path_regexp table (\S+)", CADDYFILE)[1], path)
    assert (found[1] if found else None) == code
    assert re.search(r"lb_policy header (\S+)", CADDYFILE)[1] in CADDYFILE.split("request_header @table ")[1]


def test_prometheus_can_read_the_metrics_of_each_server():
    (job,) = yaml.safe_load(re.search(r"Its job:\n\n((?:    .*\n)+)", HOSTING)[1])
    (server, *_) = SERVERS.values()
    given = parsed(re.sub(r"\$\{(\w+)[^}]*\}", "play.example.org", word) for word in server["command"])
    assert given["metrics_host"] == "0.0.0.0"
    assert targets(job) == [f"{name}:{given['metrics_port']}" for name in SERVERS]
    assert "DEADWOOD_METRICS_TOKEN" in server["environment"]
    assert job["authorization"].keys() == {"credentials"}
    assert f"127.0.0.1:{given['metrics_port']}/metrics" in HOSTING


# --- what Compose, Docker and systemd understand

# fmt: off
SERVICE_KEYS = {
    "annotations", "build", "cap_add", "cap_drop", "command", "configs", "container_name", "cpus", "depends_on",
    "deploy", "devices", "dns", "domainname", "entrypoint", "env_file", "environment", "expose", "extra_hosts",
    "group_add", "healthcheck", "hostname", "image", "init", "ipc", "labels", "logging", "mem_limit",
    "network_mode", "networks", "pid", "pids_limit", "platform", "ports", "privileged", "profiles", "pull_policy",
    "read_only", "restart", "secrets", "security_opt", "shm_size", "stdin_open", "stop_grace_period",
    "stop_signal", "sysctls", "tmpfs", "tty", "ulimits", "user", "userns_mode", "volumes", "working_dir",
}
INSTRUCTIONS = {
    "ADD", "ARG", "CMD", "COPY", "ENTRYPOINT", "ENV", "EXPOSE", "FROM", "HEALTHCHECK", "LABEL", "ONBUILD", "RUN",
    "SHELL", "STOPSIGNAL", "USER", "VOLUME", "WORKDIR",
}
DIRECTIVES = {
    "Unit": {
        "After", "Before", "BindsTo", "Conflicts", "ConditionPathExists", "Description", "Documentation",
        "OnFailure", "PartOf", "Requires", "RequiresMountsFor", "StartLimitBurst", "StartLimitIntervalSec",
        "Wants",
    },
    "Install": {"Alias", "Also", "RequiredBy", "WantedBy"},
    "Timer": {
        "AccuracySec", "OnActiveSec", "OnBootSec", "OnCalendar", "OnStartupSec", "OnUnitActiveSec",
        "OnUnitInactiveSec", "Persistent", "RandomizedDelaySec", "Unit", "WakeSystem",
    },
    "Service": {
        "AmbientCapabilities", "CacheDirectory", "CapabilityBoundingSet", "DynamicUser", "Environment",
        "EnvironmentFile", "ExecReload", "ExecStart", "ExecStartPost", "ExecStartPre", "ExecStop", "ExecStopPost",
        "Group", "IOSchedulingClass", "IPAddressAllow", "IPAddressDeny", "KillMode", "KillSignal", "LimitNOFILE",
        "LoadCredential", "LockPersonality", "LogsDirectory", "MemoryDenyWriteExecute", "MemoryHigh", "MemoryMax",
        "Nice", "NoNewPrivileges", "PrivateDevices", "PrivateNetwork", "PrivateTmp", "PrivateUsers", "ProcSubset",
        "ProtectClock", "ProtectControlGroups", "ProtectHome", "ProtectHostname", "ProtectKernelLogs",
        "ProtectKernelModules", "ProtectKernelTunables", "ProtectProc", "ProtectSystem", "ReadWritePaths",
        "RemainAfterExit", "RemoveIPC", "Restart", "RestartSec", "RestrictAddressFamilies", "RestrictNamespaces",
        "RestrictRealtime", "RestrictSUIDSGID", "RuntimeDirectory", "StandardError", "StandardOutput",
        "StateDirectory", "StateDirectoryMode", "SuccessExitStatus", "SyslogIdentifier", "SystemCallArchitectures",
        "SystemCallErrorNumber", "SystemCallFilter", "TasksMax", "TimeoutStartSec", "TimeoutStopSec", "Type",
        "UMask", "User", "WatchdogSec", "WorkingDirectory",
    },
}
# fmt: on


def test_compose_knows_every_key():
    assert {key for key in COMPOSE if not key.startswith("x-")} <= {"name", "services", "networks", "volumes"}
    for name, service in COMPOSE["services"].items():
        assert service.keys() <= SERVICE_KEYS, name
        assert set(service.get("depends_on", ())) <= COMPOSE["services"].keys()
        named = {volume.partition(":")[0] for volume in service.get("volumes", ()) if not volume.startswith((".", "/"))}
        assert named <= COMPOSE["volumes"].keys()


def instructions():
    """The instructions of the Dockerfile with their arguments, without comments and breaks."""
    lines = [line for line in DOCKERFILE.splitlines() if line.strip() and not line.startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    return [line.split(maxsplit=1) for line in joined.splitlines()]


def test_docker_knows_every_instruction_and_their_order_makes_sense():
    words = [word for word, _ in instructions()]
    assert set(words) <= INSTRUCTIONS
    assert words[0] == "FROM"
    last = words[len(words) - words[::-1].index("FROM") :]
    for word in ("USER", "HEALTHCHECK", "STOPSIGNAL", "ENTRYPOINT", "CMD"):
        assert last.count(word) == 1, word
    assert last[-2:] == ["ENTRYPOINT", "CMD"]
    assert not {"RUN", "COPY"} & set(last[last.index("USER") :])  # they need rights that the user does not have
    stages = [given.split(" AS ")[1] for word, given in instructions() if word == "FROM" and " AS " in given]
    assert set(re.findall(r"--from=(\S+)", DOCKERFILE)) <= set(stages)
    for word, given in instructions():
        if word in ("ENTRYPOINT", "CMD"):
            assert all(isinstance(one, str) for one in yaml.safe_load(given))  # no shell, so signals arrive


@pytest.mark.parametrize("path", sorted([*UNITS, *DEPLOY.glob("*.timer")]), ids=lambda path: path.name)
def test_systemd_knows_every_directive(path):
    parser = unit(path)
    for section in parser.sections():
        assert set(parser[section]) <= DIRECTIVES[section], section


# --- systemd


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_units_run_commands_that_exist(path):
    service = unit(path)["Service"]
    words = re.search(r"/opt/deadwood/bin/deadwood ([^'\"]+)", service["ExecStart"])[1].split()
    if words == ["backup"]:
        words.append("monday.sqlite3")
    parsed(words)
    set_here = {one.partition("=")[0] for one in service["Environment"].split()}
    assert {name for name in set_here if name.startswith("DEADWOOD_")} <= variables()
    assert f"sqlite:////var/lib/{service['StateDirectory'].split()[0]}/games.sqlite3" in service["Environment"]


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_units_are_hardened(path):
    service = unit(path)["Service"]
    assert (service["ProtectSystem"], service["ProtectHome"]) == ("strict", "yes")
    assert (service["NoNewPrivileges"], service["CapabilityBoundingSet"]) == ("yes", "")
    assert (service["DynamicUser"], service["UMask"]) == ("yes", "0077")


# --- the documents


def blocks():
    found = re.findall(r"(?:^    .*\n)+", HOSTING, re.MULTILINE)
    return [[line.strip() for line in block.splitlines()] for block in found]


def test_ten_lines_lead_to_a_server():
    assert len(blocks()[0]) == 10
    assert blocks()[0][-1] == "curl --fail https://play.example.org/readyz"


def test_the_jobs_for_prometheus_have_a_target_for_each_process():
    job = yaml.safe_load((DEPLOY / "prometheus" / "prometheus.yml").read_text("utf-8"))["scrape_configs"][0]
    assert targets(job) == ["127.0.0.1:8000"] == [f"{parsed(['serve'])['host']}:{parsed(['serve'])['port']}"]
    several = yaml.safe_load(re.search(r"^    - job_name(?:.*\n)+?\n", HOSTING, re.MULTILINE)[0])[0]
    given = parsed(["serve", *re.search(r"`(--processes \d+ --metrics-port\s+\d+)`", HOSTING)[1].split()])
    ports = range(given["metrics_port"], given["metrics_port"] + given["processes"])
    assert targets(several) == [f"{given['metrics_host']}:{port}" for port in ports]
    assert several["job_name"] == job["job_name"]
    assert f'up{{job="{job["job_name"]}"}}' in (DEPLOY / "prometheus" / "alerts.yml").read_text("utf-8")


def targets(job):
    return [target for config in job["static_configs"] for target in config["targets"]]


def test_documents_name_files_that_exist_and_variables_that_are_read():
    text = HOSTING + "".join(path.read_text("utf-8") for path in DEPLOY.iterdir() if path.is_file())
    for name in re.findall(r"deploy/[\w./-]*\w", text):
        assert list(ROOT.glob(f"{name}*")) or name == "deploy/.env", name
    read = {*variables(), "DEADWOOD_DOMAIN"}
    assert set(re.findall(r"DEADWOOD_\w+", text)) <= read
