# `make play` and `make test` set up everything they need in .venv. The only thing installed elsewhere is Chromium for the
# tests, if it is missing and we have permission.
PYTHON ?= python3
BIN := .venv/bin
INSTALL := $(BIN)/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt
PYTEST := $(BIN)/python -m pytest -q -p no:cacheprovider
ENGINE_TESTS := tests/engine tests/rules
COUNTING_TESTS := tests/engine/test_golden.py
OTHER_TESTS := $(COUNTING_TESTS) $(filter-out $(ENGINE_TESTS),$(patsubst %/__init__.py,%,$(wildcard tests/*/__init__.py))) $(wildcard tests/test_*.py)
CLIENT := src/deadwood/server/client/index.html
CLIENT_SOURCES := $(shell find client -type f -not -path '*/node_modules/*' -not -path '*/__pycache__/*')

# Every module is compiled once, even if the environment asks for no bytecode: tests start hundreds of processes.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: play serve test test-games test-engine check check-python check-client browser bench bench-vector bench-client bench-server stress soak screenshots docs dist clean

play: .venv/ready $(CLIENT)
	@$(BIN)/deadwood serve --open

serve: .venv/ready $(CLIENT)
	@$(BIN)/deadwood serve

# All tests also pass with a bare `pytest`; here the engine's run alone, so that nothing else adds to its coverage.
test: .venv/ready-dev $(CLIENT) browser
	@$(MAKE) --no-print-directory --output-sync=target --jobs=2 test-engine check-client check-python test-games
	$(PYTEST) -n 4 --dist worksteal $(OTHER_TESTS)

test-games:
	$(BIN)/python -m tests.random_games --games 5000 --deep 500

test-engine:
	$(BIN)/python -m coverage erase
	$(BIN)/python -m coverage run --parallel-mode -m pytest -q -p no:cacheprovider $(ENGINE_TESTS) --ignore $(COUNTING_TESTS)
	$(BIN)/python -m coverage combine --quiet
	$(BIN)/python -m coverage report

# Python and the client are checked at the same time: each takes one core.
check: .venv/ready-dev $(CLIENT)
	@$(MAKE) --no-print-directory --output-sync=target --jobs=2 check-python check-client

check-python:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

check-client:
	$(BIN)/python client/build.py check
	$(BIN)/python client/build.py test

# The small Chromium where Debian has it, any other that is installed, or Debian's full one.
APT := DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends
browser: .venv/ready-dev
	@command -v chromium-headless-shell > /dev/null && exit 0; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null; then \
		apt-get update -qq; \
		$(APT) chromium-headless-shell > /dev/null || $(BIN)/python -m tests.browser || $(APT) chromium > /dev/null; \
	fi; \
	$(BIN)/python -m tests.browser || \
	{ echo "The tests open pages in Chromium; install it first, as in: apt-get install chromium" >&2; exit 1; }

bench: .venv/ready-bench
	$(BIN)/python -m benchmarks.engine
	$(BIN)/python -m benchmarks.simulation
	$(BIN)/python -m benchmarks.terminal

bench-vector: .venv/ready-bench-vector
	$(BIN)/python -m benchmarks.vector

bench-client: .venv/ready-dev $(CLIENT) browser
	$(BIN)/python -m benchmarks.client

bench-server: .venv/ready-dev
	$(BIN)/python -m benchmarks.server

stress: .venv/ready-dev $(CLIENT) browser
	$(BIN)/python -m tests.stress $(PART) $(if $(TIMES),--times $(TIMES))

soak: .venv/ready-dev $(CLIENT)
	$(BIN)/python -m tests.random_games --games 1000000 --deep 10000
	HYPOTHESIS_PROFILE=soak $(PYTEST) $(ENGINE_TESTS) tests/server/test_fuzz.py
	JUDGED_GAMES=64 $(PYTEST) tests/training
	$(BIN)/python -m tests.server.test_crash --kills 1000 --actions 500000
	$(BIN)/python -m tests.server.test_crash --kills 200 --actions 100000 --postgres
	$(BIN)/python -m tests.server.test_notices --kills 200
	$(BIN)/python -m tests.server.test_simultaneous --trials 100000
	$(BIN)/python -m tests.server.simulation --seeds 100000
	$(BIN)/python -m tests.server.simulation --seeds 10000 --servers 2
	$(BIN)/python -m tests.server.simulation --seeds 10000 --servers 4
	$(BIN)/python -m tests.server.evenings --evenings 10000
	$(BIN)/python -m tests.server.evenings --evenings 2000 --servers 3
	$(BIN)/python -m tests.server.chaos --processes 2 --tables 20 --rounds 200 --within 8
	$(BIN)/python -m tests.server.chaos --processes 4 --tables 20 --rounds 200 --within 8
	$(BIN)/python -m tests.server.test_soak --tables 10000
	$(BIN)/python -m tests.vector.lockstep --games 1000000
	$(BIN)/python -m tests.client.fresh_install

screenshots: .venv/ready-dev $(CLIENT) browser
	$(BIN)/python -m tests.client.screenshots

docs: .venv/ready-dev $(CLIENT) browser
	$(BIN)/python -m tests.rules.clauses
	$(BIN)/python -m tests.test_kit
	$(BIN)/python -m tests.terminal.pictures
	$(BIN)/python -m tests.client.pictures

dist: .venv/ready-dist $(CLIENT)
	@$(BIN)/python -m tests.dist

.venv/ready: pyproject.toml constraints.txt hatch_build.py
	$(PYTHON) -m venv .venv
	$(INSTALL) --editable '.[play]'
	@touch $@

$(CLIENT): $(CLIENT_SOURCES) | .venv/ready
	$(INSTALL) --no-deps --editable .
	@touch $@

.venv/ready-dev: .venv/ready
	$(INSTALL) --editable '.[dev,lab]'
	@touch $@

.venv/ready-bench: .venv/ready
	$(INSTALL) --editable '.[bench,lab]'
	@touch $@

.venv/ready-bench-vector: .venv/ready
	$(INSTALL) --editable '.[bench-vector]'
	@touch $@

.venv/ready-dist: .venv/ready
	$(INSTALL) --editable '.[dist]'
	@touch $@

clean:
	rm -rf .venv build dist client/node_modules src/deadwood/server/client .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
