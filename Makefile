# make demo   learn a network from a bundled data set and draw it
# make test   set up and run every check and test
# make bench  measure against other libraries, side by side
# make peer   compare numbers with other libraries
# make fuzz   damage files and options for an hour or so, beyond the few of make test
# make constraints  write down the versions in .venv as those that are tested

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
PEERS := .venv/.peers
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: setup demo lint test fuzz peer bench constraints clean

setup: $(READY)

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(INSTALL) --editable '.[dev]'
	touch $@

$(PEERS): $(READY)
	$(INSTALL) --editable '.[dev,peers]'
	touch $@

demo: $(READY)
	@mkdir -p demo
	$(BIN)/arcwise learn @cars1 --draw demo/cars1.png --out demo/cars1.json
	@echo "The network is drawn in demo/cars1.png; the whole result is in demo/cars1.json."

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: lint
	$(BIN)/pytest --numprocesses 2 --ignore tests/peer

fuzz: $(READY)
	ARCWISE_FUZZ_ROUNDS=20000 $(BIN)/pytest tests/fuzz

peer: $(PEERS)
	$(BIN)/pytest tests/peer

bench: $(PEERS)
	$(BIN)/python -m benchmarks

constraints:
	$(BIN)/python -m tests.reference.make_constraints

clean:
	rm -rf .venv demo build dist
