"""A local GitHub and the app as a process, for tests of the whole."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.processes.app_process import AppProcess, free_port
from tests.simulator.client import CheckRunState, PullState, SimulatorClient
from tests.simulator.fixtures import assert_honest, session_keys
from tests.simulator.server import LocalGitHub

OWNER, NAME = "acme", "shop"
REVIEW_SECONDS = 60.0


@dataclass
class Stage:
    """A local GitHub with one repository, and app processes that serve it."""

    github: SimulatorClient
    folder: Path
    settings: dict[str, str]
    processes: list[AppProcess] = field(default_factory=list)

    def app(
        self, *, module: str = "app", arguments: tuple[str, ...] = (), **more: str
    ) -> AppProcess:
        """Return an app that is not started yet; ``more`` are further settings."""
        arguments = arguments or (("serve",) if module == "app" else ())
        process = AppProcess(
            self.folder, self.settings | more, module=module, arguments=arguments
        )
        self.processes.append(process)
        return process

    def open(self, branch: str, files: dict[str, str | None], title: str = "") -> int:
        """Open a pull request."""
        title = title or branch
        return self.github.open_pull(OWNER, NAME, branch, files, title)

    def push(self, number: int, files: dict[str, str | None]) -> str:
        """Push to a pull request."""
        return self.github.push_commit(OWNER, NAME, number, files)

    def pull(self, number: int) -> PullState:
        """Return a pull request and all that hangs on it."""
        return self.github.pull_state(OWNER, NAME, number)

    def completed(self, number: int) -> CheckRunState:
        """Wait until the newest head's check is completed, and return it."""

        def check() -> CheckRunState | None:
            found = self.pull(number).check()
            return found if found and found.status == "completed" else None

        return self.wait(check)

    def wait(self, predicate: Callable[[], object]) -> CheckRunState:
        """Wait for something to become true; fail with the app's log."""
        try:
            found: CheckRunState = self.github.wait_until(
                predicate, timeout=REVIEW_SECONDS
            )
        except Exception as error:
            tails = "\n".join(each.tail() for each in self.processes[-1:])
            raise AssertionError(f"{error}\n{tails}") from error
        return found


@pytest.fixture
def make_stage(tmp_path: Path) -> Iterator[Callable[..., Stage]]:
    """Return a function that sets the stage: scenario and repository files."""
    stages = list[Stage]()
    with LocalGitHub(tmp_path / "github", keys=session_keys()) as server:
        with SimulatorClient(server.base_url) as client:

            def make(scenario: str, files: dict[str, str] | None = None) -> Stage:
                stage = Stage(client, tmp_path, _settings(tmp_path, server, scenario))
                port, secret = (
                    stage.settings["RECLOSER_PORT"],
                    stage.settings["RECLOSER_WEBHOOK_SECRETS"],
                )
                url = f"http://127.0.0.1:{port}/webhooks/github"
                client.set_hook(url, secret)
                content = {"README.md": "# Shop\n", **(files or {})}
                client.create_repository(OWNER, NAME, content)
                stages.append(stage)
                return stage

            yield make
            for stage in stages:
                for process in stage.processes:
                    process.stop()
        assert_honest(server)


def _settings(folder: Path, server: LocalGitHub, scenario: str) -> dict[str, str]:
    key = folder / "app.pem"
    key.touch(mode=0o600)
    key.write_text(session_keys().private, encoding="ascii")
    script = folder / "scenario.yaml"
    script.write_text(scenario, encoding="utf-8")
    return {
        "RECLOSER_APP_ID": "1",
        "RECLOSER_PRIVATE_KEY": str(key),
        "RECLOSER_WEBHOOK_SECRETS": secrets.token_hex(16),
        "RECLOSER_GITHUB_URL": server.base_url,
        "RECLOSER_DATA_DIR": str(folder / "state"),
        "RECLOSER_PORT": str(free_port()),
        "RECLOSER_SCENARIO": str(script),
    }
