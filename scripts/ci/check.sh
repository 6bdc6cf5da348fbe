#!/usr/bin/env bash
# The quick check, in three minutes on two cores: lint, golden SQL, every test without Spark, and a
# dozen short streams through the models in one Spark session.
#
# Further arguments go to pytest. Runs in the active Python environment; usually run by
# `make check`.
set -euo pipefail
cd "$(dirname "$0")/../.."

lint=$(mktemp)
trap 'rm -f "$lint"' EXIT
# while pytest collects, which one core does
scripts/ci/lint.sh python yaml >"$lint" 2>&1 &
linting=$!
failed=0
python scripts/ci/alone.py pytest -q -rs -m "(not spark or concept) and not slow and not shared and not live" \
  --durations=5 --numprocesses 2 --dist loadgroup "$@" || failed=$?
wait "$linting" || failed=1
cat "$lint"
exit "$failed"
