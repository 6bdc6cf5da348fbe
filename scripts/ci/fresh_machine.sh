#!/usr/bin/env bash
# The README's two commands as on a new machine: a clone in an empty folder, an empty home, empty
# caches of pip, Ivy and Maven, and nothing next to the clone.
#
#   scripts/ci/fresh_machine.sh               both commands, with the machine's Java and then without
#   scripts/ci/fresh_machine.sh --without     both commands on a PATH without Java
#   scripts/ci/fresh_machine.sh --demo        only `make demo`, with and without Java
#   scripts/ci/fresh_machine.sh --install     only the installation, by two makes at once, and their
#                                             errors for a damaged jar, no network, no memory: CI
#
# It tests the committed files. Ends with a line for each step and its time; the first failure ends
# the script, and its output is shown.
set -euo pipefail
cd "$(dirname "$0")/../.."
repository=$PWD

work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
steps=()

# a PATH with all programs of the machine except those of Java
mkdir "$work/programs"
IFS=: read -ra folders <<<"$PATH"
for folder in "${folders[@]}"; do
  case "$folder" in *.venv*) continue ;; esac
  for program in "$folder"/*; do
    name=${program##*/}
    case "$name" in java | javac | javaw | jar | jshell | keytool | mvn* | spark-* | pyspark) continue ;; esac
    [ -x "$program" ] && [ ! -e "$work/programs/$name" ] && ln -s "$program" "$work/programs/$name" || true
  done
done

# Only the network configuration is passed on.
surroundings() {
  env | grep -E '^(https?_proxy|HTTPS?_PROXY|no_proxy|NO_PROXY|SSL_CERT_FILE|SSL_CERT_DIR|REQUESTS_CA_BUNDLE|PIP_CERT|PIP_INDEX_URL|PIP_FIND_LINKS|PIP_DEFAULT_TIMEOUT|LANG)=' || true
}

# fresh NAME: an empty folder with a clone, and a home
fresh() {
  folder=$work/$1
  mkdir -p "$folder/home"
  git clone --quiet "$repository" "$folder/afterimage"
}

# within PATH COMMAND…: in the clone, with the empty home. Java's home is not $HOME.
within() {
  local path=$1
  shift
  mapfile -t handed_on < <(surroundings)
  (cd "$folder/afterimage" && env -i "${handed_on[@]}" HOME="$folder/home" PATH="$path" \
    JAVA_TOOL_OPTIONS="-Duser.home=$folder/home" TERM=dumb "$@")
}

# step TITLE COMMAND…: times the command; shows its output if it fails
step() {
  local title=$1 log begun
  shift
  log=$work/log
  begun=$(date +%s)
  echo "--- $title"
  if ! "$@" >"$log" 2>&1; then
    tail -n 80 "$log"
    echo "FAILED: $title"
    exit 1
  fi
  { grep -v WARN "$log" || true; } | tail -n 12 | sed 's/^/    /'
  steps+=("$(printf '%5d s  %s' $(($(date +%s) - begun)) "$title")")
}

# refused TEXT COMMAND…: the command fails with a message that contains the text, and no stack trace
refused() {
  local text=$1 said
  shift
  if said=$("$@" 2>&1); then
    echo "it should have been refused: $*"
    return 1
  fi
  echo "$said"
  grep -qF "$text" <<<"$said" && ! grep -qE 'Traceback|^\s+at ' <<<"$said"
}

two_at_once() {
  within "$PATH" make --no-print-directory installed-dev >"$work/first" 2>&1 &
  local first=$!
  within "$PATH" make --no-print-directory installed-dev
  wait "$first"
  cat "$work/first"
  cat "$work/first" "$work/log" | grep -q "Another make is installing here"
}

two_sessions() {
  local start='from pathlib import Path; import sys, tempfile
from tests.session import embedded_spark
session = embedded_spark(Path(tempfile.mkdtemp()), file_format=sys.argv[1])
print(sys.argv[1], session.sql("select 1").collect())'
  within "$1" .venv/bin/python -c "$start" delta &
  local first=$!
  within "$1" .venv/bin/python -c "$start" iceberg
  wait "$first"
}

damage() {
  local jar
  jar=$(ls "$folder"/afterimage/.jars/delta/delta-spark*.jar)
  head -c 1000 "$jar" >"$jar.cut" && mv "$jar.cut" "$jar"
}

install() {
  fresh install
  step "two makes install at once" two_at_once
  step "two sessions start at once" two_sessions "$PATH"
  step "two sessions start at once, without Java on PATH" two_sessions "$work/programs"
  damage
  step "a damaged jar: one message" refused "damaged: 1,000 bytes" \
    within "$PATH" .venv/bin/afterimage land files demo/shop.first.jsonl.gz --into landing.x --target delta
  step "a damaged jar: the tests say it once" refused "damaged: 1,000 bytes" \
    within "$PATH" .venv/bin/pytest -q -n 2 --file-format delta tests/functional
  step "a damaged jar is fetched again" within "$work/programs" make --no-print-directory installed-dev
  damage
  step "no network: one message" refused "1 of 1 jar could not be fetched" \
    within "$PATH" env JAVA_TOOL_OPTIONS="-Dhttps.proxyHost=127.0.0.1 -Dhttps.proxyPort=9" \
    make --no-print-directory installed-dev
}

commands() {
  local path=$1 words=$2
  fresh "${3}"
  step "make demo, $words" within "$path" make demo
  if [ "$what" != --demo ]; then
    step "make test, $words" within "$path" make test
  fi
}

what=${1:-}
case "$what" in
  --install) install ;;
  --without) commands "$work/programs" "without Java on PATH" without ;;
  "" | --demo)
    commands "$PATH" "with the machine's Java" with
    commands "$work/programs" "without Java on PATH" without
    ;;
  *)
    echo "usage: fresh_machine.sh [--install | --demo | --without]"
    exit 2
    ;;
esac
echo
printf '%s\n' "${steps[@]}"
