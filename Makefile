# Everything runs in ./.venv, made here from nothing but Python >= 3.11, pip and venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DATA ?= $(SMOOTHGRAPH_DATA)

.PHONY: setup demo test lint docs check bench clean

setup: $(VENV)/.installed

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@

demo: setup  ## learn a graph of scikit-learn's digits and draw it
	$(BIN)/smoothgraph demo

test: setup  ## all tests
	$(BIN)/python -m pytest

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: setup
	$(BIN)/sphinx-build -W --keep-going -b html docs docs/_build/html

check: lint test docs

bench: setup  ## the speed of all solvers; DATA=folder adds USPS
	$(BIN)/python -m pip install --quiet --editable '.[bench]'
	$(BIN)/python benchmarks/solvers.py $(if $(DATA),--data-dir $(DATA))

clean:
	rm -rf $(VENV) demo docs/_build
