#!/bin/sh
# Make .venv ready for use. Called by make when the requirements change.
set -eu
python=$1
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    echo "Recloser needs Python 3.11 or newer; say: make PYTHON=/path/to/python3.11" >&2
    exit 1
}
echo "setting up .venv (about a minute, once)"
[ -x .venv/bin/python ] || "$python" -m venv .venv
.venv/bin/python -m pip install --quiet --disable-pip-version-check \
    --require-hashes -r requirements/base.txt -r requirements/dev.txt
.venv/bin/python -m pip install --quiet --disable-pip-version-check \
    --no-deps --no-build-isolation -e .
touch .venv/.ready
