"""Show the whole story on a local GitHub: ``make demo``.

With ``--once`` it ends by itself: exit code 0 only if every fact was read back from
the local GitHub. Without it the pages stay up until Ctrl-C.
"""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from rich.console import Console

from tests.demo.stage import set_stage
from tests.demo.story import Story

SCENARIO = Path(__file__).with_name("scenario.yaml")
FAKE_KEY = "sk_" + "live_" + "4eC39HqLyjWDarjtT1zdp7dc"  # no key of anybody


def main() -> int:
    """Run the demo; return its exit code."""
    parser = argparse.ArgumentParser(prog="recloser demo", description=__doc__)
    parser.add_argument("--once", action="store_true", help="end by itself")
    asked = parser.parse_args()
    console = Console()
    with tempfile.TemporaryDirectory(prefix="recloser-demo-") as name:
        folder = Path(name)
        scenario = folder / "scenario.yaml"
        text = SCENARIO.read_text(encoding="utf-8")
        # Planted by recipe: no file of this repository looks like it leaks a key.
        scenario.write_text(text.replace("{{FAKE_KEY}}", FAKE_KEY), encoding="utf-8")
        console.print("starting a local GitHub and the app", style="dim")
        with set_stage(folder, scenario) as stage:
            failed = Story(stage, console).tell()
            if failed:
                console.print(f"[bold red]{len(failed)} facts did not hold[/]")
                tail = stage.app.tail()
                console.print(tail, style="dim", markup=False, soft_wrap=True)
            else:
                console.print("[bold green]every fact was read back from GitHub[/]")
            if not asked.once:
                console.print(f"\nlook around at {stage.github.base_url}; Ctrl-C ends")
                with suppress(KeyboardInterrupt):
                    signal.pause()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
