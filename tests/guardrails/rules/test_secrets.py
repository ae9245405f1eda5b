"""The rule for secrets that show what they are."""

from __future__ import annotations

import base64
import json
import string

import pytest

from guardrails import Category, Confidence, Severity
from guardrails.rules.secret_kinds import base62_checksum
from tests.guardrails.builders import (
    GITHUB_TOKEN,
    chance,
    change,
    findings,
    found,
    renamed,
)

HEX = "0123456789abcdef"
UPPER = string.ascii_uppercase + "234567"
PEM = "-----BEGIN RSA " + "PRIVATE KEY-----"
PEM_END = "-----END RSA " + "PRIVATE KEY-----"


def web_token(header: dict[str, str]) -> str:
    """Return a JSON web token with this header."""
    parts = (json.dumps(header), '{"sub":"1234567890"}', chance(32))
    encoded = [base64.urlsafe_b64encode(each.encode()).decode() for each in parts]
    return ".".join(each.rstrip("=") for each in encoded)


RECIPES = {
    "github-token": GITHUB_TOKEN,
    "github-fine-grained-token": "github_pat_" + chance(22) + "_" + chance(59),
    "gitlab-token": "glpat-" + chance(20),
    "aws-access-key-id": "AKIA" + chance(16, UPPER),
    "slack-token": "xoxb-" + chance(12, string.digits) + "-" + chance(24),
    "slack-webhook": "https://hooks.slack.com/" + "services/T0/" + chance(34),
    "stripe-key": "sk_live_" + chance(24),
    "google-api-key": "AIza" + chance(35),
    "google-oauth-secret": "GOCSPX-" + chance(28),
    "anthropic-key": "sk-ant-" + "api03-" + chance(93),
    "openai-key": "sk-proj-" + chance(48),
    "model-provider-key": "sk-" + chance(48),
    "huggingface-token": "hf_" + chance(34),
    "npm-token": "npm_" + chance(36),
    "pypi-token": "pypi-AgEI" + "cHlwaS5vcmc" + chance(80),
    "docker-token": "dckr_pat_" + chance(27),
    "twilio-key": "SK" + chance(32, HEX),
    "sendgrid-key": "SG." + chance(22) + "." + chance(43),
    "digitalocean-token": "dop_v1_" + chance(64, HEX),
    "databricks-token": "dapi" + chance(32, HEX),
    "azure-storage-key": "AccountKey=" + chance(86) + "==",
    "shopify-token": "shpat_" + chance(32, HEX),
    "grafana-token": "glsa_" + chance(32) + "_" + chance(8, HEX),
    "vault-token": "hvs." + chance(90),
    "telegram-token": "123456789:AA" + chance(33),
    "json-web-token": web_token({"alg": "HS256", "typ": "JWT"}),
    "private-key": PEM + "\\n" + chance(64) + "\\n" + PEM_END,
    "address-password": "postgresql://app:" + chance(16) + "@db.internal.net/app",
}


@pytest.mark.parametrize(("kind", "secret"), RECIPES.items(), ids=list(RECIPES))
def test_each_kind_is_found_and_never_shown(kind: str, secret: str) -> None:
    """An added secret blocks; of its value only the beginning is in the finding."""
    text = f'import os\nvalue = "{secret}"  # note\n'
    (finding,) = findings("secret", change("app/a.py", None, text))
    assert f"({kind})" in finding.message
    assert finding.severity >= Severity.HIGH
    assert (finding.category, finding.line) == (Category.SECRET, 2)
    assert "…" in finding.evidence
    tail = secret.split("@")[0][-20:-4]
    assert tail not in repr(finding)


@pytest.mark.parametrize(("kind", "secret"), RECIPES.items(), ids=list(RECIPES))
def test_a_secret_in_a_very_long_line_is_found(kind: str, secret: str) -> None:
    """A line of any length is looked at whole, also across places where one cuts."""
    for lead in (4090, 4096 - len(secret), 100_000):
        line = "x " * (lead // 2) + secret + " y" * 5_000
        (finding,) = findings("secret", change("a.min.js", None, line))
        assert f"({kind})" in finding.message
        assert len(finding.evidence) < 400


@pytest.mark.parametrize("secret", ["ghp_", "npm_"])
def test_the_checksum_makes_a_token_sure(secret: str) -> None:
    """The last six characters are a checksum of the others; it only tells how sure."""
    body = chance(30)
    right = secret + body + base62_checksum(body)
    wrong = secret + body + "000000"
    (sure,) = findings("secret", change("a.py", None, f"t = '{right}'\n"))
    (unsure,) = findings("secret", change("a.py", None, f"t = '{wrong}'\n"))
    assert sure.confidence is Confidence.HIGH
    assert unsure.confidence is Confidence.MEDIUM
    assert sure.severity is unsure.severity is Severity.CRITICAL


def test_the_checksum_is_githubs() -> None:
    """A published example of a revoked token ends with the checksum of its body."""
    assert base62_checksum("zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ") == "0mLq17"


@pytest.mark.parametrize(
    "line",
    [
        "AWS_KEY = 'AKIA" + "IOSFODNN7EXAMPLE'",
        "token = 'ghp_" + "x" * 36 + "'",
        "key = 'sk_live_your" + "-key-here-0123456789'",
        "sk-button-primary-large-container-wrapper-2",
        "risk-" + chance(40),
        "task_ghp_short",
        f"my{GITHUB_TOKEN}",
        "if '-----BEGIN RSA " + "PRIVATE KEY-----' in text:",
        "-----BEGIN " + "CERTIFICATE-----\n" + chance(64),
        "-----BEGIN " + "PUBLIC KEY-----\n" + chance(64),
        "postgresql://user:password@db.internal.net/app",
        "postgresql://${USER}:${PASSWORD}@db.internal.net/app",
        "https://{user}:{password}@host.net/",
        "https://example.com:8080/a@b",
        "git clone https://github.com/a/b@v1:2",
        web_token({"alg": "none"}),
        "eyJhbGciOi.eyJzdWIiOi.short",
        "EAAA" + "B" * 43,
    ],
)
def test_what_only_looks_like_a_secret_is_none(line: str) -> None:
    """Examples, placeholders, words and public keys are left alone."""
    assert found("secret", "a.txt", line) == []


def test_a_local_password_in_an_address_does_not_block() -> None:
    """A login to one's own machine is told, but low."""
    line = "redis://:" + chance(12) + "@localhost:6379"
    assert found("secret", "a.py", line) == [Severity.LOW]


def test_only_added_lines_count() -> None:
    """A secret that goes, or stands around the change, is not its doing."""
    line = f"token = '{GITHUB_TOKEN}'\n"
    assert findings("secret", change("a.py", line + "a\n", "b\n")) == []
    assert findings("secret", change("a.py", line + "a\n", line + "b\n")) == []
    assert len(findings("secret", change("a.py", "a\n", line + "a\n"))) == 1


def test_a_renamed_file_counts_as_added() -> None:
    """Content under a new name, without any hunk, is looked at (B04)."""
    file = renamed("notes.txt", "payload.py", f"t = '{GITHUB_TOKEN}'\n")
    assert len(findings("secret", file)) == 1


def test_a_key_over_many_lines_is_one_finding() -> None:
    """The header with a body is one finding; no line of the body is shown."""
    body = "\n".join(chance(64, seed=each) for each in range(20))
    text = f"{PEM}\n{body}\n{PEM_END}\n"
    (finding,) = findings("secret", change("deploy.txt", None, text))
    assert finding.line == 1
    assert chance(64, seed=0)[8:30] not in repr(finding)


def test_an_escaped_newline_before_a_token_does_not_hide_it() -> None:
    """``\\n`` in a string is no letter of the token after it."""
    line = f'body = "first\\n{GITHUB_TOKEN}"'
    assert found("secret", "a.py", line) == [Severity.CRITICAL]
