"""What the tests of the front door need."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.app.web.builders import Front, front, new_inbox


@pytest.fixture
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio, as the app does."""
    return "asyncio"


@pytest.fixture
async def door(tmp_path: Path) -> AsyncIterator[Front]:
    """Give the app with an inbox of its own."""
    async with front(new_inbox(tmp_path)) as opened:
        yield opened
