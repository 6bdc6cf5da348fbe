#!/bin/sh
# Installs Debian's PostgreSQL and MariaDB for tests/live where they are missing and available.
# If one is not available, this reports it and succeeds: the tests that need it are skipped.
set -eu

has_postgresql() {
    command -v initdb >/dev/null 2>&1 && return 0
    for initdb in /usr/lib/postgresql/*/bin/initdb; do
        [ -x "$initdb" ] && return 0
    done
    return 1
}

has_mariadb() {
    command -v mariadbd >/dev/null 2>&1 && command -v mariadb-dump >/dev/null 2>&1
}

give_up() {
    echo "!!! $name is NOT installed: $1" >&2
    echo "!!! Its live tests will be SKIPPED. Put its programs in PATH to run them." >&2
}

install() {
    name=$1 found=$2
    shift 2
    if "$found"; then
        echo "$name is already here."
    elif ! command -v apt-get >/dev/null 2>&1; then
        give_up "there is no apt-get on this machine."
    elif [ "$(id -u)" -ne 0 ]; then
        give_up "this is not root, and apt-get needs root."
    else
        [ -n "${updated:-}" ] || apt-get update || echo "apt-get update failed; going on with the lists at hand." >&2
        updated=yes
        apt-get install -y --no-install-recommends -o Dpkg::Options::=--force-confold "$@" ||
            { give_up "apt-get install failed." && return; }
        "$found" || give_up "apt-get installed the packages, but its programs are missing."
    fi
}

export DEBIAN_FRONTEND=noninteractive
# The packages would create and start a server of their own; the tests start theirs.
if [ "$(id -u)" -eq 0 ]; then
    mkdir -p /etc/postgresql-common
    [ -e /etc/postgresql-common/createcluster.conf ] ||
        echo "create_main_cluster = false" >/etc/postgresql-common/createcluster.conf
fi
install PostgreSQL has_postgresql postgresql
install MariaDB has_mariadb mariadb-server-core mariadb-client
