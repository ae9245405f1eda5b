"""Match paths against the globs of a policy. Pure.

``*`` and ``?`` stay inside one folder, ``**`` spans folders, a pattern without a
slash matches a file's name anywhere, one that ends with a slash all below it.
Case does not count: a path that some file systems take for a protected one is one.
A match costs at most the pattern's segments times those of the path.
"""

from __future__ import annotations

from fnmatch import fnmatchcase


def matches(pattern: str, path: str) -> bool:
    """Tell whether ``path`` matches ``pattern``."""
    pattern = pattern.strip().removeprefix("./").casefold()
    path = path.casefold()
    if "/" not in pattern and pattern != "**":
        return fnmatchcase(path.rpartition("/")[2], pattern)
    wanted = [each for each in pattern.split("/") if each]
    if pattern.endswith("/"):
        wanted.append("**")
    return _segments_match(wanted, path.split("/"))


def _segments_match(wanted: list[str], given: list[str]) -> bool:
    # reachable[i]: the pattern so far can end just before given[i].
    reachable = [True] + [False] * len(given)
    for segment in wanted:
        if segment == "**":
            first = next((i for i, hit in enumerate(reachable) if hit), len(reachable))
            reachable = [i >= first for i in range(len(reachable))]
            continue
        reachable = [False] + [
            hit and fnmatchcase(name, segment)
            for hit, name in zip(reachable, given, strict=False)
        ]
    return reachable[-1]
