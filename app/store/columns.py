"""Column types: the border where values become what every database can hold.

PostgreSQL refuses what SQLite takes: NUL, lone surrogates (file names and the words
of an agent may hold both), numbers that are none, texts longer than their column.
Such a value is mended here, on both databases alike, so that nothing untrusted ends
a review. Two long texts that differ still differ after the cut: keys stay keys.
"""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, cast

from sqlalchemy import JSON, DateTime, String, Text, TypeDecorator

_UNSTORABLE = re.compile("[\ud800-\udfff\0]")
_MARK = 16  # hexadecimal digits that tell long texts apart


def storable(text: str, most: int | None = None) -> str:
    """Return ``text`` as a column of ``most`` characters can hold it."""
    mended = _UNSTORABLE.sub("\ufffd", text)
    if most is None or len(mended) <= most:
        return mended
    mark = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_MARK]
    return f"{mended[: most - _MARK - 1]}\u2026{mark}"


class Utc(TypeDecorator[datetime]):
    """An aware time in UTC; SQLite forgets the zone, so it is put back."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Any) -> Any:
        """Refuse naive times: they would be read back as another instant."""
        if value is not None and value.tzinfo is None:
            raise ValueError("a time without a zone cannot be stored")
        return None if value is None else value.astimezone(UTC)

    def process_result_value(
        self, value: datetime | None, dialect: Any
    ) -> datetime | None:
        """Return the time as aware UTC."""
        if value is None:
            return None
        if value.tzinfo is None:
            return value.replace(tzinfo=UTC)
        return value.astimezone(UTC)


class Words(TypeDecorator[str]):
    """A text of at most so many characters."""

    impl: type[String] = String
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Any) -> str | None:
        """Mend the text; what is compared with the column is mended alike."""
        column = cast("String", self.impl_instance)
        return None if value is None else storable(value, column.length)


class LongWords(Words):
    """A text of any length."""

    impl = Text
    cache_ok = True


class Plain(TypeDecorator[Any]):
    """Plain JSON data that any JSON function of a database can read."""

    impl = JSON
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Any) -> Any:
        """Mend every text and number inside."""
        return _plain(value)


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)  # JSON has no word for it; read back it is the same number
    if isinstance(value, dict):
        return {storable(str(key)): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value
