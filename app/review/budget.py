"""Money and runs beyond one review: most disasters are many cheap runs. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from app.config.model import BudgetSection


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What was spent before this review."""

    pull_usd: float = 0.0
    month_usd: float = 0.0
    runs_last_hour: int = 0


def refusal(budget: BudgetSection, spent: Spent) -> str | None:
    """Return why the agent may not run now, ``None`` when it may."""
    if spent.month_usd >= budget.per_month_usd:
        return (
            f"this month's budget of ${budget.per_month_usd:.2f} for the repository "
            f"is spent (${spent.month_usd:.2f})"
        )
    if spent.pull_usd >= budget.per_pr_usd:
        return (
            f"the budget of ${budget.per_pr_usd:.2f} for this pull request is spent "
            f"(${spent.pull_usd:.2f})"
        )
    if spent.runs_last_hour >= budget.runs_per_hour:
        return (
            f"the agent ran {spent.runs_last_hour} times in the last hour, "
            f"{budget.runs_per_hour} are allowed"
        )
    return None
