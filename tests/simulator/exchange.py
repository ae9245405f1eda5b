"""The REST API as an ASGI app, with the contract round every exchange.

Request -> contract -> faults -> credentials -> operation -> skeleton -> (mutation)
-> contract -> answer. What the contract does not know is 501 and a violation.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from tests.simulator import access, faults, renamed
from tests.simulator.contract import Contract, Operation
from tests.simulator.events import Events
from tests.simulator.hooks import Hooks
from tests.simulator.rate import Rates
from tests.simulator.rest.call import ApiError, Call, Reply
from tests.simulator.rest.operations import OPERATIONS
from tests.simulator.skeleton import complete
from tests.simulator.state import World

VERSIONS = ("2022-11-28",)
Mutation = Callable[[str, Any], Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One request that was made, for whoever counts them."""

    method: str
    path: str
    operation: str
    status: int


@dataclass(slots=True, kw_only=True)
class RestApi:
    """GitHub's REST API."""

    world: World
    contract: Contract
    hooks: Hooks
    events: Events
    faults: faults.Faults
    rates: Rates
    # For the tests of the contract: breaks an answer before it is checked.
    mutation: Mutation | None = None
    exchanges: list[Exchange] = field(default_factory=list)

    def counts(self) -> Counter[str]:
        """Return how often each operation was asked for."""
        return Counter(each.operation for each in self.exchanges)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        request = Request(scope, receive)
        raw = scope["raw_path"].decode("ascii").partition("?")[0]
        raw = renamed.by_number(self.world, raw)
        found = self.contract.find(request.method, raw)
        if found is None:
            self.contract.unknown(request.method, raw)
            body = ApiError(501, "not in the contract").body()
            self._note(request.method, raw, "unknown", 501)
            await _response(501, body, {})(scope, receive, send)
            return
        operation, path = found
        data = await request.body()
        answer = await self._answer(request, operation, path, data)
        self._note(request.method, raw, operation.id, answer.status_code)
        await answer(scope, receive, send)

    async def _answer(
        self, request: Request, operation: Operation, path: dict[str, str], data: bytes
    ) -> Response | _Cut:
        fault = self.faults.take(operation.id)
        if fault is None or fault.is_after:
            status, body, headers = await run_in_threadpool(
                self._carry_out, request, operation, path, data
            )
        if fault is not None and fault.kind == "slow":
            await asyncio.sleep(fault.seconds)
        elif fault is not None and fault.kind != "cut":
            reset = int(self.world.now().timestamp()) + 3600
            status, body, replaced = faults.answer(fault, reset)
            headers = dict(replaced)
            self.contract.check_response(operation, status, body)
        made = _response(status, body, headers)
        return _Cut(made) if fault is not None and fault.kind == "cut" else made

    def _carry_out(
        self, request: Request, operation: Operation, path: dict[str, str], data: bytes
    ) -> tuple[int, Any, dict[str, str]]:
        with self.world.lock:
            reply = self._dispatch(request, operation, path, data)
            body = reply.body
            headers = {**reply.headers, **self.rates.headers()}
            if reply.text is not None:
                return reply.status, reply.text, headers
            content = operation.responses.get(str(reply.status), {}).get("content", {})
            schema = content.get("application/json", {}).get("schema")
            if schema is not None and body is not None:
                body = complete(schema, body)
            if self.mutation is not None:
                body = self.mutation(operation.id, body)
            self.contract.check_response(operation, reply.status, body)
            if request.method == "GET" and reply.status == 200:
                return self._conditional(request, operation, body, headers)
            return reply.status, body, headers

    def _conditional(
        self,
        request: Request,
        operation: Operation,
        body: Any,
        headers: dict[str, str],
    ) -> tuple[int, Any, dict[str, str]]:
        """Answer 304 when the client knows the body already; that costs nothing."""
        digest = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
        headers["ETag"] = f'W/"{digest}"'
        known = request.headers.get("if-none-match", "")
        if digest in known:
            self.rates.give_back()
            self.contract.check_response(operation, 304, None)
            return 304, None, {**headers, **self.rates.headers()}
        return 200, body, headers

    def _dispatch(
        self, request: Request, operation: Operation, path: dict[str, str], data: bytes
    ) -> Reply:
        query = dict(parse_qsl(request.url.query, keep_blank_values=True))
        try:
            body = json.loads(data) if data else None
        except ValueError:
            return _refusal(ApiError(400, "Problems parsing JSON"))
        is_good = self.contract.check_request(operation, query, body)
        try:
            self._check_version(request)
            principal = self._principal(request, operation.id)
            self.rates.count(principal, operation.id)
            access.allow(principal, operation.id)
            call = Call(
                world=self.world,
                hooks=self.hooks,
                events=self.events,
                principal=principal,
                operation=operation.id,
                url=str(request.url).partition("?")[0],
                path=path,
                query=query,
                body=body,
                accept=request.headers.get("accept", ""),
            )
            if not is_good:
                return _refusal(_unprocessable(self.contract))
            moved = renamed.redirect(self.world, request, path)
            if moved is not None:
                return moved
            if operation.id == "rate-limit/get":
                return Reply(body=self.rates.overview())
            return OPERATIONS[operation.id](call)
        except access.Denied as error:
            return _refusal(ApiError(error.status, error.message))
        except ApiError as error:
            return _refusal(error)

    def _principal(self, request: Request, operation: str) -> access.Principal:
        if access.needs(operation) is access.NOBODY:
            return access.Principal(token=None, actor=self.world.app.bot)
        shown = request.headers.get("authorization", "")
        return access.authenticate(self.world, shown)

    def _check_version(self, request: Request) -> None:
        version = request.headers.get("x-github-api-version", VERSIONS[0])
        if version not in VERSIONS:
            message = f"Unsupported API version: {version}"
            raise ApiError(400, message)
        if not request.headers.get("user-agent"):
            raise ApiError(403, "Request forbidden by administrative rules.")

    def _note(self, method: str, path: str, operation: str, status: int) -> None:
        made = Exchange(method=method, path=path, operation=operation, status=status)
        self.exchanges.append(made)


def _refusal(error: ApiError) -> Reply:
    return Reply(status=error.status, body=error.body())


def _unprocessable(contract: Contract) -> ApiError:
    message = f"Invalid request.\n\n{contract.violations[-1].message}"
    return ApiError(422, message, [])


def _response(status: int, body: Any, headers: Any) -> Response:
    made = {"X-GitHub-Media-Type": "github.v3; format=json", **headers}
    if body is None:
        return Response(status_code=status, headers=made)
    if isinstance(body, str):
        kind = made.pop("Content-Type", "text/plain; charset=utf-8")
        return Response(body, status, made, media_type=kind)
    text = json.dumps(body, ensure_ascii=False)
    return Response(text, status, made, media_type="application/json; charset=utf-8")


class _Cut:
    """An answer that promises its whole length and stops half-way."""

    def __init__(self, whole: Response) -> None:
        self._whole = whole
        self.status_code = whole.status_code

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        start = {
            "type": "http.response.start",
            "status": self._whole.status_code,
            "headers": self._whole.raw_headers,
        }
        await send(start)
        body = bytes(self._whole.body)
        part = body[: len(body) // 2]
        await send({"type": "http.response.body", "body": part, "more_body": True})
        raise ConnectionAbortedError("the body is cut on purpose")
