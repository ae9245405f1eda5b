"""Our check run: opened once, reported in pages, completed last.

GitHub takes 50 annotations a request and appends them, so a request whose answer
got lost must not simply be sent again: how many stand there already is read before
each try (B22). An annotation that GitHub does not take goes into the summary and
never costs the good ones (B23).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.errors import GitHubUnavailable
from app.github import limits
from app.github.client import GitHubClient
from app.github.faults import Refused
from app.github.once import post_once
from app.messages import code, quote
from app.ports import Annotation, CheckReport

_WORST_FIRST = {"failure": 0, "warning": 1, "notice": 2}
_MOST_NAMED = 50  # refused annotations that the summary names


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckName:
    """By what our check runs are known."""

    app_id: int
    name: str


def open_check(
    client: GitHubClient,
    repository: str,
    own: CheckName,
    *,
    head_sha: str,
    external_id: str,
    title: str,
) -> int:
    """Return the id of our in-progress run with ``external_id``, made if need be.

    A run that is completed already is left as it is and a new one made (B17).
    """

    def look() -> int | None:
        found = client.pages(
            f"/repos/{repository}/commits/{head_sha}/check-runs",
            key="check_runs",
            check_name=own.name,
            app_id=own.app_id,
            filter="all",
        )
        ours = [
            int(run["id"])
            for run in found
            if (run.get("app") or {}).get("id") == own.app_id
            and run.get("external_id") == external_id
            and run.get("status") != "completed"
        ]
        return max(ours, default=None)

    def post() -> int:
        title_line = limits.cut_line(title, limits.MOST_TITLE)
        body = {
            "name": own.name,
            "head_sha": head_sha,
            "external_id": external_id,
            "status": "in_progress",
            "output": {"title": title_line, "summary": title_line},
        }
        made = client.send("POST", f"/repos/{repository}/check-runs", body)
        return int(made.data["id"])

    return post_once(client, look, post)


def complete_check(
    client: GitHubClient, repository: str, check_id: int, report: CheckReport
) -> None:
    """Complete a check run; safe to call again after a crash at any point."""
    _Completion(client, f"/repos/{repository}/check-runs/{check_id}", report).run()


class _Completion:
    def __init__(self, client: GitHubClient, place: str, report: CheckReport) -> None:
        self._client = client
        self._place = place
        self._report = report
        good = [each for each in report.annotations if _is_placeable(each)]
        good.sort(key=lambda each: _WORST_FIRST[each.level])
        self._todo = good[: limits.MOST_ANNOTATIONS]
        self._more = len(good) - len(self._todo)
        self._refused = [each for each in report.annotations if not _is_placeable(each)]

    def run(self) -> None:
        """Append what is missing, then complete."""
        standing = self._standing()
        if standing is None:
            return
        done = standing
        page = limits.MOST_ANNOTATIONS_A_REQUEST
        while len(self._todo) - done > page:
            done += self._append(self._todo[done : done + page], done)
        last = self._todo[done:]
        try:
            self._patch(last, done, is_last=True)
        except Refused as error:
            if error.reason != "invalid" or not last:
                raise
            done += self._append(last, done)
            self._patch([], done, is_last=True)

    def _append(self, annotations: Sequence[Annotation], before: int) -> int:
        """Append annotations, without those that GitHub refuses; return how many.

        What was refused leaves the list, so that positions keep their meaning.
        """
        try:
            self._patch(annotations, before, is_last=False)
            return len(annotations)
        except Refused as error:
            if error.reason != "invalid":
                raise
            if len(annotations) == 1:
                self._refused.append(annotations[0])
                self._todo.remove(annotations[0])
                return 0
        half = len(annotations) // 2
        done = self._append(annotations[:half], before)
        return done + self._append(annotations[half:], before + done)

    def _patch(
        self, annotations: Sequence[Annotation], before: int, *, is_last: bool
    ) -> None:
        body = self._body(annotations, is_last=is_last)
        try:
            self._client.send("PATCH", self._place, body)
        except GitHubUnavailable:
            # It may have been carried out: appending twice would double them.
            self._client.settle()
            standing = self._standing()
            if standing is None:
                return
            missing = annotations[max(0, standing - before) :]
            if missing or is_last:
                body = self._body(missing, is_last=is_last)
                self._client.send("PATCH", self._place, body)

    def _standing(self) -> int | None:
        """Return how many annotations stand there, ``None`` when all is done."""
        run = self._client.get(self._place)
        output = run.get("output") or {}
        if (
            run.get("status") == "completed"
            and run.get("conclusion") == self._report.conclusion
            and output.get("title") == self._title()
        ):
            return None
        return int(output.get("annotations_count") or 0)

    def _title(self) -> str:
        return limits.cut_line(self._report.title, limits.MOST_TITLE)

    def _body(
        self, annotations: Sequence[Annotation], *, is_last: bool
    ) -> dict[str, Any]:
        output: dict[str, Any] = {"title": self._title(), "summary": self._summary()}
        if annotations:
            output["annotations"] = [_payload(each) for each in annotations]
        if not is_last:
            return {"output": output}
        if self._report.text:
            output["text"] = limits.cut_markdown(self._report.text)
        body: dict[str, Any] = {
            "status": "completed",
            "conclusion": self._report.conclusion,
            "output": output,
        }
        if self._report.actions:
            body["actions"] = _actions(self._report)
        return body

    def _summary(self) -> str:
        tail = ""
        if self._more:
            tail += f"\n\nAnd {self._more} more annotations that are not shown."
        if self._refused:
            named = self._refused[:_MOST_NAMED]
            lines = [
                f"- {code(each.path)} line {each.line}: {quote(each.title, 120)}"
                for each in named
            ]
            rest = len(self._refused) - len(named)
            lines += [f"- and {rest} more"] if rest else []
            tail += "\n\nNot shown in the files:\n" + "\n".join(lines)
        tail = limits.cut_markdown(tail, limits.MOST_TEXT // 2)
        return limits.cut_markdown(self._report.summary or "\u2014", tail=tail)


def _is_placeable(annotation: Annotation) -> bool:
    path = annotation.path
    return (
        annotation.line >= 1
        and path != ""
        and not path.startswith("/")
        and limits.sendable(path) == path
    )


def _payload(annotation: Annotation) -> dict[str, Any]:
    return {
        "path": annotation.path,
        "start_line": annotation.line,
        "end_line": max(annotation.line, annotation.end_line),
        "annotation_level": annotation.level,
        "title": limits.cut_line(annotation.title, limits.MOST_TITLE),
        "message": limits.cut_markdown(
            annotation.message or "\u2014", limits.MOST_MESSAGE
        ),
    }


def _actions(report: CheckReport) -> list[dict[str, str]]:
    return [
        {
            "identifier": limits.cut_line(identifier, limits.MOST_ACTION_IDENTIFIER),
            "label": limits.cut_line(label, limits.MOST_ACTION_LABEL),
            "description": limits.cut_line(description, limits.MOST_ACTION_DESCRIPTION),
        }
        for identifier, label, description in report.actions[: limits.MOST_ACTIONS]
    ]
