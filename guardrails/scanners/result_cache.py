"""Keep what a text led to, as long as there is room. Thread-safe, in memory."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")

ENTRY_OVERHEAD = 400  # bytes of a key, its digest and the two objects around them


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """All that a result depends on: the text, its language, the rules."""

    digest: bytes
    language: str
    rules: str


class ResultCache(Generic[T]):
    """Results by key; the least recently used go when the bytes run out."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._entries = OrderedDict[Key, tuple[T, int]]()
        self._lock = threading.Lock()
        self.used_bytes = 0

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: Key) -> T | None:
        """Return the result of ``key``, which thereby becomes the most recent."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                return None
            self._entries.move_to_end(key)
            return entry[0]

    def put(self, key: Key, value: T, *, size: int) -> None:
        """Keep ``value``, which takes about ``size`` bytes, if it fits at all."""
        size += ENTRY_OVERHEAD
        if size > self._max_bytes:
            return
        with self._lock:
            if key in self._entries:
                self.used_bytes -= self._entries.pop(key)[1]
            self._entries[key] = (value, size)
            self.used_bytes += size
            while self.used_bytes > self._max_bytes:
                _, (_, gone) = self._entries.popitem(last=False)
                self.used_bytes -= gone
