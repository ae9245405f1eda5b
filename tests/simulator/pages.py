"""Pages for people: a repository and a pull request with all that the app wrote."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from tests.simulator.page_parts import Html, box, comment, element, join, page, text
from tests.simulator.readback import runs_of
from tests.simulator.state import CheckRun, Pull, Repository, Review

if TYPE_CHECKING:
    from tests.simulator.simulator import Simulator

# First words of the API's own paths; no owner may be called so.
_RESERVED = "repos|repositories|app|app-manifests|installation|rate_limit|_sim"
_PAGE = re.compile(
    rf"/(?!(?:{_RESERVED})(?:/|$))(?P<owner>[\w.-]+)/(?P<repo>[\w.-]+?)"
    r"(?:/pull/(?P<number>\d+)|/runs/(?P<run>\d+))?/?"
)


def match(path: str) -> re.Match[str] | None:
    """Return the parts of the path of a page, None when it is none."""
    return _PAGE.fullmatch(path) if path != "/" else re.fullmatch("(/)", path)


async def serve(simulator: Simulator, request: Request) -> Response:
    """Answer with a page."""
    world = simulator.world
    if request.url.path == "/":
        return HTMLResponse(_home(list(world.repositories.values())))
    found = _PAGE.fullmatch(request.url.path)
    assert found is not None
    known = world.repository(found["owner"], found["repo"])
    if known is None:
        return HTMLResponse(page("Not found", element("h1", "Not found")), 404)
    if found["run"]:
        run = known.runs.get(int(found["run"]))
        for pull in known.pulls.values():
            if run is not None and run in runs_of(known, pull):
                return RedirectResponse(f"/{known.full_name}/pull/{pull.number}")
    if not found["number"]:
        return HTMLResponse(_repository(known))
    with world.lock:
        wanted = known.pulls.get(int(found["number"]))
        if wanted is None:
            return HTMLResponse(page("Not found", element("h1", "Not found")), 404)
        return HTMLResponse(_pull(known, wanted))


def _home(repositories: list[Repository]) -> str:
    links = [
        element("p", element("a", each.full_name, href=f"/{each.full_name}"))
        for each in repositories
    ]
    title = "A local GitHub"
    return page(title, element("h1", title), join(links, "No repository yet."))


def _repository(known: Repository) -> str:
    rows = [
        element(
            "p",
            element(
                "a",
                f"#{each.number} {each.title}",
                href=f"/{known.full_name}/pull/{each.number}",
            ),
            Html(" "),
            element("small", f"{each.state}, by {each.author.login}"),
        )
        for each in reversed(known.pulls.values())
    ]
    return page(
        known.full_name,
        element("h1", known.full_name),
        element("h2", "Pull requests"),
        join(rows, "No pull request yet."),
    )


def _pull(known: Repository, pull: Pull) -> str:
    place = known.full_name
    tags = [element("span", known.labels[each].name, css="tag") for each in pull.labels]
    comments = [box(each.author.login, text(each.body)) for each in pull.comments]
    return page(
        f"{pull.title} · {place}#{pull.number}",
        element("small", element("a", place, href=f"/{place}")),
        element("h1", f"{pull.title} #{pull.number}"),
        element(
            "p",
            f"{pull.state} · {pull.author.login} wants to merge "
            f"{pull.head_owner.login}:{pull.head_ref} into {pull.base_ref} · "
            f"head {pull.head_sha[:12]}",
            css="mute",
        ),
        element("p", *tags),
        text(pull.body or ""),
        element("h2", "Checks"),
        join([_run(each) for each in reversed(runs_of(known, pull))], "No check yet."),
        element("h2", "Reviews"),
        join([_review(pull, each) for each in pull.reviews], "No review yet."),
        element("h2", "Comments"),
        join(comments, "No comment yet."),
    )


def _run(run: CheckRun) -> Html:
    state = run.conclusion or run.status
    annotations = [
        element(
            "div",
            element("b", f"{each['path']}:{each['start_line']} "),
            element("span", each["annotation_level"], css=each["annotation_level"]),
            Html(" "),
            element("b", each.get("title") or ""),
            text(each["message"]),
        )
        for each in run.annotations
    ]
    buttons = [element("span", each["label"], css="tag") for each in run.actions]
    return element(
        "section",
        element(
            "header",
            element("b", run.name),
            Html(" "),
            element("span", state, css=state),
            element("small", f" on {run.head_sha[:12]}"),
        ),
        element(
            "div",
            element("b", run.title or ""),
            text(run.summary or ""),
            text(run.text or ""),
            *annotations,
            *buttons,
        ),
        css="box",
    )


def _review(pull: Pull, review: Review) -> Html:
    shown = []
    for each in pull.review_comments:
        if each.review_id == review.id:
            last = each.line or 1
            count = last - (each.start_line or last) + 1
            body = comment(each.body, each.diff_hunk, count)
            shown.append(box(f"{each.path}:{each.line or 'file'}", body))
    state = review.state.lower().replace("_", " ")
    title = f"{review.author.login} · {state} · {review.commit_id[:12]}"
    return box(title, text(review.body), *shown)
