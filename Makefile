# make demo   learn a network from a bundled data set and draw it
# make test   set up and run every check and test
# make bench  measure against other libraries, side by side
# make peer   compare numbers with other libraries
# make fuzz   damage files and options for an hour or so, beyond the few of make test

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
PEERS := .venv/.peers

.PHONY: setup demo lint test fuzz peer bench clean

setup: $(READY)

$(READY): pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

$(PEERS): $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,peers]'
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

clean:
	rm -rf .venv demo build dist
