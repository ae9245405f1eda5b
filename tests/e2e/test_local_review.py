"""``recloser review`` on real packages that others wrote, put under git and edited."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import jsonschema
import pytest

from tests.guardrails.real_git import Repository

pytestmark = pytest.mark.e2e

SCHEMA = Path(__file__).parents[1] / "fixtures" / "sarif-schema-2.1.0.json"

#: Package -> (file, what is put before the edit, what the edit adds, expected rule).
EDITS = {
    "httpx": (
        "_utils.py",
        "\n\ndef run_hook(command: str) -> int:\n"
        "    import subprocess\n\n"
        "    return subprocess.call(command, shell=True)  # nosec\n",
        "602",
    ),
    "click": (
        "utils.py",
        "\n\ndef restore(state: bytes) -> object:\n"
        "    import pickle\n\n"
        "    return pickle.loads(state)\n",
        "301",
    ),
    "starlette": (
        "staticfiles.py",
        "\n\ndef scratch() -> str:\n"
        "    import tempfile\n\n"
        "    return tempfile.mktemp()\n",
        "temp",
    ),
}


def repository_of(package: str, folder: Path) -> Repository:
    """Put an installed package under git."""
    spec = find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    shutil.copytree(
        Path(spec.origin).parent,
        folder / package,
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    repository = Repository(folder)
    repository.commit()
    return repository


def review(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command as a user would, without any model key."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder.parent)}
    return subprocess.run(
        [sys.executable, "-m", "app", "review", "--repo", str(folder), *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.mark.parametrize("package", EDITS)
def test_a_fault_added_to_a_real_package_is_found(package: str, tmp_path: Path) -> None:
    """Only what the edit adds is reported, at its line; SARIF is valid."""
    name, added, expected = EDITS[package]
    repository = repository_of(package, tmp_path / package)
    path = repository.folder / package / name
    before = path.read_text()
    path.write_text(before + added)
    repository.commit()
    sarif = tmp_path / "findings.sarif"

    done = review(
        repository.folder, "--base", "HEAD~1", "--json", "--sarif", str(sarif)
    )

    found = json.loads(done.stdout)
    lines = range(before.count("\n") + 1, (before + added).count("\n") + 1)
    assert found["findings"], done.stderr
    assert {each["line"] for each in found["findings"]} <= {0, *lines}
    assert any(expected in each["rule"] for each in found["findings"])
    assert done.returncode in (1, 2)
    log = json.loads(sarif.read_text())
    jsonschema.validate(log, json.loads(SCHEMA.read_text()))
    assert len(log["runs"][0]["results"]) == len(found["findings"])


def test_without_a_key_it_says_so_and_is_not_green(tmp_path: Path) -> None:
    """Linters do what they can; nobody has reviewed, so a human has to."""
    repository = Repository(tmp_path / "r")
    repository.write("a.py", b"x = 1\n")
    repository.commit()
    repository.write("a.py", b"x = 2\n")
    repository.commit()

    done = review(repository.folder)

    assert done.returncode == 2
    assert "set OPENAI_API_KEY" in done.stdout
    assert "Not reviewed" in done.stdout


def test_a_scripted_agent_that_reviews_makes_it_green(tmp_path: Path) -> None:
    """The whole pipeline, with an agent, and without GitHub."""
    repository = Repository(tmp_path / "r")
    repository.write("a.py", b"x = 1\n")
    repository.commit()
    repository.write("a.py", b"x = 2\n")
    repository.commit()
    script = tmp_path / "agent.yaml"
    script.write_text("acts:\n  - steps: [{publish: {body: Fine.}}]\n")

    done = review(repository.folder, "--agent", f"scripted:{script}")

    assert done.returncode == 0, done.stdout + done.stderr
    assert "Reviewed, nothing blocking" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--base", "no-such-branch"), "no such commit"),
        (("--head", "no-such-branch"), "no such commit"),
        (("--agent", "nobody"), "there is no agent"),
        (("--agent", "scripted:/no/such/file"), "No such file"),
        (("--bogus",), "No such option"),
    ],
)
def test_a_wrong_call_is_one_clear_line(
    arguments: tuple[str, ...], words: str, tmp_path: Path
) -> None:
    """Exit code 64, what is wrong, and never a traceback."""
    repository = Repository(tmp_path / "r")
    repository.write("a.py", b"x = 1\n")
    repository.commit()
    repository.commit()

    done = review(repository.folder, *arguments)

    assert done.returncode == 64
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_a_folder_without_git_is_one_clear_line(tmp_path: Path) -> None:
    """The message names the folder."""
    done = review(tmp_path)

    assert done.returncode == 64
    assert str(tmp_path) in done.stderr


def test_help_names_every_option() -> None:
    """``--help`` works without any setting."""
    done = subprocess.run(
        [sys.executable, "-m", "app", "review", "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    for option in ("--repo", "--base", "--head", "--agent", "--json", "--sarif"):
        assert option in done.stdout
