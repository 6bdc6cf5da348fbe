# Everything runs from .venv, which is created on first use. `make help` lists the targets.

# The first of these that runs and is new enough; a name on PATH may be a launcher without a Python.
PYTHON := $(or $(PYTHON),$(shell for p in python3.12 python3.11 python3.13 python3; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done))
VENV := .venv
# An activated environment must not leak in.
unexport VIRTUAL_ENV PYTHONPATH PYTHONHOME
export PATH := $(CURDIR)/$(VENV)/bin:$(PATH)
# The linter of SQL and `dbt docs` read the repository's own profile.
export DBT_PROFILES_DIR := $(CURDIR)/profiles

.DEFAULT_GOAL := help
.PHONY: help demo check test test-all parts test-of test-shared test-formats golden mutants matrix lint docs live bench bench-full jars fresh clean python

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

demo: installed-run ## A shop's captured changes through every model, on an embedded Spark (FRESH=1: from an empty warehouse)
	$(VENV)/bin/afterimage demo $(if $(FRESH),--fresh)

check: installed-dev ## Lint, golden SQL, every test without Spark, a dozen short streams (three minutes)
	scripts/ci/check.sh

test: installed-dev ## Lint, then the tests that protect every law, as CI runs them (20 to 40 minutes)
	scripts/ci/test.sh

test-all: installed-formats ## Every test, part by part (RESUME=1: continue where it stopped)
	$(VENV)/bin/python scripts/ci/alone.py $(VENV)/bin/python scripts/ci/parts.py --all $(if $(RESUME),--resume)

test-shared: installed-dev ## Tests that need captures outside the repository (AFTERIMAGE_SHARED)
	$(VENV)/bin/python scripts/ci/alone.py $(VENV)/bin/pytest -rs -m "shared and not live" --numprocesses 2 --dist loadgroup

# One part, by its name.
test-%: installed-formats
	$(VENV)/bin/python scripts/ci/alone.py $(VENV)/bin/python scripts/ci/parts.py $* $(if $(RESUME),--resume)

parts: installed-dev ## List the parts of `make test-all`; each is a target: make test-truth
	@$(VENV)/bin/python scripts/ci/parts.py

test-of: installed-dev ## The tests that fail when a file is broken: make test-of FILE=macros/history/…
	$(VENV)/bin/python -m tests.guards $(FILE)

golden: installed-dev ## Accept the SQL that models and macros render to; then read git diff tests/golden
	$(VENV)/bin/python -m tests.golden

lint: installed-dev ## Lint all files (KIND=python, yaml, sql or manifest: only that)
	scripts/ci/lint.sh $(KIND)

docs: installed-docs ## Write the documentation site to target/site, including the example's models
	$(VENV)/bin/dbt docs generate --static --profiles-dir profiles
	NO_MKDOCS_2_WARNING=1 $(VENV)/bin/mkdocs build --strict --quiet
	@echo "Read it: $(VENV)/bin/python -m http.server --bind 127.0.0.1 --directory target/site"

test-formats: installed-formats ## Captures, laws and faults on Parquet, Delta, Iceberg and over a Thrift server (ALL=1: also the slow ones)
	scripts/ci/test_formats.sh $(if $(ALL),--all)

mutants: installed-dev ## Mutation tests: break the macros one way at a time; each must fail a test
	$(VENV)/bin/python -m tests.mutants.run

matrix: installed-dev ## The example on other versions of Python, Spark and dbt, and the SQL for Databricks
	$(VENV)/bin/python scripts/ci/matrix.py

LIVE ?= live

live: installed-live ## Tests against real databases, Debezium and Kafka (LIVE="live and not slow": without the longest)
	$(VENV)/bin/pytest -rs -m "$(LIVE)"

fresh: ## The README's two commands as on a new machine: empty folder, home and caches, with and without Java
	scripts/ci/fresh_machine.sh

EVENTS ?= 1000000
TABLES ?= 20

bench: installed-bench ## Measure the cost of runs, on each format and next to common alternatives (resumes after an interruption)
	$(VENV)/bin/afterimage bench --events $(EVENTS) --formats parquet,delta,iceberg --resume --factors --tables $(TABLES)
	PYTHONPATH=scripts $(VENV)/bin/python -m bench.page target/bench/results.json

bench-full: ## The same with four million changes and a hundred tables, and sixteen million next to one MERGE (some hours)
	@$(MAKE) bench EVENTS=4000000 TABLES=100
	PYTHONPATH=scripts $(VENV)/bin/python -m bench.run --format iceberg --events 16000000 --against merge_scd2 --out target/bench/16M

jars: installed-run ## Download the jars of Delta, Iceberg, Avro and Kafka into .jars, and check existing ones
	$(VENV)/bin/afterimage jars

clean: ## Remove generated files, also .spark with all its tables; .venv and .jars stay
	rm -rf target logs dbt_packages .spark .java .pytest_cache .ruff_cache .hypothesis build

# Packages into .venv, jars into .jars: if all are present, this takes half a second.
installed-%: python
	@$(PYTHON) scripts/ci/install.py $*

python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed and was not found (Debian, Ubuntu: apt install python3 python3-venv). One that is not on PATH: make PYTHON=/path/to/python3 …"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "$(PYTHON) does not run, or is older than the Python 3.11 needed. Another one: make PYTHON=/path/to/python3 …"; exit 1; }
