"""``python -m app`` is ``recloser``."""

from __future__ import annotations

from app.cli import main

main()
