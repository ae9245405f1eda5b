"""The rule for values that are assigned to a credential's name."""

from __future__ import annotations

import uuid

import pytest

from guardrails import Severity
from guardrails.rules.evidence import shown
from tests.guardrails.builders import GITHUB_TOKEN, chance, change, findings, found

RULE = "hard-coded-credential"


@pytest.mark.parametrize(
    "line",
    [
        'API_KEY = "%s"',
        '"clientSecret": "%s",',
        "const authToken = `%s`;",
        "settings['SECRET_KEY'] = '%s'",
        'api_secret: str = "%s"',
        'token := "%s"',
        'connect(user="a", password="%s")',
        "secret_key => '%s'",
    ],
)
@pytest.mark.parametrize("seed", range(5))
def test_a_random_value_blocks_and_is_not_shown(line: str, seed: int) -> None:
    """Random letters under such a name are HIGH in any language."""
    value = chance(32, seed=seed)
    (finding,) = findings(RULE, change("app/a.py", None, line % value + "\n"))
    assert finding.severity is Severity.HIGH
    assert value[4:] not in repr(finding)


@pytest.mark.parametrize(
    "line",
    [
        'db_password = "Tr0ub4dor' + '&3x"',
        'PASSWORD: str = "kx9!' + 'vWq2"',
        "passwd = 'summer2024" + "!x1'",
    ],
)
def test_a_password_of_words_is_medium(line: str) -> None:
    """What a person would choose is told, but does not block."""
    assert found(RULE, "app/a.py", line) == [Severity.MEDIUM]


@pytest.mark.parametrize("path", [".env", "conf/app.yaml", "Dockerfile", "app.ini"])
def test_configuration_needs_no_quotes(path: str) -> None:
    """There a value stands bare; in code that would be a name."""
    line = "API_TOKEN=" + chance(32)
    assert found(RULE, path, line) == [Severity.HIGH]
    assert found(RULE, "app/a.py", line) == []


def test_tests_and_examples_are_low() -> None:
    """A value in a test is told and does not block."""
    line = f'API_KEY = "{chance(32)}"'
    for path in ("tests/test_a.py", "docs/guide.md", "examples/a.py"):
        assert found(RULE, path, line) == [Severity.LOW]


@pytest.mark.parametrize(
    "line",
    [
        'token = "next_page_token_value"',
        'api_key = os.environ["API_KEY"]',
        'password = "password"',
        'password_field = "' + chance(20) + '"',
        'max_tokens = "1234567890123456"',
        f'secret = "{uuid.UUID(int=2**100 + 12345)}"',
        'integrity = "sha512-' + chance(86) + '=="',
        'password_hash = "' + chance(40) + '"',
        'API_KEY = "your-api-key-here-1"',
        'SECRET_KEY = "${SECRET_KEY_2}"',
        'token = "thisIsAVeryLongCamelCaseIdentifierName2"',
        'password = "Enter your password 1"',
        'public_key = "' + chance(40) + '"',
        'token_url = "https://a.b/' + chance(20) + '"',
        'password = f"{user}:{host}12"',
        'credentials: "same-origin"',
        'token = "keyword.control.import2.python"',
        'secret_name = "prod/db/' + chance(20) + '"',
        'cache_key = "' + chance(32) + '"',
        'password=get_password_from_store1("x")',
        'if password == "' + chance(16) + '":',
    ],
)
def test_what_is_no_credential_is_left_alone(line: str) -> None:
    """Names, references, placeholders, digests and UUIDs weigh nothing (B26)."""
    assert found(RULE, "app/a.py", line) == []
    assert found(RULE, "app/a.js", line) == []


def test_a_lock_file_is_left_alone() -> None:
    """It is full of digests under names of all sorts (B26)."""
    line = '    "token": "' + chance(40) + '",'
    assert found(RULE, "package-lock.json", line) == []
    assert found(RULE, "package.json", line) == [Severity.HIGH]


def test_a_known_token_is_told_once() -> None:
    """What the rule for secrets names is not named a second time."""
    assert found(RULE, "a.py", f'github_token = "{GITHUB_TOKEN}"') == []
    assert found("secret", "a.py", f'github_token = "{GITHUB_TOKEN}"') != []


def test_evidence_of_any_rule_hides_secrets() -> None:
    """The one function that shows lines knows all kinds of secrets."""
    value, password = chance(32), "kx9!" + "vWq2zz"
    line = (
        f'x = "{GITHUB_TOKEN}"; api_key = "{value}"; password = "{password}" # \u202e'
    )
    told = shown(line)
    assert "ghp_…" in told
    assert value[4:] not in told
    assert password[2:] not in told
    assert "\\u{202e}" in told
    assert shown(chance(4000), 2000).count(chance(4000)[1990:2010]) == 0
