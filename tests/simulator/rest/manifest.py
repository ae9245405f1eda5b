"""An app that is made from a manifest: the browser's half and the API's half.

The browser posts the manifest to ``/settings/apps/new``; GitHub sends it back with a
code, which is good once and for an hour; the API trades the code for the app's keys.
"""

from __future__ import annotations

import json
import secrets
from datetime import timedelta
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlencode

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from tests.simulator.bodies import common
from tests.simulator.keys import make_key_pair
from tests.simulator.rest.call import ApiError, Call, Reply

if TYPE_CHECKING:
    from tests.simulator.state import World

CODE_LIFE = timedelta(hours=1)
_REQUIRED = ("url",)


async def begin(world: World, request: Request) -> Response:
    """Take the manifest that a browser posts; confirm it as a person would."""
    form = parse_qs((await request.body()).decode())
    try:
        manifest = json.loads(form["manifest"][0])
        back = manifest["redirect_url"]
        missing = [name for name in _REQUIRED if not manifest.get(name)]
    except (KeyError, ValueError, TypeError):
        return PlainTextResponse("Invalid GitHub App manifest", 422)
    if missing:
        return PlainTextResponse(f"missing in the manifest: {missing[0]}", 422)
    code = secrets.token_hex(20)
    world.manifests[code] = {**manifest, "_until": world.now() + CODE_LIFE}
    query = {"code": code}
    if "state" in request.query_params:
        query["state"] = request.query_params["state"]
    joint = "&" if "?" in back else "?"
    return RedirectResponse(f"{back}{joint}{urlencode(query)}", 302)


def convert(call: Call) -> Reply:
    """POST /app-manifests/{code}/conversions: good once."""
    world = call.world
    manifest = world.manifests.pop(call.path["code"], None)
    if manifest is None or manifest["_until"] < world.now():
        raise ApiError(404, "Not Found")
    keys = make_key_pair()
    app, hook = world.app, world.hook
    app.public_key = keys.public
    app.permissions = dict(manifest.get("default_permissions", app.permissions))
    app.events = list(manifest.get("default_events", app.events))
    attributes = manifest.get("hook_attributes", {})
    hook.url = attributes.get("url", hook.url)
    hook.secret = secrets.token_hex(20)
    body = {
        **common.app(world),
        "client_id": f"Iv1.{app.id:016x}",
        "client_secret": secrets.token_hex(20),
        "webhook_secret": hook.secret,
        "pem": keys.private,
    }
    return Reply(status=201, body=body)
