# `make play` and `make test` set up all they need in .venv and install nothing elsewhere.
PYTHON ?= python3
BIN := .venv/bin
INSTALL := $(BIN)/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt
ENGINE_TESTS := tests/engine tests/rules
COUNTING_TESTS := tests/engine/test_golden.py
OTHER_TESTS := $(COUNTING_TESTS) tests/bots tests/terminal tests/test_cli.py tests/test_docs.py tests/test_telling.py tests/test_package.py
LEARNING_TESTS := tests/test_encoding.py tests/vector tests/rl tests/examples

.PHONY: play test check bench bench-vector soak docs clean

play: .venv/ready
	@$(BIN)/deadwood

test: check
	$(BIN)/python tests/random_games.py --games 5000 --deep 500
	$(BIN)/python -m coverage erase
	$(BIN)/python -m coverage run --parallel-mode -m pytest -q -p no:cacheprovider $(ENGINE_TESTS) --ignore $(COUNTING_TESTS)
	$(BIN)/python -m coverage combine --quiet
	$(BIN)/python -m coverage report
	$(BIN)/python -m pytest -q -p no:cacheprovider -n 2 $(OTHER_TESTS)
	$(BIN)/python -m pytest -q -p no:cacheprovider -n 2 $(LEARNING_TESTS)

check: .venv/ready-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

bench: .venv/ready-bench
	$(BIN)/python benchmarks/engine.py
	$(BIN)/python benchmarks/terminal.py

bench-vector: .venv/ready-bench-vector
	$(BIN)/python benchmarks/vector.py

soak: .venv/ready-dev
	$(BIN)/python tests/random_games.py --games 1000000 --deep 10000
	HYPOTHESIS_PROFILE=soak $(BIN)/python -m pytest -q $(ENGINE_TESTS)
	$(BIN)/python tests/vector/lockstep.py --games 1000000

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

.venv/ready-bench-vector: .venv/ready
	$(INSTALL) --editable '.[bench-vector]'
	@touch $@

clean:
	rm -rf .venv build dist .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
