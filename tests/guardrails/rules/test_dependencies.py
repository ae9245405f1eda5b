"""The rule for sources of code."""

from __future__ import annotations

import pytest

from guardrails import Severity
from tests.guardrails.builders import change, findings, found

RULE = "dependency"
PUBLIC = "registry.npm" + "js.org"  # no address of a registry stands in this tree

DOUBTFUL = [
    ("requirements.txt", "git+https://github.com/a/b@main"),
    ("requirements/dev.txt", "-e git+ssh://git@github.com/a/b"),
    ("requirements.txt", "b @ https://x.test/b.whl"),
    ("requirements.txt", "https://x.test/b.tar.gz"),
    ("requirements.txt", "--index-url https://x.test/simple"),
    ("requirements.txt", "--extra-index-url=https://x.test/simple"),
    ("requirements.txt", "--trusted-host x.test"),
    ("pyproject.toml", '    "b @ git+https://github.com/a/b",'),
    ("pyproject.toml", 'b = { git = "https://github.com/a/b" }'),
    ("pyproject.toml", "[[tool.uv.index]]"),
    ("Pipfile", "[[source]]"),
    ("package.json", '    "b": "git+https://github.com/a/b.git",'),
    ("package.json", '    "b": "github:a/b",'),
    ("package.json", '    "b": "a/b#main",'),
    ("package.json", '    "b": "https://x.test/b.tgz"'),
    ("package.json", '    "postinstall": "node setup.js",'),
    ("package.json", '    "preinstall": "sh x.sh"'),
    ("package-lock.json", '      "resolved": "https://x.test/b.tgz",'),
    ("package-lock.json", '      "hasInstallScript": true,'),
    ("yarn.lock", '  resolved "https://x.test/b.tgz#abc"'),
    (".npmrc", "registry=https://x.test/"),
    (".npmrc", "@acme:registry=https://x.test/"),
    ("pip.conf", "index-url = https://x.test/simple"),
    ("setup.py", "    cmdclass={'install': Install},"),
    ("Cargo.toml", 'b = { git = "https://github.com/a/b" }'),
    ("Gemfile", "gem 'b', git: 'https://github.com/a/b'"),
    ("Gemfile", "source 'http://x.test'"),
    ("go.mod", "replace example.com/a => ../a"),
]
HARMLESS = [
    ("requirements.txt", "requests==2.31.0"),
    ("requirements.txt", "    --hash=sha256:abc"),
    ("requirements.txt", "# --index-url https://x.test"),
    ("pyproject.toml", 'homepage = "https://x.test"'),
    ("pyproject.toml", 'dependencies = ["requests>=2"]'),
    ("package.json", '    "b": "^1.2.3",'),
    ("package.json", '    "b": "workspace:*",'),
    ("package.json", '    "main": "dist/index.js",'),
    ("package.json", '    "test": "jest",'),
    ("package.json", '    "homepage": "https://x.test",'),
    ("package-lock.json", f'  "resolved": "https://{PUBLIC}/b/-/b-1.tgz",'),
    ("yarn.lock", '  resolved "https://registry.yarnpkg.com/b/-/b-1.tgz#abc"'),
    ("setup.py", "    url='https://x.test',"),
    ("Gemfile", "source 'https://rubygems.org'"),
    ("Gemfile", "gem 'b', '~> 1.0'"),
    ("go.mod", "require example.com/a v1.2.3"),
    ("Cargo.toml", 'b = "1.2"'),
    ("app.py", "registry = git = 'https://x.test'"),
]


@pytest.mark.parametrize(("path", "line"), DOUBTFUL)
def test_a_source_of_its_own_is_medium(path: str, line: str) -> None:
    """Told at its line; a human decides."""
    (finding,) = findings(RULE, change(path, "x\n", f"x\n{line}\n"))
    assert (finding.severity, finding.line) == (Severity.MEDIUM, 2)


@pytest.mark.parametrize(("path", "line"), HARMLESS)
def test_an_ordinary_line_is_fine(path: str, line: str) -> None:
    """Versions, hashes, addresses of home pages, other files."""
    assert found(RULE, path, line) == []


def test_only_added_lines_count() -> None:
    """What was there before is not this change's doing."""
    line = "git+https://github.com/a/b\n"
    file = change("requirements.txt", line + "a==1\n", line + "a==2\n")
    assert findings(RULE, file) == []
