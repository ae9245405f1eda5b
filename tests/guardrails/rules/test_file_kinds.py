"""The rules for links, submodules, modes, binaries and names of secret files."""

from __future__ import annotations

import pytest

from guardrails import ChangeKind, FileChange, Severity
from guardrails.model import SUBMODULE_MODE, SYMLINK_MODE
from tests.guardrails.builders import bare, change, findings, renamed


def link(path: str, target: str, **fields: object) -> FileChange:
    return change(path, None, target, new_mode=SYMLINK_MODE, **fields)


@pytest.mark.parametrize(
    ("path", "target", "severity"),
    [
        ("a", "../x", Severity.HIGH),
        ("a/b", "../../x", Severity.HIGH),
        ("a/b", "c/../../../x", Severity.HIGH),
        ("a", "/etc/passwd", Severity.HIGH),
        ("a", "~/x", Severity.HIGH),
        ("a", "C:\\x", Severity.HIGH),
        ("a/b", "../.git/hooks", Severity.HIGH),
        ("a", "b/c", Severity.LOW),
        ("a/b", "../x", Severity.LOW),
        ("a/b", "./c/../d", Severity.LOW),
    ],
)
def test_a_link_is_judged_by_where_it_leads(
    path: str, target: str, severity: Severity
) -> None:
    """Out of the repository is HIGH, inside is LOW; the way out is not repeated."""
    (finding,) = findings("symlink", link(path, target))
    assert finding.severity is severity
    assert (target in repr(finding)) is (severity is Severity.LOW)


def test_a_link_without_a_known_target_is_high() -> None:
    """What cannot be known is not trusted."""
    (finding,) = findings("symlink", bare("a", ChangeKind.ADDED, new_mode=SYMLINK_MODE))
    assert finding.severity is Severity.HIGH


def test_a_file_that_becomes_a_link_is_told() -> None:
    """So is one that becomes a file again, by the rule for modes."""
    became = change("a", "x\n", "b", old_mode="100644", new_mode=SYMLINK_MODE)
    (finding,) = findings("symlink", became)
    assert "in place of a file" in finding.message
    back = change("a", "b", "x\n", old_mode=SYMLINK_MODE, new_mode="100644")
    assert findings("symlink", back) == []
    (finding,) = findings("executable", back)
    assert "was a link" in finding.message


def test_files_and_removed_links_are_no_links() -> None:
    """Nothing is told of them."""
    removed = change("a", "/etc", None, old_mode=SYMLINK_MODE)
    assert findings("symlink", removed, change("b", None, "/etc\n")) == []


def test_a_submodule_pointer_is_told() -> None:
    """Added or moved; its removal is fine."""
    moved = bare("lib", old_mode=SUBMODULE_MODE, new_mode=SUBMODULE_MODE)
    (finding,) = findings("submodule", moved)
    assert finding.severity is Severity.MEDIUM
    removed = bare("lib", ChangeKind.REMOVED, old_mode=SUBMODULE_MODE)
    assert findings("submodule", removed) == []


def test_the_address_of_a_submodule_is_told() -> None:
    """An open protocol or a command instead of an address is HIGH."""
    safe = '[submodule "a"]\n\tpath = a\n\turl = https://x.test/a\n'
    (finding,) = findings("submodule", change(".gitmodules", None, safe))
    assert (finding.line, finding.severity) == (3, Severity.MEDIUM)
    for address in ("http://x.test/a", "git://x.test/a", "ext::sh -c x", "!sh x"):
        text = safe.replace("https://x.test/a", address)
        (finding,) = findings("submodule", change(".gitmodules", None, text))
        assert finding.severity is Severity.HIGH


def test_a_file_that_becomes_executable_is_low() -> None:
    """A mode change has no hunk and is told all the same (B04)."""
    became = bare("run.sh", ChangeKind.CHANGED, old_mode="100644", new_mode="100755")
    added = change("new.sh", None, "x\n", new_mode="100755")
    told = findings("executable", became, added)
    assert [each.severity for each in told] == [Severity.LOW, Severity.LOW]


def test_other_modes_are_fine() -> None:
    """As before, or executable no more."""
    same = change("a.sh", "x\n", "y\n", old_mode="100755", new_mode="100755")
    less = bare("b.sh", ChangeKind.CHANGED, old_mode="100755", new_mode="100644")
    assert findings("executable", same, less, change("c", None, "x\n")) == []


@pytest.mark.parametrize(
    "file",
    [
        bare("tool", ChangeKind.ADDED, is_binary=True, new_mode="100755"),
        bare("a.EXE", ChangeKind.ADDED, is_binary=True),
        bare("lib/a.so", ChangeKind.MODIFIED, is_binary=True),
        bare("model.pkl", ChangeKind.ADDED, is_binary=True),
        bare("app.py", ChangeKind.MODIFIED, is_binary=True),
        bare("notes", ChangeKind.MODIFIED, is_binary=True, before="text\n"),
    ],
    ids=lambda file: file.path,
)
def test_programs_and_hidden_texts_are_medium(file: FileChange) -> None:
    """What nobody can read and what could be run."""
    (finding,) = findings("binary", file)
    assert finding.severity is Severity.MEDIUM


def test_images_and_archives_are_fine() -> None:
    """So is a program that goes, and a text."""
    files = (
        bare("a.png", ChangeKind.ADDED, is_binary=True),
        bare("a.zip", ChangeKind.MODIFIED, is_binary=True),
        bare("a.exe", ChangeKind.REMOVED, is_binary=True),
        change("a.py", None, "x\n"),
    )
    assert findings("binary", *files) == []


@pytest.mark.parametrize(
    ("path", "severity"),
    [
        ("deploy/id_rsa", Severity.HIGH),
        ("id_ed25519", Severity.HIGH),
        ("certs/server.pem", Severity.HIGH),
        ("certs/server.KEY", Severity.HIGH),
        ("android/release.jks", Severity.HIGH),
        (".netrc", Severity.HIGH),
        ("home/.aws/credentials", Severity.HIGH),
        (".env", Severity.MEDIUM),
        ("web/.env.production", Severity.MEDIUM),
        ("infra/terraform.tfstate", Severity.MEDIUM),
        ("gcp/service-account-prod.json", Severity.MEDIUM),
    ],
)
def test_names_of_secret_files(path: str, severity: Severity) -> None:
    """Told by name, for binary content too, and under a new name."""
    files = (
        change(path, None, "x = 1\n"),
        bare(path, ChangeKind.ADDED, is_binary=True),
        renamed("notes.txt", path, "x = 1\n"),
    )
    for file in files:
        assert [each.severity for each in findings("secret-file", file)] == [severity]


@pytest.mark.parametrize(
    "file",
    [
        change("id_rsa.pub", None, "ssh-rsa AAAA\n"),
        change("ca.pem", None, "-----BEGIN CERTIFICATE-----\nx\n"),
        change(".env.example", None, "A=1\n"),
        change(".env", None, "\n"),
        change(".env", "A=1\n", "A=2\n"),
        change("id_rsa", "x\n", None),
        change("keyboard.py", None, "x\n"),
        change("environment.py", None, "x\n"),
        change("docs/aws/credentials.md", None, "x\n"),
    ],
    ids=lambda file: f"{file.path} {file.kind}",
)
def test_harmless_names(file: FileChange) -> None:
    """Public halves, templates, empty files, files that were there or go."""
    assert findings("secret-file", file) == []
