# `make play` and `make test` set up all they need in .venv; the one thing they install elsewhere is a browser
# for the tests, where there is none and they may.
PYTHON ?= python3
BIN := .venv/bin
INSTALL := $(BIN)/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt
ENGINE_TESTS := tests/engine tests/rules
COUNTING_TESTS := tests/engine/test_golden.py
OTHER_TESTS := $(COUNTING_TESTS) tests/bots tests/lab tests/server tests/terminal tests/test_cli.py tests/test_docs.py tests/test_telling.py tests/test_package.py
LEARNING_TESTS := tests/test_encoding.py tests/vector tests/rl tests/examples
CLIENT_TESTS := tests/client
CLIENT := src/deadwood/server/client/index.html
CLIENT_SOURCES := $(shell find client -type f -not -path '*/node_modules/*' -not -path '*/__pycache__/*')

.PHONY: play serve test check browser bench bench-vector bench-client bench-server soak screenshots docs clean

play: .venv/ready $(CLIENT)
	@$(BIN)/deadwood serve --open

serve: .venv/ready $(CLIENT)
	@$(BIN)/deadwood serve

test: check browser
	$(BIN)/python tests/random_games.py --games 5000 --deep 500
	$(BIN)/python -m coverage erase
	$(BIN)/python -m coverage run --parallel-mode -m pytest -q -p no:cacheprovider $(ENGINE_TESTS) --ignore $(COUNTING_TESTS)
	$(BIN)/python -m coverage combine --quiet
	$(BIN)/python -m coverage report
	$(BIN)/python -m pytest -q -p no:cacheprovider -n 2 $(OTHER_TESTS)
	$(BIN)/python -m pytest -q -p no:cacheprovider -n 2 $(CLIENT_TESTS)
	$(BIN)/python -m pytest -q -p no:cacheprovider -n 2 $(LEARNING_TESTS)

check: .venv/ready-dev $(CLIENT)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python client/build.py check
	$(BIN)/python client/build.py test

browser: .venv/ready-dev
	@$(BIN)/python tests/browser.py && exit 0; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null; then \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium > /dev/null; \
	else echo "The tests open pages in Chromium; install it first, as in: apt-get install chromium" >&2; exit 1; fi

bench: .venv/ready-bench
	$(BIN)/python benchmarks/engine.py
	$(BIN)/python benchmarks/simulation.py
	$(BIN)/python benchmarks/terminal.py

bench-vector: .venv/ready-bench-vector
	$(BIN)/python benchmarks/vector.py

bench-client: .venv/ready-dev $(CLIENT) browser
	$(BIN)/python benchmarks/client.py

bench-server: .venv/ready-dev
	$(BIN)/python benchmarks/server.py

soak: .venv/ready-dev $(CLIENT)
	$(BIN)/python tests/random_games.py --games 1000000 --deep 10000
	HYPOTHESIS_PROFILE=soak $(BIN)/python -m pytest -q $(ENGINE_TESTS)
	HYPOTHESIS_PROFILE=soak $(BIN)/python -m pytest -q tests/server/test_fuzz.py
	$(BIN)/python tests/server/test_crash.py --kills 1000 --moves 500000
	$(BIN)/python tests/server/test_simultaneous.py --trials 100000
	$(BIN)/python tests/server/simulation.py --seeds 100000
	$(BIN)/python tests/server/test_soak.py --tables 10000
	$(BIN)/python tests/vector/lockstep.py --games 1000000
	$(BIN)/python tests/client/fresh_install.py

screenshots: .venv/ready-dev $(CLIENT) browser
	$(BIN)/python tests/client/screenshots.py

docs: .venv/ready-dev $(CLIENT) browser
	$(BIN)/python tests/rules/clauses.py
	$(BIN)/python tests/terminal/pictures.py
	$(BIN)/python tests/client/pictures.py

.venv/ready: pyproject.toml constraints.txt hatch_build.py
	$(PYTHON) -m venv .venv
	$(INSTALL) --editable .
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

clean:
	rm -rf .venv build dist client/node_modules src/deadwood/server/client .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
