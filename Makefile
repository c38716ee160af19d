# `make play` and `make test` set up all they need in .venv and install nothing elsewhere.
PYTHON ?= python3
BIN := .venv/bin
INSTALL := $(BIN)/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt
ENGINE_TESTS := tests/engine tests/rules
COUNTING_TESTS := tests/engine/test_golden.py
OTHER_TESTS := $(COUNTING_TESTS) tests/bots tests/server tests/terminal tests/test_cli.py tests/test_docs.py tests/test_telling.py tests/test_package.py

.PHONY: play serve test check bench bench-server soak docs clean

play: .venv/ready
	@$(BIN)/deadwood

serve: .venv/ready
	@$(BIN)/deadwood serve

test: check
	$(BIN)/python tests/random_games.py --games 5000 --deep 500
	$(BIN)/python -m coverage erase
	$(BIN)/python -m coverage run --parallel-mode -m pytest -q -p no:cacheprovider $(ENGINE_TESTS) --ignore $(COUNTING_TESTS)
	$(BIN)/python -m coverage combine --quiet
	$(BIN)/python -m coverage report
	$(BIN)/python -m pytest -q -p no:cacheprovider -n 2 $(OTHER_TESTS)

check: .venv/ready-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

bench: .venv/ready-bench
	$(BIN)/python benchmarks/engine.py
	$(BIN)/python benchmarks/terminal.py

bench-server: .venv/ready-dev
	$(BIN)/python benchmarks/server.py

soak: .venv/ready-dev
	$(BIN)/python tests/random_games.py --games 1000000 --deep 10000
	HYPOTHESIS_PROFILE=soak $(BIN)/python -m pytest -q $(ENGINE_TESTS)
	$(BIN)/python tests/server/test_crash.py --kills 1000 --moves 500000
	$(BIN)/python tests/server/test_simultaneous.py --trials 100000
	$(BIN)/python tests/server/simulation.py --seeds 100000
	$(BIN)/python tests/server/test_soak.py --tables 10000

docs: .venv/ready-dev
	$(BIN)/python tests/rules/clauses.py
	$(BIN)/python tests/terminal/pictures.py

.venv/ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(INSTALL) --editable .
	@touch $@

.venv/ready-dev: .venv/ready
	$(INSTALL) --editable '.[dev]'
	@touch $@

.venv/ready-bench: .venv/ready
	$(INSTALL) --editable '.[bench]'
	@touch $@

clean:
	rm -rf .venv build dist .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
