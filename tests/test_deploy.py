"""What stands in deploy/, app.yml and their page is true of the program.

Nothing here needs a container engine: names are held to the code, shell parts run.
"""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from app.breaker.circuit import State
from app.config.model import Enforcement
from app.review.decide import Situation, conclusion_of
from app.settings import PREFIX, Settings
from app.telemetry.metrics import Metrics
from app.version import VERSION
from app.web.events import READERS

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
CONTRACT = ROOT / "tests/simulator/contract/github-openapi.json"
RULES = DEPLOY / "prometheus/recloser.rules.yaml"
DASHBOARD = DEPLOY / "grafana/recloser.json"
DOCKERFILE = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
COMPOSE = ("compose.yaml", "compose.postgres.yaml")
#: GitHub gives these to every app; no manifest asks for them.
UNASKED = {"installation", "installation_repositories"}


def _yaml(path: Path) -> Any:
    return YAML(typ="safe").load(path)


def _services() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each service of Recloser, with what it extends or is laid over."""
    base, overlay = (_yaml(DEPLOY / name)["services"] for name in COMPOSE)
    yield from base.items()
    for name, service in overlay.items():
        below = base.get(service.get("extends", {}).get("service", name), {})
        yield f"{name} with postgres", below | service


def _expressions() -> list[str]:
    rules = [rule for group in _yaml(RULES)["groups"] for rule in group["rules"]]
    panels = json.loads(DASHBOARD.read_text(encoding="utf-8"))["panels"]
    return [
        *(rule["expr"] for rule in rules),
        *(target["expr"] for panel in panels for target in panel["targets"]),
    ]


def _samples() -> set[str]:
    """Return the names under which Prometheus gets our numbers."""
    endings = {"counter": ["_total"], "histogram": ["_bucket", "_sum", "_count"]}
    metrics = Metrics()
    metrics.circuits(lambda: [("o/r", "builtin", State.CLOSED)])
    return {
        family.name + ending
        for family in metrics.registry.collect()
        for ending in endings.get(family.type, [""])
    }


@pytest.mark.parametrize(
    "file",
    [
        *(each for each in sorted(DEPLOY.rglob("*")) if each.is_file()),
        ROOT / "docs/deploy.md",
        ROOT / "README.md",
    ],
    ids=lambda file: file.name,
)
def test_every_setting_that_is_named_exists(file: Path) -> None:
    """A misspelt one would stop the start."""
    named = set(re.findall(PREFIX + r"[A-Z_]+", file.read_text(encoding="utf-8")))
    assert named <= {PREFIX + name.upper() for name in Settings.model_fields}


def test_every_number_that_is_watched_is_counted() -> None:
    """An alert on a name that does not exist never fires."""
    named = {
        name
        for expression in _expressions()
        for name in re.findall(r"\brecloser_\w+", expression)
    }
    assert named
    assert named <= _samples()


@pytest.mark.parametrize(
    ("label", "known"),
    [
        ("state", {each.value for each in State}),
        ("situation", {each.value for each in Situation}),
        (
            "conclusion",
            {conclusion_of(each, how) for each in Situation for how in Enforcement},
        ),
        ("result", None),
    ],
)
def test_every_label_value_that_is_watched_exists(
    label: str, known: set[str] | None
) -> None:
    """Likewise for the words inside the braces."""
    if known is None:  # the results of webhooks are words in the code that sends them
        sources = ("app/web/webhook.py", "app/jobs/delivery.py")
        trees = [ast.parse((ROOT / each).read_text("utf-8")) for each in sources]
        nodes = [node for tree in trees for node in ast.walk(tree)]
        constants = [node for node in nodes if isinstance(node, ast.Constant)]
        known = {each.value for each in constants if isinstance(each.value, str)}
    pattern = rf'\b{label}(?:=|!=|=~)"([^"]+)"'
    named = {
        word
        for expression in _expressions()
        for words in re.findall(pattern, expression)
        for word in words.split("|")
    }
    assert named <= known


def test_every_alert_says_what_to_do() -> None:
    """Whoever is woken has to know why, and where to look."""
    for rule in _yaml(RULES)["groups"][0]["rules"]:
        assert rule["labels"]["severity"] in {"critical", "warning"}, rule["alert"]
        assert {"summary", "description"} <= set(rule["annotations"]), rule["alert"]


@pytest.mark.parametrize(
    ("name", "service"), [pytest.param(*each, id=each[0]) for each in _services()]
)
def test_every_container_is_fenced_in(name: str, service: dict[str, Any]) -> None:
    """Read-only, no capabilities, no way to get more."""
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert any(each.startswith("/tmp") for each in service["tmpfs"])
    assert all(each.startswith("127.0.0.1:") for each in service.get("ports", []))


def test_no_two_reviewing_services_share_a_name() -> None:
    """They would take up each other's reviews and do them twice."""
    services = dict(_services())
    for names in (
        ("recloser", "worker"),
        ("recloser with postgres", "worker with postgres", "worker-2 with postgres"),
    ):
        ids = {services[name]["environment"]["RECLOSER_EXECUTOR_ID"] for name in names}
        assert len(ids) == len(names)


@pytest.mark.parametrize("file", COMPOSE)
def test_the_secrets_reach_the_process(file: str, tmp_path: Path) -> None:
    """The entry point turns files into the environment of what it becomes."""
    _write_secrets(tmp_path)
    done = _enter(file, tmp_path)
    assert done.returncode == 0, done.stderr
    words, *environ = done.stdout.splitlines()
    assert words == "serve"
    given = dict(line.split("=", 1) for line in environ if line.startswith(PREFIX))
    settings = Settings.load({**given, "RECLOSER_ROLE": "web"})
    assert settings.webhook_secret_bytes == (b"new", b"old")
    is_postgres = settings.database_url.startswith("postgresql+psycopg://")
    assert is_postgres is ("postgres" in file)
    assert settings.database_url.count("correct-horse") == int(is_postgres)


def test_a_missing_secret_stops_the_start(tmp_path: Path) -> None:
    """Going on without would end in a worse message, or in none."""
    _write_secrets(tmp_path)
    (tmp_path / "postgres-password").unlink()
    done = _enter(COMPOSE[1], tmp_path)
    assert done.returncode != 0
    assert done.stdout == ""


def _write_secrets(folder: Path) -> None:
    env = "# a remark\nRECLOSER_APP_ID=1\nRECLOSER_WEBHOOK_SECRETS='new,old'\n"
    (folder / "recloser.env").write_text(env, encoding="utf-8")
    (folder / "postgres-password").write_text("correct-horse\n", encoding="utf-8")
    program = folder / "recloser"
    program.write_text('#!/bin/sh\necho "$@"\nenv\n', encoding="utf-8")
    program.chmod(0o700)


def _enter(file: str, secrets: Path) -> subprocess.CompletedProcess[str]:
    """Run the entry point as compose does, with a program that tells what it got."""
    entry = _yaml(DEPLOY / file)["services"]["recloser"]["entrypoint"]
    words = [each.replace("$$", "$") for each in entry]
    return subprocess.run(
        [*(each.replace("/run/secrets", str(secrets)) for each in words), "serve"],
        env={"PATH": f"{secrets}:{os.defpath}"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_image_does_not_run_as_root() -> None:
    """By a fixed number, the one that the page tells to give the secrets to."""
    user = re.findall(r"^USER (\d+):\d+$", DOCKERFILE, re.MULTILINE)[-1]
    assert int(user) >= 10_000
    assert f"install -o {user} -m 400" in (ROOT / "docs/deploy.md").read_text("utf-8")


def test_every_image_has_a_fixed_tag() -> None:
    """No ``latest``, and ours has our version."""
    images = re.findall(r"^ARG PYTHON_IMAGE=(\S+)$", DOCKERFILE, re.MULTILINE)
    froms = re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE)
    assert images
    assert set(froms) == {"${PYTHON_IMAGE}"}
    images += [each["image"] for _, each in _services()]
    for image in images:
        name, _, tag = image.partition(":")
        assert tag not in ("", "latest"), image
        assert "/" not in name, f"{image}: no registry is named"
        if name == "recloser":
            assert tag == VERSION


def test_what_the_image_is_built_from_is_let_through() -> None:
    """And nothing but that, for keys and state lie in the same folder."""
    ignore = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    copied = re.findall(r"^COPY (?!--)(.+) \S+$", DOCKERFILE, re.MULTILINE)
    names = {name.rstrip("/") for line in copied for name in line.split()}
    assert "*" in ignore
    let_in = {line[1:].rstrip("/") for line in ignore if line.startswith("!")}
    assert let_in == names
    assert all((ROOT / name).exists() for name in names)


@pytest.mark.parametrize(("status", "code"), [(200, 0), (503, 1)])
def test_the_health_check_of_the_image_tells_the_truth(status: int, code: int) -> None:
    """Its one line of Python runs; a proxy in the environment does not matter."""
    found = re.search(r'CMD \["python", "-c", (".+")\]', DOCKERFILE)
    assert found is not None
    with _server(status) as port:
        env = {"RECLOSER_PORT": str(port), "http_proxy": "http://127.0.0.1:9"}
        check = [sys.executable, "-c", json.loads(found[1])]
        done = subprocess.run(check, env=env, check=False, timeout=30)
    assert done.returncode == code


@contextmanager
def _server(status: int) -> Iterator[int]:
    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status if self.path == "/healthz" else 404)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Keep the output of the tests clean."""

    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()


def test_the_unit_lets_scanners_be_fenced_in() -> None:
    """All namespaces of the strongest fence, and nothing mounted over /proc."""
    lines = (DEPLOY / "recloser.service").read_text(encoding="utf-8").splitlines()
    unit = dict(line.split("=", 1) for line in lines if re.match(r"[A-Z]\w+=", line))
    assert {"user", "net", "ipc", "pid", "mnt"} <= set(
        unit["RestrictNamespaces"].split()
    )
    assert "@mount" in unit["SystemCallFilter"]
    assert not {"ProtectKernelTunables", "ProtectKernelLogs", "ProcSubset"} & set(unit)
    assert unit["NoNewPrivileges"] == "yes"
    assert unit["ProtectSystem"] == "strict"
    assert unit["CapabilityBoundingSet"] == ""


def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    """With a program that is there in place of the one that is not installed."""
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("there is no systemd-analyze here")
    text = (DEPLOY / "recloser.service").read_text(encoding="utf-8")
    unit = tmp_path / "recloser.service"
    unit.write_text(text.replace("/opt/recloser/bin/recloser", "/bin/true"), "utf-8")
    done = subprocess.run(
        [analyze, "verify", str(unit)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "recloser.service" not in done.stderr  # warnings name it


def test_every_permission_and_event_has_its_reason() -> None:
    """Nobody grants what nobody explains."""
    text = (ROOT / "app.yml").read_text(encoding="utf-8")
    manifest = _yaml(ROOT / "app.yml")
    for name, access in manifest["default_permissions"].items():
        assert re.search(rf"^  {name}: {access} +# \S+", text, re.MULTILINE), name
    for name in manifest["default_events"]:
        assert re.search(rf"^  - {name} +# \S+", text, re.MULTILINE), name


def test_the_app_asks_for_the_events_that_it_reads() -> None:
    """Not more: each would be work; not less: we would wait for ever."""
    events = _yaml(ROOT / "app.yml")["default_events"]
    assert len(events) == len(set(events))
    assert set(events) == set(READERS) - UNASKED


def test_github_knows_the_events_that_the_app_asks_for() -> None:
    """By GitHub's own description, of which we keep a part."""
    hooks = json.loads(CONTRACT.read_text(encoding="utf-8"))["x-webhooks"]
    known = {
        each["post"]["operationId"].split("/")[0].replace("-", "_")
        for each in hooks.values()
    }
    assert set(_yaml(ROOT / "app.yml")["default_events"]) <= known
