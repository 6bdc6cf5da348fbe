#!/usr/bin/env bash
# The captures, laws and faults marked `formats` on each table format, and over a Thrift server with
# a cluster of two workers. Two at a time; each starts Spark once. The last lines are one table.
#
#   scripts/ci/test_formats.sh             all of them
#   scripts/ci/test_formats.sh delta …     only these: parquet, delta, iceberg, thrift
#   scripts/ci/test_formats.sh --all …     also the slow ones, such as a kill at every statement
#
# Runs in the active Python environment; usually run by `make test-formats`.
set -euo pipefail
cd "$(dirname "$0")/../.."

out=target/formats
rm -rf "$out"
mkdir -p "$out"
export only="not slow"
if [ "${1:-}" = --all ]; then
  only="not live"
  shift
fi
afterimage java

on() {
  # the tests of one format, and of the server, are marked with its name; those of Parquet are part of `make test`
  local marks="(formats or $1)"
  if [ "$1" = parquet ]; then marks=formats; fi
  local options=(-m "$marks and $only")
  if [ "$1" = thrift ]; then
    # the remains of an interrupted run depend on the format, not on the server; so do files, versions,
    # and what a reader sees during a run
    options+=(--over-thrift 2)
    for file in test_concurrent_reader test_crash test_full_disk test_landing_version test_maintain test_table_properties; do
      options+=(--deselect "tests/functional/$file.py")
    done
  else
    options+=(--file-format "$1")
  fi
  # only the files that have such marks, so that pytest need not collect the others
  mapfile -t files < <(grep -rlE 'mark\.(formats|delta|iceberg|thrift)\b' tests --include='test_*.py')
  pytest -rs --durations=8 "${options[@]}" --results "$out/$1.json" "${files[@]}" >"$out/$1.log" 2>&1 \
    || echo "$1: pytest found faults, or could not run: $out/$1.log"
}
export -f on
export out

asked=("$@")
if [ ${#asked[@]} = 0 ]; then
  asked=(delta iceberg parquet thrift) # the longest first, and last the one that uses both cores itself
fi
printf '%s\n' "${asked[@]}" | xargs -P 2 -I NAME bash -c 'on NAME'
for name in "${asked[@]}"; do
  echo "== $name"
  tail -n 25 "$out/$name.log"
done
files=()
for name in "${asked[@]}"; do files+=("$out/$name.json"); done
python -m tests.results "${files[@]}"
