#!/bin/sh
# Installs Debian's PostgreSQL for tests/live if it is missing and available.
# If it is not available, this reports it and succeeds: the tests that need it are skipped.
set -eu

found() {
    command -v initdb >/dev/null 2>&1 && return 0
    for initdb in /usr/lib/postgresql/*/bin/initdb; do
        [ -x "$initdb" ] && return 0
    done
    return 1
}

give_up() {
    echo "!!! PostgreSQL is NOT installed: $1" >&2
    echo "!!! The live tests will be SKIPPED. Put initdb and postgres in PATH to run them." >&2
    exit 0
}

if found; then
    echo "PostgreSQL is already here."
    exit 0
fi
command -v apt-get >/dev/null 2>&1 || give_up "there is no apt-get on this machine."
[ "$(id -u)" -eq 0 ] || give_up "this is not root, and apt-get needs root."

export DEBIAN_FRONTEND=noninteractive
# The package would create and start its own cluster; the tests create theirs.
mkdir -p /etc/postgresql-common
[ -e /etc/postgresql-common/createcluster.conf ] ||
    echo "create_main_cluster = false" >/etc/postgresql-common/createcluster.conf
apt-get update || echo "apt-get update failed; going on with the lists at hand." >&2
apt-get install -y --no-install-recommends -o Dpkg::Options::=--force-confold postgresql ||
    give_up "apt-get install failed."
found || give_up "apt-get installed the package, but there is no initdb."
echo "PostgreSQL is installed."
