"""Path globs as an agent writes them. Pure.

``*`` and ``?`` stay inside one folder, ``**`` spans folders, and a pattern without
a slash matches a file name anywhere. A pattern costs at most its segments times
those of the path, whatever stands in it: it comes from a model.
"""

from __future__ import annotations

from fnmatch import fnmatchcase

MOST_SEGMENTS = 40


def matches(pattern: str, path: str) -> bool:
    """Tell whether ``path`` matches ``pattern``."""
    pattern = pattern.strip().removeprefix("./")
    if "/" not in pattern and pattern != "**":
        return fnmatchcase(path.rsplit("/", 1)[-1], pattern)
    wanted = [each for each in pattern.split("/") if each][:MOST_SEGMENTS]
    if pattern.endswith("/"):
        wanted.append("**")
    return _segments_match(wanted, path.split("/"))


def _segments_match(wanted: list[str], given: list[str]) -> bool:
    # reachable[i]: the pattern so far can end just before given[i].
    reachable = [True] + [False] * len(given)
    for segment in wanted:
        if segment == "**":
            first = next((i for i, hit in enumerate(reachable) if hit), len(given) + 1)
            reachable = [i >= first for i in range(len(given) + 1)]
            continue
        reachable = [False] + [
            hit and fnmatchcase(name, segment)
            for hit, name in zip(reachable, given, strict=False)
        ]
    return reachable[-1]
