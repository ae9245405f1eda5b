"""What a call to a model costs, from the prices that genai-prices brings along.

No network: the snapshot of the installed package is used. A model that it does not
know is priced like the dearest there is, so that a budget in dollars still holds.
"""

from __future__ import annotations

from dataclasses import dataclass

UNKNOWN_INPUT = 15.0 / 1_000_000  # dollars per token
UNKNOWN_OUTPUT = 75.0 / 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """Tokens of one call; ``cached`` are those of the input read from a cache."""

    prompt: int
    output: int
    cached: int = 0


def price(provider: str, model: str, spent: Spent) -> float:
    """Return the dollars of one call."""
    from genai_prices import Usage, calc_price  # 0.3 s: only when an agent runs

    usage = Usage(
        input_tokens=spent.prompt,
        output_tokens=spent.output,
        cache_read_tokens=min(spent.cached, spent.prompt),
    )
    try:
        return float(calc_price(usage, model, provider_id=provider).total_price)
    except (LookupError, ValueError):
        return spent.prompt * UNKNOWN_INPUT + spent.output * UNKNOWN_OUTPUT


def is_known(provider: str, model: str) -> bool:
    """Tell whether there is a price for ``model``."""
    from genai_prices import Usage, calc_price

    try:
        calc_price(Usage(input_tokens=1), model, provider_id=provider)
    except (LookupError, ValueError):
        return False
    return True
