"""B26: removing a secret is no leak, and hashes are no secrets."""

from __future__ import annotations

import uuid

import pytest

from guardrails import Policy, evaluate
from tests.guardrails.builders import chance, change, change_set, found

TOKEN = "ghp_" + 36 * "A"
LINE = f'token = "{TOKEN}"\n'


def blocked(before: str | None, after: str | None, path: str = "a.py") -> bool:
    policy = Policy()
    verdict = evaluate(change_set(change(path, before, after)), policy)
    return bool(verdict.blocking(policy.block))


def test_an_added_token_blocks() -> None:
    """On an added line, in a new file, moved to another line of the same file."""
    assert blocked("a = 1\n", "a = 1\n" + LINE)
    assert blocked(None, LINE)


def test_a_removed_token_or_one_around_a_change_does_not_block() -> None:
    """The change that takes it away is the cure."""
    assert not blocked("a = 1\n" + LINE, "a = 1\n")
    assert not blocked(LINE, None)
    assert not blocked(LINE + "a = 1\n", LINE + "a = 2\n")


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("package-lock.json", f'  "integrity": "sha512-{chance(86)}=="'),
        ("yarn.lock", f"  integrity sha512-{chance(86)}=="),
        ("index.html", f'<script integrity="sha384-{chance(64)}"></script>'),
        ("a.py", f'secret = "{uuid.UUID(bytes=bytes(range(16)))}"'),
        ("a.py", f'token_id = "{uuid.UUID(bytes=bytes(range(16)))}"'),
        ("a.py", 'key = "AKIA' + 'IOSFODNN7EXAMPLE"'),
        ("a.py", 'key = "ASIA' + 'IOSFODNN7EXAMPLE"'),
        ("a.py", 'aws_secret_access_key = "wJalrXUtnFEMI/K7MDENG/bPxRfiCY'
                 'EXAMPLEKEY"'),
        ("a.java", "secretKeySpecFactoryBeanPostProcessorConfigurer = null;"),
        ("a.ts", 'token = "getAccessTokenProviderFactoryBeanV2"'),
        ("a.txt", chance(40, "0123456789abcdef")),
        ("go.sum", f"example.com/a v1.0.0 h1:{chance(43)}="),
    ],
)  # fmt: skip
def test_what_only_looks_random_does_not_block(path: str, line: str) -> None:
    """Digests, ids, the vendor's own examples, long names."""
    assert found("secret", path, line) == []
    assert found("hard-coded-credential", path, line) == []
