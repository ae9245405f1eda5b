"""The version of Recloser, as the installed distribution says it."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

try:
    VERSION = version("recloser")
except PackageNotFoundError:  # run from a tree that was never installed
    VERSION = "0.0.0"
