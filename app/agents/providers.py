"""Make the model of ``provider:name``, with its key from the server's environment.

One visible table of providers. A missing key or an unknown provider is a
ModelUnavailable before any network is used; the message says what to set. The
provider's client never repeats a request by itself: each request is judged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic_ai.models import Model

DEFAULT_TIMEOUT = 120.0  # seconds of one request


class ModelUnavailable(Exception):
    """There is no such model here; the message says what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRef:
    """A model by its provider and name."""

    provider: str
    name: str

    def __str__(self) -> str:
        """Return it as the configuration writes it."""
        return f"{self.provider}:{self.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """How a provider is reached. The key is never shown."""

    key: str
    base_url: str | None

    def __repr__(self) -> str:
        """Return the access without its key."""
        return f"Access(base_url={self.base_url!r})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """A provider: where its key and address stand, and how its model is made."""

    key: str
    base_url: str
    make: Callable[[str, Access], Model]


def _openai(name: str, access: Access) -> Model:
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    base_url = access.base_url or "https://api.openai.com/v1"
    provider = OpenAIProvider(base_url=base_url, api_key=access.key)
    return OpenAIChatModel(name, provider=provider)


def _anthropic(name: str, access: Access) -> Model:
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    base_url = access.base_url or "https://api.anthropic.com"
    provider = AnthropicProvider(base_url=base_url, api_key=access.key)
    return AnthropicModel(name, provider=provider)


PROVIDERS: Mapping[str, Provider] = {
    "openai": Provider(key="OPENAI_API_KEY", base_url="OPENAI_BASE_URL", make=_openai),
    "anthropic": Provider(
        key="ANTHROPIC_API_KEY", base_url="ANTHROPIC_BASE_URL", make=_anthropic
    ),
}


def model_ref(text: str) -> ModelRef:
    """Return the model that ``provider:name`` means.

    Raises:
        ModelUnavailable: there is no such provider, or no name.
    """
    provider, colon, name = text.partition(":")
    if not colon or not name:
        raise ModelUnavailable(
            f"{text[:80]!r} is no model: write it as provider:name, such as "
            "openai:gpt-5-mini"
        )
    if provider not in PROVIDERS:
        known = ", ".join(PROVIDERS)
        raise ModelUnavailable(
            f"there is no provider {provider[:40]!r}: the built-in agent knows {known}"
        )
    return ModelRef(provider=provider, name=name)


def access_to(ref: ModelRef, environ: Mapping[str, str]) -> Access:
    """Return how to reach the provider of ``ref``.

    Raises:
        ModelUnavailable: there is no key.
    """
    provider = PROVIDERS[ref.provider]
    key = environ.get(provider.key, "").strip()
    if not key:
        raise ModelUnavailable(
            f"no key for {ref}: set {provider.key} in the server's environment"
        )
    return Access(key=key, base_url=environ.get(provider.base_url, "").strip() or None)


def make_model(ref: ModelRef, access: Access) -> Model:
    """Return the model, ready to be asked; no network is used yet."""
    return PROVIDERS[ref.provider].make(ref.name, access)
