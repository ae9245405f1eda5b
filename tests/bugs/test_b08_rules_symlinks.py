"""B08: a symlink that the change adds is a finding; of its target nothing is told."""

from __future__ import annotations

import pytest

from guardrails import ChangeKind, Severity, evaluate
from guardrails.diff import parse

NEW = """\
diff --git a/docs/link b/docs/link
new file mode 120000
index 0000000..1111111
--- /dev/null
+++ b/docs/link
@@ -0,0 +1 @@
+{target}
\\ No newline at end of file
"""
BECOMES_FILE = """\
diff --git a/docs/link b/docs/link
deleted file mode 120000
index 1111111..0000000
--- a/docs/link
+++ /dev/null
@@ -1 +0,0 @@
-/etc/passwd
\\ No newline at end of file
diff --git a/docs/link b/docs/link
new file mode 100644
index 0000000..2222222
--- /dev/null
+++ b/docs/link
@@ -0,0 +1 @@
+text
"""


@pytest.mark.parametrize("target", ["../../.ssh/id_rsa", "/proc/self/environ"])
def test_a_link_out_of_the_repository_is_high(target: str) -> None:
    """Read from a real diff; the target is not repeated."""
    verdict = evaluate(parse(NEW.format(target=target).encode()))
    (finding,) = verdict.findings
    assert (finding.rule, finding.severity) == ("symlink", Severity.HIGH)
    assert target not in repr(verdict)
    assert verdict.is_complete


def test_a_link_inside_the_repository_is_low() -> None:
    """It is told and does not block."""
    (finding,) = evaluate(parse(NEW.format(target="../README.md").encode())).findings
    assert (finding.rule, finding.severity) == ("symlink", Severity.LOW)


def test_a_link_that_becomes_a_file_is_told() -> None:
    """As one change; the old target is not repeated."""
    verdict = evaluate(parse(BECOMES_FILE.encode()))
    (finding,) = verdict.findings
    assert (finding.rule, finding.severity) == ("executable", Severity.LOW)
    assert "/etc/passwd" not in repr(verdict)


def test_a_link_that_only_got_another_name_is_not_trusted() -> None:
    """Its diff does not say where it leads from there."""
    raw = (
        "diff --git a/link b/docs/deep/link\nold mode 100644\nnew mode 120000\n"
        "similarity index 100%\nrename from link\nrename to docs/deep/link\n"
    )
    change_set = parse(raw.encode())
    assert change_set.files[0].kind is ChangeKind.RENAMED
    (finding,) = evaluate(change_set).findings
    assert finding.severity is Severity.HIGH
