"""What happens on GitHub, whoever does it: the state changes and events go out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tests.simulator.events import Events
from tests.simulator.repo import File, GitRepository, Signature
from tests.simulator.state import (
    DEFAULT_EVENTS,
    Account,
    CheckRun,
    CheckSuite,
    Comment,
    Installation,
    Label,
    Pull,
    Repository,
    Review,
    World,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A pull request that is to be opened from an existing branch."""

    title: str
    body: str | None
    base: str
    branch: str
    author: Account
    is_draft: bool = False
    fork: Repository | None = None


def create_repository(
    world: World,
    owner: str,
    name: str,
    *,
    is_private: bool,
    default_branch: str,
) -> Repository:
    """Make an empty repository of an organisation."""
    made = Repository(
        id=world.new_id(),
        owner=world.account(owner, "Organization"),
        name=name,
        default_branch=default_branch,
        is_private=is_private,
        git=GitRepository.create(world.root / owner / f"{name}.git", default_branch),
        created_at=world.now(),
    )
    world.repositories[made.id] = made
    return made


def install(
    world: World, events: Events, known: Repository, *, by: Account
) -> Installation:
    """Install the app on a repository; the owner's first one makes the installation."""
    for each in world.installations.values():
        if each.account is known.owner:
            each.repositories.add(known.id)
            events.repositories(each, {known.id}, "added", by)
            return each
    made = Installation(
        id=world.new_id(),
        account=known.owner,
        permissions=dict(world.app.permissions),
        events=list(world.app.events or DEFAULT_EVENTS),
        created_at=world.now(),
        repositories={known.id},
    )
    world.installations[made.id] = made
    events.installation(made, "created", by)
    return made


def push(
    world: World,
    events: Events,
    known: Repository,
    branch: str,
    files: Mapping[str, File | None],
    *,
    author: Account,
    message: str,
    parent: str | None = None,
    is_quiet: bool = False,
) -> str:
    """Put a commit on a branch; with ``parent`` the branch is moved by force."""
    before = known.git.find(f"refs/heads/{branch}")
    start = parent or before
    if start is None:
        start = known.git.find(f"refs/heads/{known.default_branch}")
    who = Signature(
        name=author.login, email=f"{author.id}@users.example.com", when=world.now()
    )
    sha = known.git.commit(branch, files, parent=start, author=who, message=message)
    moved(world, events, known, branch, before, author, is_quiet=is_quiet)
    return sha


def moved(
    world: World,
    events: Events,
    known: Repository,
    branch: str,
    before: str | None,
    sender: Account,
    *,
    is_quiet: bool = False,
) -> None:
    """Let everybody know that a branch points elsewhere now."""
    sha = known.git.tip(branch)
    if world.installation_of(known) is not None and not is_quiet:
        suite = suite_of(world, known, sha, branch=branch, before=before)
        events.push(known, branch, before, sender)
        events.check_suite(known, suite, "requested", sender)
    for base in list(world.repositories.values()):
        for pull in base.pulls.values():
            is_head = (pull.head_repository_id, pull.head_ref) == (known.id, branch)
            if is_head and pull.state == "open" and pull.head_sha != sha:
                _synchronize(world, events, base, pull, known, sender)


def _synchronize(
    world: World,
    events: Events,
    base: Repository,
    pull: Pull,
    head: Repository,
    sender: Account,
) -> None:
    before = pull.head_sha
    pull.head_sha = _publish_head(base, pull.number, head, pull.head_ref)
    pull.base_sha = base.git.find(pull.base_ref) or pull.base_sha
    pull.updated_at = world.now()
    more = {"before": before, "after": pull.head_sha}
    events.pull_request(base, pull, "synchronize", sender, **more)


def _publish_head(base: Repository, number: int, head: Repository, branch: str) -> str:
    """Point ``refs/pull/N/head`` at a branch, which may be a fork's."""
    ref = f"refs/pull/{number}/head"
    if head is base:
        base.git.set_ref(ref, base.git.tip(branch))
    else:
        base.git.take(head.git, f"refs/heads/{branch}", ref)
    return base.git.resolve(ref)


def fork(world: World, known: Repository, owner: str) -> Repository:
    """Return the fork of a user, made on its first use."""
    found = world.repository(owner, known.name)
    if found is not None:
        return found
    path = world.root / owner / f"{known.name}.git"
    made = Repository(
        id=world.new_id(),
        owner=world.account(owner),
        name=known.name,
        default_branch=known.default_branch,
        is_private=known.is_private,
        git=known.git.fork(path),
        created_at=world.now(),
        fork_of=known.id,
    )
    world.repositories[made.id] = made
    return made


def open_pull(
    world: World, events: Events, known: Repository, wanted: Proposal
) -> Pull:
    """Open a pull request."""
    head = wanted.fork or known
    number, known.next_number = known.next_number, known.next_number + 1
    sha = _publish_head(known, number, head, wanted.branch)
    now = world.now()
    # Two ids: a pull request is an issue too, with an id of its own.
    made = Pull(
        id=world.new_id(),
        number=number,
        title=wanted.title,
        body=wanted.body,
        author=wanted.author,
        base_ref=wanted.base,
        base_sha=known.git.tip(wanted.base),
        head_owner=head.owner,
        head_repository_id=head.id,
        head_ref=wanted.branch,
        head_sha=sha,
        created_at=now,
        updated_at=now,
        is_draft=wanted.is_draft,
    )
    world.new_id()
    known.pulls[number] = made
    events.pull_request(known, made, "opened", wanted.author)
    return made


def suite_of(
    world: World,
    known: Repository,
    sha: str,
    *,
    branch: str | None = None,
    before: str | None = None,
) -> CheckSuite:
    """Return the app's check suite of a commit, made on its first use."""
    for each in known.suites:
        if each.head_sha == sha:
            return each
    now = world.now()
    made = CheckSuite(
        id=world.new_id(),
        head_sha=sha,
        head_branch=branch,  # null for the heads of forks
        before=before,
        created_at=now,
        updated_at=now,
    )
    known.suites.append(made)
    return made


def rerequest(
    events: Events, known: Repository, run: CheckRun, sender: Account
) -> None:
    """Ask to run a check again: GitHub puts it back to queued."""
    run.status, run.conclusion, run.completed_at = "queued", None, None
    events.check_run(known, run, "rerequested", sender)


def add_label(
    world: World,
    events: Events,
    known: Repository,
    pull: Pull,
    name: str,
    sender: Account,
) -> None:
    """Put a label on a pull request; one that does not exist is made."""
    key = name.casefold()
    if key not in known.labels:
        made = Label(id=world.new_id(), name=name, color="ededed", description=None)
        known.labels[key] = made
        events.label(known, made, "created", sender)
    if key in pull.labels:
        return
    pull.labels.append(key)
    pull.updated_at = world.now()
    events.labeled(known, pull, known.labels[key], sender, is_added=True)


def remove_label(
    events: Events, known: Repository, pull: Pull, name: str, sender: Account
) -> bool:
    """Take a label off a pull request; tell whether it was there."""
    key = name.casefold()
    if key not in pull.labels:
        return False
    pull.labels.remove(key)
    events.labeled(known, pull, known.labels[key], sender, is_added=False)
    return True


def add_comment(
    world: World,
    events: Events,
    known: Repository,
    pull: Pull,
    body: str,
    author: Account,
) -> Comment:
    """Write a comment on a pull request."""
    now = world.now()
    made = Comment(
        id=world.new_id(), author=author, body=body, created_at=now, updated_at=now
    )
    pull.comments.append(made)
    events.comment(known, pull, made, author)
    return made


def add_review(
    world: World, pull: Pull, *, author: Account, body: str, state: str, commit_id: str
) -> Review:
    """Store a review; the events go out when its comments are stored too."""
    made = Review(
        id=world.new_id(),
        author=author,
        body=body,
        state=state,
        commit_id=commit_id,
        submitted_at=None if state == "PENDING" else world.now(),
    )
    pull.reviews.append(made)
    return made
