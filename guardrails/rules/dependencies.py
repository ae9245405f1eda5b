"""dependency: code arrives from a place that no index vouches for, or runs on install.

Threat: a dependency from a git repository or an address can change under the same
name; another index can answer first for a private name; an install script runs on
the machine of everybody who installs. MEDIUM: a human decides.
Limits: which versions of which package are bad is for tools with a data base; read
line by line, so a value on a line of its own may be missed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from guardrails.model import Category, ChangeSet, Finding, Severity
from guardrails.policy import Policy
from guardrails.rules.added import added_texts
from guardrails.rules.evidence import shown
from guardrails.rules.paths import name_of

_SOURCE = "This takes a dependency from an address instead of an index."
_INDEX = "This changes which index packages come from."
_SCRIPT = "This runs a script whenever the package is installed."
_LOCK = "This locks a package to an address outside the public index."

_VCS = r"(?:git|hg|svn|bzr)\+(?:https?|ssh|git|file)?"

Pattern = tuple[re.Pattern[str], str]

_REQUIREMENTS: tuple[Pattern, ...] = (
    (
        re.compile(
            r"\s{0,20}(?:-\w\s{1,4}|--editable[ =])?(?:" + _VCS + r"|https?://|file:)"
            r"|\s{0,20}[\w.\[\],-]{1,100}\s{0,8}@\s{0,8}(?:"
            + _VCS
            + r"|https?://|file:)",
        ),
        _SOURCE,
    ),
    (
        re.compile(
            r"\s{0,20}(?:-i\s|-f\s|--(?:extra-)?index-url\b|--find-links\b"
            r"|--trusted-host\b|--no-index\b|--pre\b)"
        ),
        _INDEX,
    ),
)
_PYPROJECT: tuple[Pattern, ...] = (
    (
        re.compile(
            r"[^#\n]{0,200}?(?:\bgit\s{0,4}=\s{0,4}[\"']|@\s{0,4}(?:"
            + _VCS
            + r"|https?://)"
            r"|[\"']"
            + _VCS
            + r"|\{\s{0,4}(?:url|path)\s{0,4}=\s{0,4}[\"'](?:https?|file):)"
        ),
        _SOURCE,
    ),
    (
        re.compile(
            r"\s{0,20}(?:\[\[(?:tool\.(?:uv\.index|poetry\.source|pdm\.source)|source)\]\]"
            r"|(?:extra-)?index-url\s{0,4}=|find-links\s{0,4}=|no-index\s{0,4}="
            r"|index-strategy\s{0,4}=)"
        ),
        _INDEX,
    ),
)
_PACKAGE_JSON: tuple[Pattern, ...] = (
    (
        re.compile(
            r"\s{0,40}\"[@\w./-]{1,200}\"\s{0,8}:\s{0,8}\"(?:git(?:\+|:|@)|github:|gitlab:"
            r"|bitbucket:|https?://[^\"]{1,300}(?:\.tgz|\.git|\.tar\.gz)[^\"]{0,80}\""
            r"|(?![^\"]{1,200}\.(?:[cm]?[jt]sx?|json|css|html|md|sh)\")[\w-]{1,60}/[\w.-]{1,100}(?:#[\w./-]{1,100})?\"\s{0,4},?\s*$)"
        ),
        _SOURCE,
    ),
    (
        re.compile(
            r"\s{0,40}\"(?:pre|post)?install\"\s{0,8}:\s{0,8}\"|\s{0,40}\"prepare\"\s{0,8}:"
        ),
        _SCRIPT,
    ),
    (re.compile(r"\s{0,40}\"registry\"\s{0,8}:\s{0,8}\"https?:"), _INDEX),
)
_NPM_LOCK: tuple[Pattern, ...] = (
    (
        re.compile(
            r"\s{0,80}\"?resolved\"?:?\s{1,4}\"(?!https://registry\.(?:npmjs\.org|yarnpkg\.com)/)"
            r"(?:https?|git|ssh|file)"
        ),
        _LOCK,
    ),
    (re.compile(r"\s{0,80}\"hasInstallScript\"\s{0,4}:\s{0,4}true"), _SCRIPT),
)
_RC: tuple[Pattern, ...] = (
    (
        re.compile(
            r"\s{0,20}(?:(?:@[\w-]{1,80}:)?registry|npmRegistryServer|index-url|index_url"
            r"|extra-index-url|extra_index_url|find-links|trusted-host|strict-ssl|proxy"
            r"|https-proxy)\s{0,4}[=: ]"
        ),
        _INDEX,
    ),
    (re.compile(r"\s{0,20}ignore-scripts\s{0,4}=\s{0,4}false"), _SCRIPT),
)
_SETUP: tuple[Pattern, ...] = (
    (
        re.compile(
            r"[^#\n]{0,200}?(?:@\s{0,4}(?:"
            + _VCS
            + r"|https?://)|\bdependency_links\b)"
        ),
        _SOURCE,
    ),
    (re.compile(r"[^#\n]{0,120}?\bcmdclass\s{0,4}="), _SCRIPT),
)
_CARGO: tuple[Pattern, ...] = (
    (re.compile(r"[^#\n]{0,200}?\bgit\s{0,4}=\s{0,4}\""), _SOURCE),
    (
        re.compile(
            r"\s{0,20}(?:\[patch\.|\[source\.|replace-with\s{0,4}=|registry\s{0,4}=)"
        ),
        _INDEX,
    ),
)
_GEMFILE: tuple[Pattern, ...] = (
    (
        re.compile(
            r"[^#\n]{0,200}?(?:\b(?:git|github|gist|bitbucket):\s{0,4}|:git(?:hub)?\s{0,4}=>)"
        ),
        _SOURCE,
    ),
    (re.compile(r"\s{0,20}source\s{1,4}[\"'](?!https://rubygems\.org/?[\"'])"), _INDEX),
)
_GO: tuple[Pattern, ...] = (
    (
        re.compile(
            r"\s{0,20}(?:replace\s{1,4})?[\w./-]{1,200}(?:\s{1,4}v\S{1,80})?\s{1,4}=>\s"
        ),
        _SOURCE,
    ),
)

_BY_NAME: tuple[tuple[re.Pattern[str], tuple[Pattern, ...]], ...] = (
    (re.compile(r"(?:.*requirements.*|constraints.*)\.(?:txt|in)"), _REQUIREMENTS),
    (re.compile(r"pyproject\.toml|pipfile|uv\.toml"), _PYPROJECT),
    (re.compile(r"package\.json"), _PACKAGE_JSON),
    (re.compile(r"package-lock\.json|npm-shrinkwrap\.json|yarn\.lock"), _NPM_LOCK),
    (re.compile(r"\.npmrc|\.yarnrc(?:\.yml)?|pip\.conf|pip\.ini|\.pypirc"), _RC),
    (re.compile(r"setup\.py|setup\.cfg"), _SETUP),
    (re.compile(r"cargo\.toml|config\.toml"), _CARGO),
    (re.compile(r"gemfile|.*\.gemspec"), _GEMFILE),
    (re.compile(r"go\.mod"), _GO),
)
_REQUIREMENTS_FOLDER = re.compile(r"(?:^|/)requirements/[^/]{1,200}\.(?:txt|in)$")
_COMMENT = re.compile(r"\s{0,80}(?:#|//|;)")


class Dependencies:
    """Finds sources of code that deserve a second look."""

    id = "dependency"

    def evaluate(self, change_set: ChangeSet, policy: Policy) -> Iterator[Finding]:
        """Yield a finding for each added line that names such a source."""
        for added in added_texts(change_set):
            patterns = _patterns_of(added.change.path)
            for line in added.lines if patterns else ():
                if _COMMENT.match(line.text):
                    continue
                for pattern, message in patterns:
                    if pattern.match(line.text):
                        yield Finding(
                            rule=self.id,
                            severity=Severity.MEDIUM,
                            category=Category.SECURITY,
                            path=added.change.path,
                            line=line.new or 0,
                            message=message,
                            evidence=shown(line.text),
                            remedy="Take it from the index, pinned, or ask a human.",
                            cwe="CWE-494" if message == _SCRIPT else "CWE-829",
                        )
                        break


def _patterns_of(path: str) -> tuple[Pattern, ...]:
    name = name_of(path)
    if _REQUIREMENTS_FOLDER.search(path.lower()):
        return _REQUIREMENTS
    return next((found for each, found in _BY_NAME if each.fullmatch(name)), ())
