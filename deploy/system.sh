#!/bin/sh
# Install what some tests need beside Python: PostgreSQL. Where that may not be done
# the tests that need it are skipped with a loud line (and fail in CI).
set -eu
have_postgres() { ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; }
have_postgres && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "installing PostgreSQL for the tests (once)"
    export DEBIAN_FRONTEND=noninteractive
    { apt-get update -qq && apt-get install -y -qq postgresql; } >/dev/null 2>&1 || true
fi
have_postgres || echo "NOTE: no PostgreSQL here; the tests that need it will be skipped" >&2
