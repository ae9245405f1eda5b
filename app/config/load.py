"""Choose the configuration that is in force. Pure: somebody else fetched the file.

No answer turns Recloser off (B19): a missing file means the defaults, and a file
that cannot be fetched or read leaves the last good configuration in force, or the
defaults. It then says so, and ``is_readable`` keeps the check from being green.
The file is that of the default branch; whoever fetches it names the ref in
``source``, which the check shows (B21).
"""

from __future__ import annotations

from dataclasses import dataclass

from app.config.keys import CONFIG_PATH
from app.config.model import RepositoryConfig
from app.config.parser import parse
from app.config.problem import ConfigProblem
from guardrails.model import Severity
from guardrails.policy import Policy


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadAnswer:
    """What came back when the file was asked for.

    Args:
        source: where it was looked for, such as ``owner/repo@main:PATH``.
        text: the file; ``None`` when there is none, or when that is not known.
        failure: why it could not be fetched; ``None`` when the answer is sure.
    """

    source: str
    text: str | bytes | None = None
    failure: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Effective:
    """The configuration in force, and what a person has to know about it.

    Args:
        config: the values to work with; there always are some.
        source: where they come from, in words for the check.
        problems: what is wrong with the file; empty when it is readable.
        is_readable: ``False`` means that the check cannot be green.
    """

    config: RepositoryConfig
    source: str
    problems: tuple[ConfigProblem, ...] = ()
    is_readable: bool = True


def choose(answer: LoadAnswer, last_good: RepositoryConfig | None) -> Effective:
    """Return the configuration in force after ``answer``.

    Args:
        answer: what came back when the file was asked for.
        last_good: the last configuration of this repository that could be read.
    """
    if answer.failure is not None:
        problem = ConfigProblem(
            source=answer.source,
            line=0,
            key="",
            message=f"the file could not be fetched: {answer.failure}",
            remedy="Run the check again; see that the app may read contents",
        )
        return _stand_in(answer, last_good, (problem,))
    if answer.text is None:
        source = f"the defaults (there is no {answer.source})"
        return Effective(config=RepositoryConfig(), source=source)
    parsed = parse(answer.text, source=answer.source)
    if parsed.config is None:
        return _stand_in(answer, last_good, parsed.problems)
    return Effective(config=parsed.config, source=answer.source)


def policy_of(config: RepositoryConfig, *, author_is_agent: bool) -> Policy:
    """Return what ``config`` asks of the guardrails.

    The file itself is always protected: a list of one's own must not be the way
    to let an agent edit its guard (B21).
    """
    asked = config.guardrails
    protected = asked.protected
    if CONFIG_PATH not in protected:
        protected = (*protected, CONFIG_PATH)
    return Policy(
        block=Severity[asked.block.upper()],
        protected=protected,
        shrink_floor=asked.shrink_floor,
        lanes=dict(asked.lanes),
        author_is_agent=author_is_agent,
    )


def _stand_in(
    answer: LoadAnswer,
    last_good: RepositoryConfig | None,
    problems: tuple[ConfigProblem, ...],
) -> Effective:
    name = "the defaults" if last_good is None else "the last good configuration"
    return Effective(
        config=RepositoryConfig() if last_good is None else last_good,
        source=f"{name} ({answer.source} cannot be read)",
        problems=problems,
        is_readable=False,
    )
