"""The model server holds to the protocol, as the provider's own client reads it."""

from __future__ import annotations

from typing import Any

import httpx
from openai import APIStatusError, OpenAI

from tests.model_server.script import Call, Fault, Reply
from tests.model_server.server import ModelServer, serving


def client(server: ModelServer) -> OpenAI:
    return OpenAI(base_url=server.base_url, api_key="k", max_retries=0)


def test_a_streamed_answer_carries_the_same_as_one_that_is_not() -> None:
    """A streamed answer carries the same words, tool calls and usage."""
    reply = Reply(text="so be it", calls=(Call(name="f", arguments={"a": 1}),))
    messages: Any = [{"role": "user", "content": "hi"}]
    with serving([reply]) as server, client(server) as openai:
        whole = openai.chat.completions.create(model="m", messages=messages)
        stream = openai.chat.completions.create(
            model="m",
            messages=messages,
            stream=True,
            stream_options={"include_usage": True},
        )
        chunks = list(stream)
    deltas = [each.choices[0].delta for each in chunks if each.choices]
    calls = [each.tool_calls[0] for each in deltas if each.tool_calls]
    arguments = "".join(
        each.function.arguments or "" for each in calls if each.function
    )
    calls_at_once: Any = whole.choices[0].message.tool_calls
    (call,) = calls_at_once
    assert arguments == call.function.arguments == '{"a": 1}'
    assert "".join(each.content or "" for each in deltas).strip() == "so be it"
    assert chunks[-1].usage == whole.usage
    assert server.count == 2


def test_a_fault_is_an_error_of_the_client() -> None:
    """A scripted fault reaches the client as the status that it is."""
    with serving([Fault(status=429)]) as server, client(server) as openai:
        try:
            openai.chat.completions.create(model="m", messages=[])
        except APIStatusError as error:
            assert error.status_code == 429
        else:
            raise AssertionError("no error")


def test_other_paths_are_not_there() -> None:
    """What the server does not speak is 404 and is not counted."""
    with serving([Reply(text="x")]) as server:
        answer = httpx.post(f"{server.base_url}/responses", json={})
    assert answer.status_code == 404
    assert server.count == 0
