"""The memory of results has a bound and forgets the oldest first."""

from __future__ import annotations

from guardrails.scanners.result_cache import ENTRY_OVERHEAD, Key, ResultCache


def _key(name: str) -> Key:
    return Key(digest=name.encode(), language=".py", rules="r")


def test_the_least_recently_used_goes_first() -> None:
    """A result that was asked for stays; the one nobody asked for goes."""
    cache = ResultCache[int](2 * (ENTRY_OVERHEAD + 10))
    cache.put(_key("a"), 1, size=10)
    cache.put(_key("b"), 2, size=10)
    assert cache.get(_key("a")) == 1
    cache.put(_key("c"), 3, size=10)
    assert cache.get(_key("b")) is None
    assert cache.get(_key("a")) == 1
    assert cache.used_bytes <= 2 * (ENTRY_OVERHEAD + 10)


def test_a_result_that_is_too_big_is_not_kept() -> None:
    """One giant does not throw all others out."""
    cache = ResultCache[int](1000)
    cache.put(_key("a"), 1, size=10)
    cache.put(_key("b"), 2, size=5000)
    assert cache.get(_key("a")) == 1
    assert cache.get(_key("b")) is None


def test_other_rules_make_another_key() -> None:
    """A new rulepack forgets what the old one said."""
    cache = ResultCache[int](10_000)
    cache.put(_key("a"), 1, size=1)
    assert cache.get(Key(digest=b"a", language=".py", rules="new")) is None


def test_a_result_put_twice_is_counted_once() -> None:
    """The bytes in use are those of what is kept."""
    cache = ResultCache[int](10_000)
    cache.put(_key("a"), 1, size=1)
    used = cache.used_bytes
    cache.put(_key("a"), 2, size=1)
    assert cache.used_bytes == used
    assert cache.get(_key("a")) == 2
    assert len(cache) == 1
