# Every target sets itself up in .venv; PYTHON=... chooses the interpreter.

BIN := .venv/bin
PIP := $(BIN)/python -m pip -qq --disable-pip-version-check --no-input

MODULES := $(patsubst tests/bench/%.py,tests.bench.%,$(wildcard tests/bench/*_*.py))
ON_CORPORA := $(filter tests.bench.score_% %.bench_extraction %.bench_memory,$(MODULES))
BENCHES := $(filter-out $(ON_CORPORA),$(filter tests.bench.bench_%,$(MODULES)))

# A file's crawls serve all of its tests. In the order of the folders the quick tests come last, so
# that neither process waits long for the other.
IN_TWO := -n 2 --dist loadfile --no-loadscope-reorder

.DEFAULT_GOAL := help
.PHONY: help setup demo test ruff format mypy imports pytest soak lint bench egg clean

help:
	@echo "make demo    crawl the demo site and show what became of every page"
	@echo "make test    run everything CI runs"
	@echo "make lint    ruff, mypy and import-linter only"
	@echo "make soak    kill crawls of 300 pages at 50 moments and more; minutes"
	@echo "make bench   run the benchmarks; CORPORA=folder adds those on saved pages"
	@echo "make egg     build dist/crawler.egg for Scrapyd"
	@echo "make setup   install into .venv, nothing else"
	@echo "make clean   remove .venv and everything that was built; data in var/ stays"

setup: .venv/base-installed

.venv/bin/python:
	@sh .ci/venv

.venv/base-installed: .venv/bin/python pyproject.toml constraints.txt
	@echo "Installing the crawler into .venv (once; about a minute) ..."
	@$(PIP) install --constraint constraints.txt --editable .
	@$(BIN)/python -m compileall -q crawler
	@touch $@

.venv/dev-installed: .venv/base-installed
	@echo "Installing what the checks need into .venv (once; about a minute) ..."
	@$(PIP) install --constraint constraints.txt --editable '.[dev]'
	@touch $@

demo: .venv/base-installed
	@$(BIN)/python -m tests.demo

test: lint pytest

lint: ruff format mypy imports

ruff: .venv/dev-installed
	$(BIN)/ruff check

format: .venv/dev-installed
	$(BIN)/ruff format --check

mypy: .venv/dev-installed
	$(BIN)/mypy

imports: .venv/dev-installed
	$(BIN)/lint-imports

pytest: .venv/dev-installed
	@sh .ci/postgres
	@sh .ci/chromium
	$(BIN)/python -m pytest $(IN_TWO)

soak: .venv/dev-installed
	KILLS=50 PAGES=300 ROUNDS=15 $(BIN)/python -m pytest -s tests/e2e/test_kill.py tests/e2e/test_kill_two_workers.py

bench: .venv/dev-installed
	@set -e; for module in $(BENCHES); do echo "== $$module"; $(BIN)/python -m $$module; done
ifdef CORPORA
	@set -e; for module in $(ON_CORPORA); do echo "== $$module"; $(BIN)/python -m $$module $(CORPORA); done
endif

egg: .venv/dev-installed
	@mkdir -p dist
	$(BIN)/scrapyd-deploy --build-egg dist/crawler.egg

clean:
	rm -rf .venv build dist *.egg-info setup.py .mypy_cache .ruff_cache .pytest_cache \
	    .import_linter_cache .hypothesis
