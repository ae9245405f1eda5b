"""B05: a quoted, octal-escaped path is dropped or never decoded."""

from __future__ import annotations

import pytest

from guardrails import diff

SECTION = b"""\
diff --git %b %b
index 587be6b..975fbec 100644
--- %b
+++ %b
@@ -1 +1 @@
-x
+y
"""


@pytest.mark.parametrize(
    ("quoted", "path"),
    [
        (rb"na\303\257ve file.py", "naïve file.py"),
        (
            rb"a \"quoted\" back\\slash and\ttab.py",
            'a "quoted" back\\slash and\ttab.py',
        ),
        (rb"latin \351.py", "latin \udce9.py"),
    ],
)
@pytest.mark.parametrize("end", [b"", b" ", b"\t"])
def test_a_quoted_path_is_decoded(quoted: bytes, path: str, end: bytes) -> None:
    """Escapes are undone, and a blank behind the closing quote means nothing."""
    old, new = b'"a/' + quoted + b'"', b'"b/' + quoted + b'"'

    change_set = diff.parse(SECTION % (old, new, old + end, new + end))

    assert change_set.gaps == ()
    assert [each.path for each in change_set.files] == [path]


def test_a_blank_behind_a_bare_path_is_not_of_the_path() -> None:
    """The first header tells whether a blank at the end belongs to the name."""
    raw = SECTION % (b"a/x.py", b"b/x.py", b"a/x.py ", b"b/x.py ")

    change_set = diff.parse(raw)

    assert change_set.gaps == ()
    assert [each.path for each in change_set.files] == ["x.py"]


@pytest.mark.parametrize("broken", [rb'"b/x', rb'"b/\q"', rb'"b/\777"', rb'"b/x"y'])
def test_a_path_that_cannot_be_read_is_a_gap(broken: bytes) -> None:
    """A name whose quoting is broken is reported, never dropped."""
    change_set = diff.parse(SECTION % (broken, broken, broken, broken))

    assert len(change_set.files) == 1
    assert change_set.gaps
