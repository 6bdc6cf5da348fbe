#!/usr/bin/env bash
# What CI runs: lint, then the tests, in two processes where there are two cores. Each starts Spark
# once and takes up to 3 GB.
#
#   scripts/ci/test.sh          a seeded sample, without the slow tests and those of a server or database
#   scripts/ci/test.sh --all    the slow ones too, with Spark's plans compiled as they are for users
#
# Further arguments go to pytest. The last lines say what was run, what was compared and each skip
# with its reason. Runs with whatever Python environment is active; `make test` is the usual way in.
set -euo pipefail
cd "$(dirname "$0")/../.."

which="not slow and not live and not thrift"
# Another half with each commit; the last lines of the report say which seed that was.
sample=(--sample "$(git rev-parse --short HEAD 2>/dev/null || echo none)")
if [ "${1:-}" = --all ]; then
  which="not live and not thrift"
  sample=()
  shift
  set -- --thorough "$@"
fi
# Tests that start the command line or dbt themselves see the repository's own profile.
export DBT_PROFILES_DIR="$PWD/profiles"

scripts/ci/lint.sh
afterimage java
echo "pytest: $which"
pytest -rs -m "$which" --durations=10 --numprocesses auto --maxprocesses 2 --dist loadgroup "${sample[@]}" "$@"
