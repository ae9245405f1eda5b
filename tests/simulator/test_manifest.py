"""An app is made from a manifest: browser, code, keys."""

from __future__ import annotations

import json
from urllib.parse import parse_qs, urlsplit

import httpx

from tests.simulator.builders import Api, Shop, app_jwt, as_app

MANIFEST = {
    "name": "recloser",
    "url": "https://example.com",
    "redirect_url": "http://127.0.0.1:1/setup/done",
    "hook_attributes": {"url": "http://127.0.0.1:9/hook"},
    "default_permissions": {"checks": "write"},
    "default_events": ["pull_request"],
}


def code_for(shop: Shop, manifest: object = MANIFEST) -> httpx.Response:
    """Post the manifest as a browser does."""
    return httpx.post(
        f"{shop.github.base_url}/settings/apps/new?state=s1",
        data={"manifest": json.dumps(manifest)},
        trust_env=False,
    )


def test_a_code_is_good_once(shop: Shop) -> None:
    """It comes back with the state and is traded for the app's keys once."""
    answer = code_for(shop)
    place = urlsplit(answer.headers["location"])
    query = parse_qs(place.query)
    assert (answer.status_code, query["state"]) == (302, ["s1"])
    trade = f"/app-manifests/{query['code'][0]}/conversions"
    made = httpx.post(shop.github.base_url + trade, trust_env=False)
    assert made.status_code == 201
    assert made.json()["pem"].startswith("-----BEGIN RSA PRIVATE KEY-----")
    assert made.json()["permissions"] == {"checks": "write"}
    again = httpx.post(shop.github.base_url + trade, trust_env=False)
    assert again.status_code == 404
    old = Api(github=shop.github, token=app_jwt(shop.github))
    assert old.send("GET", "/app").status_code == 401


def test_a_code_ends_after_an_hour(shop: Shop) -> None:
    """Too late is 404."""
    place = urlsplit(code_for(shop).headers["location"])
    code = parse_qs(place.query)["code"][0]
    shop.sim.shift_clock(3601)
    answer = as_app(shop.github).send("POST", f"/app-manifests/{code}/conversions")
    assert answer.status_code == 404


def test_a_manifest_needs_an_address(shop: Shop) -> None:
    """What GitHub cannot use is refused in words."""
    assert code_for(shop, {"redirect_url": "http://x"}).status_code == 422
    assert code_for(shop, {"url": "http://x"}).status_code == 422
