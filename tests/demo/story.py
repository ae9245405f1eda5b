"""The story of the demo: four pull requests, each fact read back from GitHub."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from rich.console import Console

from tests.demo.stage import Stage
from tests.simulator.client import CheckRunState, PullState

OWNER, NAME = "acme", "shop"
REVIEW_SECONDS = 90.0
CONFIG = """\
# The open period is shortened for the demo; its default is five minutes.
breaker:
  recovery: {first: 24s, max: 60s}
"""
FILES = {
    "README.md": "# Shop\n\nA small shop.\n",
    "shop/__init__.py": "",
    "shop/cart.py": ("def total(prices):\n    return sum(prices)\n"),
    ".github/recloser.yml": CONFIG,
}
DISCOUNT = (
    "def total(prices):\n"
    "    return sum(prices)\n"
    "\n"
    "\n"
    "def discounted(total, percent):\n"
    "    return total - total * percent / 100\n"
)
COUPON = (
    "def coupon(request):\n"
    '    """Return the discount of a coupon, in percent."""\n'
    "    return 10\n"
)
RECEIPT = (
    "import tempfile\n"
    "\n"
    "\n"
    "def receipt(lines):\n"
    "    path = tempfile.mktemp()\n"
    '    with open(path, "w", encoding="utf-8") as file:\n'
    '        file.write("\\n".join(lines))\n'
    "    return path\n"
)
SHIPPING = "def shipping(weight):\n    return {base} + weight * 0.002\n"
PROBES = 5


@dataclass
class Facts:
    """What was expected and what was found; the demo passes when all agree."""

    console: Console
    failed: list[str] = field(default_factory=list)

    def check(self, words: str, holds: bool) -> None:
        """Say one fact and whether it holds."""
        mark = "[green]✔[/]" if holds else "[bold red]✘[/]"
        self.console.print(f"   {mark} {words}", highlight=False)
        if not holds:
            self.failed.append(words)


class Story:
    """Tells the story on a stage."""

    def __init__(self, stage: Stage, console: Console) -> None:
        self._stage = stage
        self._console = console
        self._facts = Facts(console)
        self._began = time.monotonic()
        self._tested_at = ""

    def tell(self) -> list[str]:
        """Tell it all; return the facts that did not hold."""
        github = self._stage.github
        github.create_repository(OWNER, NAME, FILES)
        self._say(f"repository {OWNER}/{NAME} at {github.base_url}/{OWNER}/{NAME}")
        self._good_review()
        self._harmful_proposal()
        self._open_circuit()
        self._recovery()
        self._facts.check(
            "every exchange kept to GitHub's OpenAPI description",
            github.violations() == [],
        )
        return self._facts.failed

    def _good_review(self) -> None:
        number = self._open("discount", {"shop/cart.py": DISCOUNT}, "Add a discount")
        pull, check = self._wait(number)
        fact = self._facts.check
        fact("the check is success", check.conclusion == "success")
        comments = [each for review in pull.reviews for each in review.comments]
        suggestions = [each for each in comments if "```suggestion" in each.body]
        fact("one suggestion is posted", len(suggestions) == 1)
        fact("no label calls a human", "needs-human-review" not in pull.labels)

    def _harmful_proposal(self) -> None:
        number = self._open("coupon", {"shop/coupon.py": COUPON}, "Add a coupon")
        pull, check = self._wait(number)
        fact = self._facts.check
        summary = check.summary or ""
        fact("the agent's proposal is blocked", "blocked" in summary)
        texts = [each.body for each in pull.reviews] + [
            each.body for review in pull.reviews for each in review.comments
        ]
        texts += [summary, check.text or "", *(each.body for each in pull.comments)]
        fact("nothing of it is published", not any("eval(" in each for each in texts))
        fact("the circuit is open", "circuit is open" in summary)
        self._tested_at = _time_in(summary)
        fact("the check is not green", check.conclusion == "action_required")

    def _open_circuit(self) -> None:
        number = self._open("receipt", {"shop/receipt.py": RECEIPT}, "Print a receipt")
        pull, check = self._wait(number)
        fact = self._facts.check
        fact("no agent took part", "no agent took part" in (check.summary or ""))
        lines = [each["start_line"] for each in check.annotations]
        fact("linters found the planted fault in line 5", 5 in lines)
        fact("a human is called by label", "needs-human-review" in pull.labels)
        fact("the check is action_required", check.conclusion == "action_required")
        handed = [each for each in pull.comments if "A human has to look" in each.body]
        fact("one comment hands over", len(handed) == 1)

    def _recovery(self) -> None:
        self._say(f"cool-down: the circuit tests the agent after {self._tested_at}")
        self._stage.github.wait_until(_after(self._tested_at), timeout=60)
        files = {"shop/shipping.py": SHIPPING.format(base=0)}
        number = self._open("shipping", files, "Add shipping")
        conclusions = list[str | None]()
        for probe in range(1, PROBES + 1):
            if probe > 1:
                files = {"shop/shipping.py": SHIPPING.format(base=probe)}
                self._stage.github.push_commit(OWNER, NAME, number, files)
                self._say(f"pull request {number} is pushed to again")
            pull, check = self._wait(number)
            conclusions.append(check.conclusion)
            circuit = next(
                line for line in (check.summary or "").split("\n") if "circuit" in line
            )
            self._say(f"probe {probe}: {check.conclusion}. {circuit}")
        fact = self._facts.check
        fact(
            "a probe vouches for nothing",
            conclusions[:-1] == ["action_required"] * (PROBES - 1),
        )
        fact("five clean probes closed the circuit", "is closed" in circuit)
        fact("pull request 4 is green", conclusions[-1] == "success")
        fact("nothing was doubled", list(pull.duplicates) == [])

    def _open(self, branch: str, files: dict[str, str], title: str) -> int:
        number = self._stage.github.open_pull(OWNER, NAME, branch, files, title)
        url = f"{self._stage.github.base_url}/{OWNER}/{NAME}/pull/{number}"
        self._say(f"[bold]pull request {number}: {title}[/]  {url}")
        return number

    def _wait(self, number: int) -> tuple[PullState, CheckRunState]:
        """Wait until the check of the newest head is completed."""

        def completed() -> tuple[PullState, CheckRunState] | None:
            pull = self._stage.github.pull_state(OWNER, NAME, number)
            check = pull.check()
            if check is None or check.status != "completed":
                return None
            return pull, check

        pull, check = self._stage.github.wait_until(completed, timeout=REVIEW_SECONDS)
        self._say(f"check: [bold]{check.conclusion}[/]: {check.title}")
        return pull, check

    def _say(self, words: str) -> None:
        seconds = time.monotonic() - self._began
        self._console.print(f"[dim]{seconds:6.1f} s[/]  {words}", highlight=False)


def _time_in(summary: str) -> str:
    """Return the time at which the check says that the agent is tested again."""
    found = re.search(r"tested again after ([0-9:]{8}) UTC", summary)
    return found[1] if found else ""


def _after(when: str) -> Callable[[], bool]:
    """Return whether that time of day, in UTC, has passed."""
    hours, minutes, seconds = (int(part) for part in when.split(":"))
    now = datetime.now(UTC)
    at = now.replace(hour=hours, minute=minutes, second=seconds, microsecond=0)
    until = at + timedelta(seconds=1)
    if now - until > timedelta(hours=12):
        until += timedelta(days=1)
    return lambda: datetime.now(UTC) >= until
