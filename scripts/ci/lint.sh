#!/usr/bin/env bash
# Check the form of the files: everything, or one kind.
#
#   scripts/ci/lint.sh [python|yaml|sql]...
#
# Runs with whatever Python environment is active; `make lint` is the usual way in.
set -euo pipefail
cd "$(dirname "$0")/../.."

python() { ruff check . && ruff format --check .; }
yaml() { yamllint --strict .; }
# sqlfluff renders the models with dbt, on an embedded session of its own that keeps nothing.
sql() {
  if [ -f .sqlfluff ]; then
    DBT_PROFILES_DIR=profiles sqlfluff lint --disable-progress-bar models tests/dbt
  else
    echo "sql: not checked, there is no .sqlfluff"
  fi
}

[ $# -gt 0 ] || set -- python yaml sql
for kind in "$@"; do
  echo "lint: $kind"
  "$kind"
done
