# `make play` and `make test` set up all they need; nothing outside .venv is touched.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
READY := $(VENV)/ready

.PHONY: play test check bench soak docs clean

play: $(READY)
	@$(BIN)/deadwood play --plain

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --constraint constraints.txt --editable '.[dev]'
	@touch $@
