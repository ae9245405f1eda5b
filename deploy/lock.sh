#!/bin/sh
# Pin every dependency with hashes. No index address may get into the files.
set -eu
bin=$1
for each in base dev; do
    "$bin/pip-compile" --quiet --generate-hashes --strip-extras --allow-unsafe \
        --no-header --no-emit-index-url --no-emit-trusted-host \
        --no-emit-find-links "requirements/$each.in" -o "requirements/$each.txt"
done
