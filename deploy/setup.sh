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
# The files pin everything, so that nothing is left to resolve. A resolver would look
# at newer releases of what another package asks for with an extra, and refuse them
# for their missing hash: that a library was released must not break an installation.
.venv/bin/python -m pip install --quiet --disable-pip-version-check \
    --no-deps --require-hashes -r requirements/base.txt -r requirements/dev.txt
.venv/bin/python -m pip install --quiet --disable-pip-version-check \
    --no-deps --no-build-isolation -e .
.venv/bin/python -m pip check --disable-pip-version-check
touch .venv/.ready
