#!/usr/bin/env bash
# Check the form of the files: everything, or one kind.
#
#   scripts/ci/lint.sh [python|yaml|sql|manifest]...
#
# Runs with whatever Python environment is active; `make lint` is the usual way in.
set -euo pipefail
cd "$(dirname "$0")/../.."

python() { ruff check . && ruff format --check .; }
yaml() { yamllint --strict .; }
# What models and macros render to: tests/golden/sql, as accepted, and well formed.
sql() { pytest -q tests/golden -k "not rules_of_the_house"; }
# Names, layers, descriptions: what dbt knows after parsing.
manifest() { pytest -q tests/golden -k rules_of_the_house; }

[ $# -gt 0 ] || set -- python yaml sql manifest
for kind in "$@"; do
  echo "lint: $kind"
  "$kind"
done
