#!/usr/bin/env bash
# The README's `make test`, and the first step of CI: lint, then the tests that protect every law
# (tests/protects.yml lists them), on Parquet, with only the files of the repository.
#
# Further arguments go to pytest. The last lines report what was run, what was compared and each skip
# with its reason. Runs in the active Python environment; usually run by `make test`.
set -euo pipefail
cd "$(dirname "$0")/../.."

scripts/ci/lint.sh python yaml
afterimage java
exec python scripts/ci/alone.py bash -c 'exec pytest -rs \
  -m "(not spark or protects) and not slow and not shared and not live" --durations=10 \
  --numprocesses "$TEST_PROCESSES" --dist loadgroup "$@"' pytest "$@"
