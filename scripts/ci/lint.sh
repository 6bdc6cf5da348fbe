#!/usr/bin/env bash
# Lint the files: all, or one kind.
#
#   scripts/ci/lint.sh [python|yaml|sql|manifest]...
#
# Runs in the active Python environment; usually run by `make lint`.
set -euo pipefail
cd "$(dirname "$0")/../.."

python() { ruff check . && ruff format --check .; }
yaml() { yamllint --strict .; }
# The SQL that models and macros render to: tests/golden/sql, as accepted, and well formed.
sql() { pytest -q tests/golden -k "not rules_of_the_house"; }
# Names, layers, descriptions: from the parsed dbt project.
manifest() { pytest -q tests/golden -k rules_of_the_house; }

[ $# -gt 0 ] || set -- python yaml sql manifest
for kind in "$@"; do
  echo "lint: $kind"
  "$kind"
done
