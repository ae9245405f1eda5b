"""The command line: ``recloser serve | worker | review | validate | demo``.

Exit codes of ``review``: 0 reviewed and nothing blocking, 1 blocking findings,
2 a human has to look, 64 the command was used wrongly, 70 a fault of our own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.console import Console

from app.errors import RecloserError, SettingsError

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    help="Guard autonomous code-review agents with an adaptive circuit breaker.",
)
USAGE, FAULT = 64, 70
EXIT_CODES = {"success": 0, "neutral": 0, "failure": 1, "action_required": 2}


def main() -> None:
    """Run the command line; what the user did wrong is one clear line."""
    try:
        sys.exit(app(standalone_mode=False) or 0)
    except typer.Abort:
        sys.exit(130)
    except RecloserError as error:
        _fail(str(error))
    except Exception as error:
        # Typer's own usage errors carry the message; a real fault shows its trace.
        if hasattr(error, "format_message"):
            _fail(error.format_message())
        traceback.print_exc()
        sys.exit(FAULT)


@app.command()
def serve(
    role: Annotated[
        str | None, typer.Option(help="all, web or worker; as RECLOSER_ROLE.")
    ] = None,
    host: Annotated[str | None, typer.Option(help="Address to bind.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to bind.")] = None,
) -> None:
    """Serve the GitHub App: webhooks in, check runs out."""
    from app.main import run
    from app.settings import Settings

    environ = dict(os.environ)
    for name, value in (("ROLE", role), ("HOST", host), ("PORT", port)):
        if value is not None:
            environ[f"RECLOSER_{name}"] = str(value)
    run(Settings.load(environ))


@app.command()
def worker() -> None:
    """Run reviews only; the webhooks are received by another process."""
    serve(role="worker")


@app.command()
def review(
    repo: Annotated[Path, typer.Option(help="The git repository.")] = Path(),
    base: Annotated[
        str | None, typer.Option(help="Compare with this commit; default: main.")
    ] = None,
    head: Annotated[str, typer.Option(help="The commit to review.")] = "HEAD",
    agent: Annotated[
        str | None,
        typer.Option(help="builtin, none, or scripted:FILE; default: the config's."),
    ] = None,
    state: Annotated[
        Path | None,
        typer.Option(help="Folder for the circuit's state; default: inside .git."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    sarif: Annotated[
        Path | None, typer.Option(help="Write the findings as SARIF 2.1.0.")
    ] = None,
) -> None:
    """Review a change of a local git repository, without GitHub."""
    from app.agents import choose_agent, parse_agent_option
    from app.fallback.sarif import to_sarif
    from app.local import LocalRequest, review_locally
    from app.terminal import as_plain, show
    from app.version import VERSION
    from guardrails.scanners import default_scanners

    make_agent = choose_agent if agent is None else parse_agent_option(agent)
    console = Console(stderr=True)
    with console.status("reading the repository") as status:
        done = review_locally(
            LocalRequest(
                repository=repo,
                base=base,
                head=head,
                make_agent=make_agent,
                scanners=default_scanners(),
                progress=_progress(console, status.update),
                state=state,
            )
        )
    if sarif is not None:
        verdict = done.result.verdict
        log = to_sarif(verdict.findings, verdict.gaps, version=VERSION)
        try:
            sarif.write_text(json.dumps(log, indent=2), encoding="utf-8")
        except OSError as error:
            _fail(f"{sarif}: {error.strerror or error}")
    if as_json:
        typer.echo(json.dumps(as_plain(done), indent=2))
    else:
        show(done, Console())
    raise typer.Exit(EXIT_CODES.get(done.decision.conclusion, 2))


@app.command()
def validate(
    file: Annotated[Path, typer.Argument(help="A .github/recloser.yml.")] = Path(
        ".github/recloser.yml"
    ),
) -> None:
    """Check a configuration file; every problem with its line."""
    from app.config.parser import parse
    from app.config.validate import report

    try:
        raw = file.read_bytes()
    except OSError as error:
        _fail(f"{file}: {error.strerror or error}")
    parsed = parse(raw, source=str(file))
    for line in report(parsed):
        typer.echo(line)
    raise typer.Exit(0 if not parsed.problems else 1)


@app.command(
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True}
)
def demo(context: typer.Context) -> None:
    """Show the whole story on a local GitHub (in a clone of the project)."""
    root = Path(__file__).parents[1]
    if not (root / "tests" / "demo").is_dir():
        _fail(
            "the demo needs the local GitHub, which is part of a clone of the "
            "project: clone it and run `make demo`"
        )
    command = [sys.executable, "-m", "tests.demo", *context.args]
    # Our own module, with words that only it reads.
    done = subprocess.run(command, cwd=root, check=False)  # noqa: S603 - see above
    raise typer.Exit(done.returncode)


def _progress(console: Console, update: Callable[[str], None]) -> Callable[[str], None]:
    def progress(words: str) -> None:
        update(words)
        if not console.is_terminal:
            console.print(f"... {words}", highlight=False)

    return progress


def _fail(message: str) -> NoReturn:
    typer.echo(f"recloser: {message}", err=True)
    sys.exit(USAGE)


__all__ = ["SettingsError", "app", "main"]
