#!/usr/bin/env bash
# Rebuild requirements.lock from pyproject.toml: every package of every extra, pinned.
#
#   scripts/lock.sh            keep the pins that still fit
#   scripts/lock.sh --upgrade  take the newest that fit
#
# The file is used as a list of constraints (pip install -c), so it contains more than one install
# needs. It is built with the oldest supported Python, which needs the most packages.
set -euo pipefail
cd "$(dirname "$0")/.."

python=${PYTHON:-python3.11}
tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
"$python" -m venv "$tools"
"$tools/bin/pip" install --quiet pip-tools

# The package index is chosen at install time, not in the lock.
"$tools/bin/pip-compile" --quiet --all-extras --strip-extras \
  --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-header \
  --output-file requirements.lock "$@" pyproject.toml
echo "requirements.lock: $(grep -c == requirements.lock) packages"
