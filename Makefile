# make demo   learn a network from a bundled data set, and write a page about it
# make test   set up and run every check, and all tests but the slow ones
# make test-all  the slow tests, too
# make coverage  which lines the tests run
# make docs   the documents and the reference as pages, in build/site
# make pages  write the pages of the studies again, of their stored results, and the pictures of the gallery
# make bench  measure against other libraries, side by side
# make peer   compare numbers with other libraries
# make fuzz   damage files and options for an hour or so, beyond the few of make test
# make constraints  write down the versions in .venv as those that are tested

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
PEERS := .venv/.peers
TESTS := $(BIN)/pytest --numprocesses 2 --ignore tests/peer
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: setup demo lint test test-all coverage docs pages fuzz peer bench constraints clean

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
	$(BIN)/arcwise learn @cars1 --bootstrap 100 --report demo/cars1.html --out demo/cars1.json
	@echo
	@echo "Now open the page in a browser: file://$(CURDIR)/demo/cars1.html"
	@echo "The whole result is in demo/cars1.json."

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: lint
	$(TESTS) -m 'not slow'

test-all: test
	$(TESTS) -m slow

# Kernels are left out: they run compiled, and Python cannot see which of their lines did.
coverage: $(READY)
	@mkdir -p build
	$(TESTS) --cov --cov-report=
	$(BIN)/coverage report | tee build/coverage.txt

docs: $(READY)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	$(BIN)/python docs/_site/gallery.py build/site/gallery
	@echo "The pages are in build/site; begin with build/site/index.html."

pages: $(READY)
	for study in src/arcwise/studies/*/results.jsonl; do \
		name=$$(basename $$(dirname $$study)); \
		$(BIN)/arcwise study page $$name --store $$study --out docs/studies/$$name.md || exit 1; \
	done
	$(BIN)/arcwise study page accuracy --store src/arcwise/studies/accuracy/results.jsonl \
		--template src/arcwise/studies/accuracy/choosing.md --out docs/choosing.md
	$(BIN)/python docs/_site/gallery.py docs/gallery svg

fuzz: $(READY)
	ARCWISE_FUZZ_ROUNDS=20000 $(BIN)/pytest tests/fuzz

peer: $(PEERS)
	$(BIN)/pytest tests/peer tests/unit/study/test_peers.py

bench: $(PEERS)
	$(BIN)/python -m benchmarks

constraints:
	$(BIN)/python -m tests.reference.make_constraints

clean:
	rm -rf .venv demo build dist
