"""Which events can change a verdict. Pure.

A title that was edited changes nothing, a base that was retargeted changes the whole
diff (B15). A re-run counts for our own checks only, found by our app id (B17), and
never when we caused it ourselves (B18): otherwise each answer would ask again. What
is asked for here is a hint; the pull request is read anew before anything is done.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from app.web.events import CheckEvent, Event, PullEvent

#: The button of our check run that runs the review once more.
RUN_AGAIN = "retry"

_PULL_REASONS = {
    "opened": "opened",
    "synchronize": "pushed to",
    "reopened": "reopened",
    "ready_for_review": "ready for review",
    # Closed asks too: whoever reads the pull request anew then stops and forgets it.
    "closed": "closed",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewRequest:
    """A review that an event asks for.

    ``number`` is ``None`` when GitHub did not say which pull request is meant; it
    is then found by ``head_sha``. ``again``: also when this head was reviewed.
    """

    installation_id: int
    repository: str
    repository_id: int
    number: int | None
    head_sha: str
    reason: str
    again: bool = False

    def of_pull(self, number: int) -> ReviewRequest:
        """Return this request for one pull request."""
        return replace(self, number=number)


def review_request(event: Event, *, app_id: int) -> ReviewRequest | None:
    """Return the review that ``event`` asks for, ``None`` when it asks for none.

    Args:
        event: what ``parse`` returned.
        app_id: the number of our own app.
    """
    match event:
        case PullEvent():
            return _of_pull(event)
        case CheckEvent():
            return _of_check(event, app_id)
        case _:
            return None


def _of_pull(event: PullEvent) -> ReviewRequest | None:
    if event.installation_id is None:
        return None
    reason = _PULL_REASONS.get(event.action)
    is_retargeted = event.action == "edited" and event.changes_base
    if is_retargeted:
        reason = "retargeted"
    if reason is None:
        return None
    return ReviewRequest(
        installation_id=event.installation_id,
        repository=event.repository,
        repository_id=event.repository_id,
        number=event.number,
        head_sha=event.head_sha,
        reason=reason,
        again=is_retargeted,
    )


def _of_check(event: CheckEvent, app_id: int) -> ReviewRequest | None:
    if event.installation_id is None or event.app_id != app_id:
        return None
    if event.sender_is_bot and _is_own_login(event):
        return None
    is_button = event.action == "requested_action" and event.identifier == RUN_AGAIN
    if event.action != "rerequested" and not is_button:
        return None
    # The list of the payload is empty for forks and may hold several: only a single
    # one is believed, all else is found by the head.
    number = event.pulls[0] if len(event.pulls) == 1 else None
    return ReviewRequest(
        installation_id=event.installation_id,
        repository=event.repository,
        repository_id=event.repository_id,
        number=number,
        head_sha=event.head_sha,
        reason="asked to run again",
        again=True,
    )


def _is_own_login(event: CheckEvent) -> bool:
    own = event.app_slug.casefold()
    return bool(own) and event.sender.casefold().removesuffix("[bot]") == own
