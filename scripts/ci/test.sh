#!/usr/bin/env bash
# The README's `make test`, and what CI begins with: lint, then what protects every law, on Parquet,
# with what is in the repository alone (tests/protects.yml says what that is).
#
# Further arguments go to pytest. The last lines say what was run, what was compared and each skip
# with its reason. Runs with whatever Python environment is active; `make test` is the usual way in.
set -euo pipefail
cd "$(dirname "$0")/../.."

scripts/ci/lint.sh python yaml
afterimage java
exec python scripts/ci/alone.py bash -c 'exec pytest -rs \
  -m "(not spark or protects) and not slow and not shared and not live" --durations=10 \
  --numprocesses "$TEST_PROCESSES" --dist loadgroup "$@"' pytest "$@"
