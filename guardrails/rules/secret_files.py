"""secret-file: a file is added whose name says that it holds secrets.

Threat: key files, environment files and credential stores that were meant to stay
outside, among them binary ones, which no search of texts can judge.
Limits: a ``.pem`` with certificates or public keys alone is fine; templates like
``.env.example`` are fine; the content is for the rule ``secret``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from guardrails.model import Category, ChangeKind, ChangeSet, FileChange, Finding
from guardrails.model import Severity as Level
from guardrails.policy import Policy

_ARRIVES = (ChangeKind.ADDED, ChangeKind.RENAMED, ChangeKind.COPIED)
_PUBLIC = re.compile(r"-----BEGIN [A-Z0-9 ]{0,30}(?:CERTIFICATE|PUBLIC KEY|CRL)")
_TEMPLATE = re.compile(r"(?:example|sample|template|tmpl|dist|defaults?|schema|test)")

_NAMES: tuple[tuple[re.Pattern[str], str, Level], ...] = (
    (re.compile(r"id_(?:rsa|dsa|ecdsa|ed25519)(?:_\w+)?"), "an SSH key", Level.HIGH),
    (re.compile(r".+\.(?:pem|key|p8|ppk)"), "a private key", Level.HIGH),
    (
        re.compile(r".+\.(?:p12|pfx|jks|keystore|kdbx|bks|keychain|agilekeychain)"),
        "a store of keys",
        Level.HIGH,
    ),
    (
        re.compile(r"\.(?:netrc|pgpass|git-credentials|htpasswd|s3cfg|vault-token)"),
        "stored passwords",
        Level.HIGH,
    ),
    (re.compile(r"\.(?:pypirc|dockercfg|boto|esmtprc)"), "stored logins", Level.MEDIUM),
    (re.compile(r"\.env(?:\.[\w.-]+)?|\.envrc"), "an environment", Level.MEDIUM),
    (re.compile(r"(?:.+\.)?tfstate(?:\.backup)?"), "Terraform's state", Level.MEDIUM),
    (re.compile(r"wallet\.dat|secring\.gpg"), "a store of keys", Level.HIGH),
    (
        re.compile(r"(?:service[_-]?account|client[_-]?secret)[\w.-]*\.json"),
        "a service account",
        Level.MEDIUM,
    ),
    (re.compile(r".*\.ovpn|kubeconfig"), "a login to a network", Level.MEDIUM),
)
_PATHS: tuple[tuple[str, str, Level], ...] = (
    (".aws/credentials", "AWS credentials", Level.HIGH),
    (".docker/config.json", "stored logins", Level.MEDIUM),
    (".kube/config", "a login to a cluster", Level.HIGH),
)


class SecretFiles:
    """Finds files that hold secrets by their names."""

    id = "secret-file"

    def evaluate(self, change_set: ChangeSet, policy: Policy) -> Iterator[Finding]:
        """Yield a finding for each file that arrives under such a name."""
        for change in change_set.files:
            if change.kind not in _ARRIVES or change.is_symlink or _is_harmless(change):
                continue
            match = _match(change.path)
            if match is not None:
                title, severity = match
                yield Finding(
                    rule=self.id,
                    severity=severity,
                    category=Category.SECRET,
                    path=change.path,
                    message=f"The name of this new file says that it is {title}.",
                    remedy="Keep it out of the repository; list it in .gitignore.",
                    cwe="CWE-538",
                )


def _match(path: str) -> tuple[str, Level] | None:
    lowered = path.lower()
    for tail, title, severity in _PATHS:
        if lowered == tail or lowered.endswith("/" + tail):
            return title, severity
    name = lowered.rpartition("/")[2]
    for pattern, title, severity in _NAMES:
        if pattern.fullmatch(name):
            return title, severity
    return None


def _is_harmless(change: FileChange) -> bool:
    if change.after is not None:
        text = change.after
        if not text.strip() or ("PRIVATE KEY" not in text and _PUBLIC.search(text)):
            return True
    name = change.path.lower().rpartition("/")[2]
    return name.startswith(".env") and _TEMPLATE.search(name) is not None
