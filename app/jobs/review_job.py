"""What a job carries from step to step, as values again; and who it belongs to."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from app import messages
from app.config.model import RepositoryConfig
from app.jobs.services import Services
from app.ports import Hub, PullRequest
from app.review.authors import is_agent
from app.review.model import Subject
from app.store.reviews import Wanted

_PULL: TypeAdapter[PullRequest] = TypeAdapter(PullRequest)


class JobSteps:
    """What all steps share: the services, the hub of a job, its being the newest."""

    def __init__(self, services: Services) -> None:
        self._at = services

    def _superseded(self, wanted: Wanted) -> str | None:
        current = self._at.reviews.wanted(wanted.key)
        if current is not None and current.generation == wanted.generation:
            return None
        return messages.SUPERSEDED

    def _hub(self, wanted: Wanted) -> Hub:
        return self._at.hubs.hub(wanted.installation_id, wanted.repository)


def config_of(facts: dict[str, Any]) -> RepositoryConfig:
    return RepositoryConfig.model_validate_json(facts["config"])


def pull_of(facts: dict[str, Any]) -> PullRequest:
    return _PULL.validate_python(facts["pull"])


def subject_of(wanted: Wanted, pull: PullRequest, config: RepositoryConfig) -> Subject:
    return Subject(
        review_id=wanted.review_id,
        repository=wanted.repository,
        number=wanted.number,
        base_sha=pull.base_sha,
        head_sha=wanted.head_sha,
        title=pull.title,
        body=pull.body,
        author=pull.author,
        author_is_agent=is_agent(pull.author, config.agent.observe),
    )
