"""One request to the REST API and its answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import urlencode

from tests.simulator.access import Principal
from tests.simulator.events import Events
from tests.simulator.hooks import Hooks
from tests.simulator.state import CheckRun, Pull, Repository, World

T = TypeVar("T")
DOCUMENTATION = "https://docs.github.com/rest"
MOST_PER_PAGE = 100


class ApiError(Exception):
    """An answer of 400 or above."""

    def __init__(
        self, status: int, message: str, errors: Sequence[Any] | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.errors = errors

    def body(self) -> dict[str, Any]:
        """Return GitHub's JSON for it."""
        made: dict[str, Any] = {
            "message": self.message,
            "documentation_url": DOCUMENTATION,
        }
        if self.errors is not None:
            return {**made, "errors": list(self.errors)}
        if self.status == 422:
            return made
        return {**made, "status": str(self.status)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """An answer; ``text`` replaces the JSON for other media types."""

    status: int = 200
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    text: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One request, after the credentials were checked."""

    world: World
    hooks: Hooks
    events: Events
    principal: Principal
    operation: str
    url: str
    path: Mapping[str, str]
    query: Mapping[str, str]
    body: Any
    accept: str

    @property
    def repository(self) -> Repository:
        """Return the repository of the path; one that is not seen is 404."""
        found = self.world.repository(self.path["owner"], self.path["repo"])
        if found is None or not (
            self.principal.token is None or self.principal.sees(found)
        ):
            raise ApiError(404, "Not Found")
        return found

    @property
    def pull(self) -> Pull:
        """Return the pull request of the path."""
        number = self.path.get("pull_number") or self.path["issue_number"]
        found = self.repository.pulls.get(int(number))
        if found is None:
            raise ApiError(404, "Not Found")
        return found

    @property
    def check_run(self) -> CheckRun:
        """Return the check run of the path."""
        found = self.repository.runs.get(int(self.path["check_run_id"]))
        if found is None:
            raise ApiError(404, "Not Found")
        return found

    def number(self, name: str, default: int) -> int:
        """Return a number of the query."""
        try:
            return int(self.query.get(name, default))
        except ValueError:
            return default

    def page(
        self,
        items: Sequence[T],
        show: Callable[[T], Any],
        key: str = "",
        **more: Any,
    ) -> Reply:
        """Return one page of a list, with the ``Link`` header."""
        size = min(max(self.number("per_page", 30), 1), MOST_PER_PAGE)
        page = max(self.number("page", 1), 1)
        shown = [show(each) for each in items[(page - 1) * size : page * size]]
        last = max(1, -(-len(items) // size))
        links: dict[str, int] = {}
        if page < last:
            links |= {"next": page + 1, "last": last}
        if page > 1:
            links |= {"prev": page - 1, "first": 1}
        headers = {"Link": self._links(links)} if links else {}
        if key:
            body: Any = {"total_count": len(items), key: shown, **more}
            return Reply(body=body, headers=headers)
        return Reply(body=shown, headers=headers)

    def _links(self, pages: Mapping[str, int]) -> str:
        return ", ".join(
            f'<{self.url}?{urlencode({**self.query, "page": page})}>; rel="{name}"'
            for name, page in pages.items()
        )


Handler = Callable[[Call], Reply]


def invalid(resource: str, field: str, message: str, code: str = "custom") -> ApiError:
    """Return a 422 about one field."""
    error = {"resource": resource, "code": code, "field": field, "message": message}
    return ApiError(422, "Validation Failed", [error])
