# Everything runs from .venv, which is made on first use. `make help` lists the targets.

# The first of these that runs and is new enough; a name on PATH may be a launcher for nothing.
PYTHON ?= $(shell for p in python3.12 python3.11 python3.13 python3; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)
VENV := .venv
# Of an activated environment nothing must leak in.
unexport VIRTUAL_ENV PYTHONPATH PYTHONHOME
export PATH := $(CURDIR)/$(VENV)/bin:$(PATH)

.DEFAULT_GOAL := help
.PHONY: help demo test test-all test-formats mutants lint docs live bench bench-full clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

demo: $(VENV)/.run ## A shop's captured changes through every model, on an embedded Spark (FRESH=1: from an empty warehouse)
	$(VENV)/bin/afterimage demo $(if $(FRESH),--fresh)

test: $(VENV)/.dev ## Lint and tests, as CI runs them
	scripts/ci/test.sh

test-all: $(VENV)/.dev ## The same with every slow test
	scripts/ci/test.sh --all

lint: $(VENV)/.dev ## Check the form of all files (KIND=python, yaml, sql or manifest: only that)
	scripts/ci/lint.sh $(KIND)

docs: $(VENV)/.run ## Write the documentation of all models to target/static_index.html
	$(VENV)/bin/dbt docs generate --static --profiles-dir profiles

test-formats: $(VENV)/.formats ## Captures, laws and faults on Parquet, Delta, Iceberg and over a Thrift server (ALL=1: the slow ones too)
	scripts/ci/test_formats.sh $(if $(ALL),--all)

mutants: $(VENV)/.dev ## Break the macros on purpose, one way at a time: each must turn a test red
	$(VENV)/bin/python -m tests.mutants.run

live: $(VENV)/.live ## Tests against a real PostgreSQL and Debezium
	$(VENV)/bin/pytest -rs -m live

EVENTS ?= 1000000

bench: $(VENV)/.bench ## Measure what runs cost, on each format and beside what else people use (resumes where it was cut off)
	$(VENV)/bin/afterimage bench --events $(EVENTS) --formats parquet,delta,iceberg --resume --factors
	PYTHONPATH=scripts $(VENV)/bin/python -m bench.page target/bench/results.json

bench-full: ## The same on four million changes, and on sixteen million beside one MERGE (some hours)
	@$(MAKE) bench EVENTS=4000000
	PYTHONPATH=scripts DBT_PROFILES_DIR=profiles $(VENV)/bin/python -m bench.run --format iceberg --events 16000000 --against merge_scd2 --out target/bench/16M

clean: ## Remove what was made, .spark with all its tables too; .venv stays
	rm -rf target logs dbt_packages .spark .java .pytest_cache .ruff_cache .hypothesis build

# One stamp for each set of packages. Each is made anew when the lock or pyproject.toml changes.
$(VENV)/.run: EXTRAS :=
$(VENV)/.dev: EXTRAS := [dev]
$(VENV)/.formats: EXTRAS := [dev,thrift]
$(VENV)/.live: EXTRAS := [dev,live]
$(VENV)/.bench: EXTRAS := [bench]
$(VENV)/.run $(VENV)/.dev $(VENV)/.formats $(VENV)/.live $(VENV)/.bench: requirements.lock pyproject.toml | $(VENV)/bin/pip
	@echo "Installing packages into $(VENV) (once; the first time takes a few minutes)"
	$(VENV)/bin/pip install --quiet --disable-pip-version-check --constraint requirements.lock --editable '.$(EXTRAS)'
	@touch $@

$(VENV)/bin/pip:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed and was not found (Debian, Ubuntu: apt install python3 python3-venv). One that is not on PATH: make PYTHON=/path/to/python3 …"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "$(PYTHON) does not run, or is older than the Python 3.11 needed. Another one: make PYTHON=/path/to/python3 …"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "$(PYTHON) cannot make virtual environments. Install its venv module (Debian, Ubuntu: apt install python3-venv)."; exit 1; }
	$(PYTHON) -m venv $(VENV)
