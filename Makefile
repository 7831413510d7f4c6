# Everything runs in ./.venv, which is made here from Python >= 3.11, pip and venv alone.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DATA ?= $(SMOOTHGRAPH_DATA)

# "dev,pyg" also tests the conversion to PyTorch Geometric, a large download on most machines.
EXTRAS ?= dev
GALLERY ?= 1

.PHONY: setup demo tools test quick lint docs check bench clean

setup: $(VENV)/.installed

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[cli]'
	touch $@

tools: $(VENV)/.tools

$(VENV)/.tools: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --editable '.[$(EXTRAS)]'
	touch $@

demo: setup  ## learn a graph of scikit-learn's digits and draw it
	$(BIN)/smoothgraph demo --force

PYTEST := $(BIN)/python -m pytest -n auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder

test: tools  ## all tests
	$(PYTEST)

quick: tools  ## the tests that take under two minutes together
	$(PYTEST) -m 'not slow'

lint: tools
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: tools  ## the pages; GALLERY=0 does not run the examples, which are tested elsewhere
	$(BIN)/sphinx-build -W --keep-going -D plot_gallery=$(GALLERY) -b html docs docs/_build/html

check: lint test docs

bench: tools  ## the speed of all solvers; DATA=folder adds USPS
	$(BIN)/python -m pip install --quiet --editable '.[bench]'
	$(BIN)/python -m benchmarks.solvers $(if $(DATA),--data-dir $(DATA))

clean:
	rm -rf $(VENV) demo docs/_build docs/gallery
