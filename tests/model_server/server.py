"""A model server on this machine: OpenAI's chat completions, Anthropic's messages.

It answers from a script (chat completions streamed, too), counts the requests that
really arrived and keeps their bodies. It is a real server on a real socket: what is
tested is the provider's own client, with its retries and its way of reading errors.
"""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from tests.model_server.script import Fault, Reply

Script = Sequence[Reply | Fault] | Callable[[dict[str, Any]], Reply | Fault]


class ModelServer:
    """The script, and what was asked so far."""

    def __init__(self, script: Script) -> None:
        self.requests: list[dict[str, Any]] = []
        self.base_url = ""
        self._script = script
        self.app = Starlette(
            routes=[
                Route("/v1/chat/completions", self._complete, methods=["POST"]),
                Route("/v1/messages", self._message, methods=["POST"]),
            ]
        )

    @property
    def count(self) -> int:
        """Return how many requests arrived."""
        return len(self.requests)

    @property
    def environ(self) -> dict[str, str]:
        """Return the environment that leads an agent here."""
        key = "key-" + "x" * 8
        return {
            "OPENAI_API_KEY": key,
            "OPENAI_BASE_URL": self.base_url,
            "ANTHROPIC_API_KEY": key,
            "ANTHROPIC_BASE_URL": self.base_url.removesuffix("/v1"),
        }

    def prompt(self, number: int = 0) -> str:
        """Return the words of the user in a request."""
        messages = self.requests[number]["messages"]
        return "\n".join(_words(each) for each in messages if each["role"] == "user")

    async def _complete(self, request: Request) -> Response:
        asked = await request.json()
        self.requests.append(asked)
        number = self.count
        reply = self._reply(asked, number)
        if isinstance(reply, Fault):
            await asyncio.sleep(reply.hangs)
            return Response(
                reply.body,
                status_code=reply.status,
                headers={"content-type": "application/json", **reply.headers},
            )
        if asked.get("stream"):
            chunks = _chunks(reply, asked, number)
            return StreamingResponse(chunks, media_type="text/event-stream")
        return JSONResponse(_completion(reply, asked, number))

    async def _message(self, request: Request) -> Response:
        asked = await request.json()
        self.requests.append(asked)
        reply = self._reply(asked, self.count)
        if isinstance(reply, Fault):
            return Response(reply.body, status_code=reply.status, headers=reply.headers)
        return JSONResponse(_anthropic_message(reply, asked, self.count))

    def _reply(self, asked: dict[str, Any], number: int) -> Reply | Fault:
        if callable(self._script):
            return self._script(asked)
        return self._script[min(number, len(self._script)) - 1]


@contextmanager
def serving(script: Script) -> Iterator[ModelServer]:
    """Serve ``script`` on a free port until the block ends."""
    model = ModelServer(script)
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    model.base_url = f"http://127.0.0.1:{port}/v1"
    server = uvicorn.Server(
        uvicorn.Config(
            model.app,
            log_config=None,
            access_log=False,
            lifespan="off",
            ws="none",
            timeout_graceful_shutdown=1,
        )
    )
    thread = threading.Thread(
        target=server.run, kwargs={"sockets": [listener]}, daemon=True
    )
    thread.start()
    try:
        for _ in range(1_000):
            if server.started or not thread.is_alive():
                break
            thread.join(0.01)
        if not server.started:
            raise RuntimeError("the model server did not start")
        yield model
    finally:
        server.should_exit = True
        thread.join(10)
        listener.close()


def _words(message: dict[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, str):
        return content
    return "\n".join(each.get("text", "") for each in content or ())


def _completion(reply: Reply, asked: dict[str, Any], number: int) -> dict[str, Any]:
    choice = {
        "index": 0,
        "message": reply.message(number),
        "finish_reason": reply.finish_reason,
    }
    made: dict[str, Any] = {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": asked.get("model", ""),
        "choices": [choice],
    }
    return {**made, "usage": reply.usage} if reply.counts else made


def _anthropic_message(
    reply: Reply, asked: dict[str, Any], number: int
) -> dict[str, Any]:
    content: list[dict[str, Any]] = []
    if reply.text:
        content.append({"type": "text", "text": reply.text})
    for at, call in enumerate(reply.calls):
        made = {
            "id": f"toolu_{number}_{at}",
            "name": call.name,
            "input": call.arguments,
        }
        content.append({"type": "tool_use", **made})
    return {
        "id": f"msg_{number}",
        "type": "message",
        "role": "assistant",
        "model": asked.get("model", ""),
        "content": content,
        "stop_reason": "tool_use" if reply.calls else "end_turn",
        "stop_sequence": None,
        "usage": {
            "input_tokens": reply.prompt_tokens,
            "output_tokens": reply.output_tokens,
        },
    }


async def _chunks(
    reply: Reply, asked: dict[str, Any], number: int
) -> AsyncIterator[str]:
    head = {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion.chunk",
        "created": 1_700_000_000,
        "model": asked.get("model", ""),
    }
    message = reply.message(number)
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas += [{"content": word + " "} for word in reply.text.split()]
    for at, call in enumerate(message.get("tool_calls", ())):
        text = call["function"]["arguments"]
        middle = len(text) // 2
        function = {**call["function"], "arguments": text[:middle]}
        deltas.append({"tool_calls": [{**call, "index": at, "function": function}]})
        rest = {"index": at, "function": {"arguments": text[middle:]}}
        deltas.append({"tool_calls": [rest]})
    for delta in deltas:
        choice = {"index": 0, "delta": delta, "finish_reason": None}
        yield _event({**head, "choices": [choice]})
    last = {"index": 0, "delta": {}, "finish_reason": reply.finish_reason}
    yield _event({**head, "choices": [last]})
    options = asked.get("stream_options") or {}
    if reply.counts and options.get("include_usage"):
        yield _event({**head, "choices": [], "usage": reply.usage})
    yield "data: [DONE]\n\n"


def _event(value: dict[str, Any]) -> str:
    return f"data: {json.dumps(value)}\n\n"
