"""Where the built-in agent meets its gate: around the model.

Guarantees: no request leaves without a permit of its own, a repeated one included,
and every permit is settled. A refusal raises Refused, which ends the run. A tool that
was never given to the model is judged too, so that the allow-list sees the attempt.

Imported when a built-in agent runs and not before: it takes more than a second.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

from pydantic_ai import RunContext
from pydantic_ai.exceptions import (
    ModelAPIError,
    ModelConnectionError,
    ModelHTTPError,
)
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse
from pydantic_ai.models import Model, ModelRequestParameters, StreamedResponse
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings

from app.agents.base import Gate, Refused
from app.agents.prices import Spent, price
from app.agents.providers import ModelRef
from app.agents.tokens import Estimator
from app.breaker.actions import (
    ModelCall,
    Permit,
    Settlement,
    ToolCall,
    digest,
)
from app.messages import printable

ATTEMPTS = 2  # requests for one answer of the model
PAUSE = 2.0  # seconds between them, where the provider does not say
LONGEST_PAUSE = 20.0
PASSING_STATUS = frozenset({408, 409, 429, 500, 502, 503, 504, 529})
OVERHEAD = 8  # tokens that a provider adds around each message and tool


class ProviderFault(Exception):
    """The provider gave no usable answer: nothing that the agent could mend."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Metering:
    """What a gated model needs beside the model itself."""

    gate: Gate
    ref: ModelRef
    estimator: Estimator
    max_output_tokens: int
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep


class GatedModel(WrapperModel):
    """A model that asks the gate before each request and tells it what was used.

    Only ``request`` leads out; the other ways of asking a model are closed.
    """

    def __init__(self, wrapped: Model, metering: Metering) -> None:
        super().__init__(wrapped)
        self._metering = metering

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Ask the model, once the gate permits it; once more after a passing fault."""
        call = self._call(messages, model_request_parameters)
        settings: ModelSettings = {
            **(model_settings or {}),
            "max_tokens": self._metering.max_output_tokens,
            "max_retries": 0,  # a repetition of the client's own would not be judged
        }
        for attempt in range(1, ATTEMPTS + 1):
            if attempt > 1:  # a repetition for the provider's sake is no loop
                call = replace(call, digest=digest([call.digest, attempt]))
            permit = self._metering.gate.demand(call)
            try:
                response = await self.wrapped.request(
                    messages, settings, model_request_parameters
                )
            except ModelAPIError as error:
                self._settle_fault(permit, call, error)
                if attempt == ATTEMPTS or not _is_passing(error):
                    raise ProviderFault(_why(call, error)) from error
                await self._metering.sleep(_pause(error))
            except Exception as error:  # no JSON, or of a shape that nobody knows
                self._settle_fault(permit, call, error)
                raise ProviderFault(_why(call, error)) from error
            except BaseException as error:  # cancelled: it may have been paid for
                self._settle_fault(permit, call, error)
                raise
            else:
                self._settle(permit, call, response)
                self._judge_unknown_tools(response, model_request_parameters)
                return response
        raise AssertionError("unreachable: the last attempt returns or raises")

    @asynccontextmanager
    async def request_stream(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
        run_context: RunContext[Any] | None = None,
    ) -> AsyncGenerator[StreamedResponse]:
        """Refuse: a streamed request would not be judged."""
        raise NotImplementedError("the built-in agent does not stream")
        yield  # makes this a generator, as the caller expects

    async def count_tokens(self, *args: Any, **kwargs: Any) -> Any:
        """Refuse: that is a request, too."""
        raise NotImplementedError("the built-in agent estimates tokens by itself")

    async def compact_messages(self, *args: Any, **kwargs: Any) -> Any:
        """Refuse: that is a request, too."""
        raise NotImplementedError("the built-in agent does not compact")

    async def batch_create(self, *args: Any, **kwargs: Any) -> Any:
        """Refuse: that is a request, too."""
        raise NotImplementedError("the built-in agent does not batch")

    def _call(
        self, messages: list[ModelMessage], parameters: ModelRequestParameters
    ) -> ModelCall:
        said = _normalised(messages)
        tools = [*parameters.function_tools, *parameters.output_tools]
        offered = [[t.name, t.description, t.parameters_json_schema] for t in tools]
        text = json.dumps([said, offered], ensure_ascii=False, default=str)
        prompt = self._metering.estimator.estimate(text)
        prompt += OVERHEAD * (len(said) + len(tools))
        ref, most = self._metering.ref, self._metering.max_output_tokens
        spent = Spent(prompt=prompt, output=most)
        return ModelCall(
            model=str(ref),
            prompt_tokens=prompt,
            max_output_tokens=most,
            projected_usd=price(ref.provider, ref.name, spent),
            digest=digest(said),
        )

    def _settle(self, permit: Permit, call: ModelCall, response: ModelResponse) -> None:
        usage = response.usage
        counted = usage.input_tokens + usage.output_tokens
        result = digest(_normalised([response]))
        if counted == 0:  # not counted is not free
            self._settle_projected(permit, call, result)
            return
        self._metering.estimator.learn(call.prompt_tokens, usage.input_tokens)
        spent = Spent(
            prompt=usage.input_tokens,
            output=usage.output_tokens,
            cached=usage.cache_read_tokens,
        )
        ref = self._metering.ref
        cost = price(ref.provider, ref.name, spent)
        self._metering.gate.settle(
            permit, Settlement(tokens=counted, cost_usd=cost, result_digest=result)
        )

    def _settle_fault(
        self, permit: Permit, call: ModelCall, error: BaseException
    ) -> None:
        mark = f"fault:{type(error).__name__}"
        was_sent = not (
            isinstance(error, ModelConnectionError)
            and error.phase in ("pool", "connect")
        )
        if isinstance(error, ModelHTTPError) or not was_sent:  # not charged
            self._metering.gate.settle(permit, Settlement(result_digest=mark))
        else:
            self._settle_projected(permit, call, mark)

    def _settle_projected(self, permit: Permit, call: ModelCall, result: str) -> None:
        tokens = call.prompt_tokens + call.max_output_tokens
        cost = call.projected_usd
        self._metering.gate.settle(
            permit, Settlement(tokens=tokens, cost_usd=cost, result_digest=result)
        )

    def _judge_unknown_tools(
        self, response: ModelResponse, parameters: ModelRequestParameters
    ) -> None:
        tools = [*parameters.function_tools, *parameters.output_tools]
        known = {each.name for each in tools}
        for part in response.tool_calls:
            if part.tool_name in known:
                continue
            arguments = {"arguments": part.args_as_json_str()}
            wanted = ToolCall(tool=printable(part.tool_name), arguments=arguments)
            ruling = self._metering.gate.judge(wanted)
            if isinstance(ruling, Permit):
                self._metering.gate.settle(ruling, Settlement(result_digest="no tool"))
            elif ruling.is_final:
                raise Refused(ruling.objection.reason, is_final=True)


def _normalised(messages: list[ModelMessage]) -> list[Any]:
    """Return what was said, without ids, times and other things that never repeat."""
    said: list[Any] = []
    for message in messages:
        for part in message.parts:
            arguments = getattr(part, "args", None)
            if isinstance(arguments, str):
                arguments = _parsed(arguments)
            name = getattr(part, "tool_name", None)
            content = getattr(part, "content", None)
            said.append([part.part_kind, name, arguments, content])
    last = messages[-1] if messages else None
    if isinstance(last, ModelRequest):
        said.append(["instructions", last.instructions])
    return said


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _is_passing(error: ModelAPIError) -> bool:
    if isinstance(error, ModelHTTPError):
        hint = (error.headers or {}).get("x-should-retry", "")
        return error.status_code in PASSING_STATUS and hint != "false"
    return isinstance(error, ModelConnectionError)


def _pause(error: ModelAPIError) -> float:
    asked = error.retry_after
    return PAUSE if asked is None else min(max(asked, 0.0), LONGEST_PAUSE)


def _why(call: ModelCall, error: Exception) -> str:
    """Say what happened without the provider's words: they may quote the prompt."""
    if isinstance(error, ModelHTTPError):
        return f"{call.model}: the provider answered with HTTP {error.status_code}"
    kind = type(error).__name__
    if isinstance(error, ModelConnectionError):
        return f"{call.model}: the provider was not reached ({kind})"
    return f"{call.model}: the provider's answer cannot be read ({kind})"
