"""The answer that the built-in agent asks its model for. Judged, never believed.

Fields are few and flat: every provider's tool calls can carry them. Numbers out of
range are an error that goes back to the model; long texts are cut, not refused.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

MOST_REMARKS = 60
MOST_MESSAGE = 2_000
MOST_EVIDENCE = 2_000
MOST_SUGGESTION = 4_000


def _lower(value: object) -> object:
    return value.strip().lower() if isinstance(value, str) else value


SeverityName = Annotated[
    Literal["info", "low", "medium", "high", "critical"], BeforeValidator(_lower)
]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
LineNumber = Annotated[int, Field(ge=1, le=10_000_000)]


class Remark(BaseModel):
    """One thing that is wrong in the change."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)

    path: str
    """Path of the file, as the change names it."""
    line: LineNumber
    """First line, by the numbers of the new file."""
    end_line: LineNumber
    """Last line; equal to `line` for one line."""
    severity: SeverityName
    """How bad it is: critical and high only for what breaks or endangers users."""
    confidence: Share
    """How sure you are that this is a real fault, from 0 to 1."""
    message: str
    """What is wrong, why it matters and what to do, in one to three sentences."""
    evidence: str
    """The line or lines of the change that show it, copied exactly, without the
    line number and the sign in front."""
    suggestion: str | None = None
    """New text for exactly the lines in `evidence`, or null."""


class Answer(BaseModel):
    """The result of the review."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)

    summary: str
    """What the change does and how good it is, in at most three sentences."""
    confidence: Share
    """How sure you are that you found what matters, from 0 to 1."""
    remarks: list[Remark] = Field(max_length=MOST_REMARKS)
    """The faults, worst first. An empty list when there is none."""

    @property
    def is_empty(self) -> bool:
        """Tell whether nothing was said: no review took place (B29)."""
        return not self.remarks and not self.summary.strip()
