"""What goes wrong on purpose goes wrong as GitHub's troubles do."""

from __future__ import annotations

import httpx
import pytest

from tests.simulator.builders import Shop

COMMENT = {"body": "x"}


def comment(shop: Shop) -> httpx.Response:
    """Write a comment."""
    return shop.api.post(f"/{{repo}}/issues/{shop.number}/comments", COMMENT)


def test_a_502_comes_after_the_write(shop: Shop) -> None:
    """The answer is an HTML page and the comment stands."""
    shop.sim.set_faults({"kind": "bad_gateway", "operation": "issues/create-comment"})
    answer = comment(shop)
    assert answer.status_code == 502
    assert answer.headers["content-type"].startswith("text/html")
    assert len(shop.state.comments) == 1


@pytest.mark.parametrize(
    ("fault", "status", "header"),
    [
        ({"kind": "secondary", "retry_after": 7}, 403, ("retry-after", "7")),
        ({"kind": "secondary"}, 403, ("retry-after", None)),
        ({"kind": "too_many", "retry_after": 1}, 429, ("retry-after", "1")),
        ({"kind": "primary"}, 403, ("x-ratelimit-remaining", "0")),
        ({"kind": "unauthorized"}, 401, ("retry-after", None)),
        ({"kind": "refused_502"}, 502, ("retry-after", None)),
    ],
)
def test_a_refusal_does_nothing(
    shop: Shop, fault: dict[str, object], status: int, header: tuple[str, str | None]
) -> None:
    """The write is not carried out, once; the next one is."""
    shop.sim.set_faults(fault)
    answer = comment(shop)
    assert answer.status_code == status
    assert answer.headers.get(header[0]) == header[1]
    assert shop.state.comments == []
    assert comment(shop).status_code == 201


def test_a_body_breaks_off(shop: Shop) -> None:
    """The connection ends before the promised length."""
    shop.sim.set_faults({"kind": "cut", "operation": "issues/create-comment"})
    with pytest.raises(httpx.RemoteProtocolError):
        comment(shop)
    assert len(shop.state.comments) == 1


def test_an_answer_is_slow(shop: Shop) -> None:
    """The answer comes, later than a client waits."""
    shop.sim.set_faults({"kind": "slow", "seconds": 0.5})
    with pytest.raises(httpx.ReadTimeout):
        httpx.get(
            f"{shop.github.base_url}/repos/acme/shop",
            headers={"Authorization": f"Bearer {shop.api.token}"},
            timeout=0.1,
            trust_env=False,
        )


def test_only_the_named_operation_fails(shop: Shop) -> None:
    """A pattern says which operations are hit."""
    shop.sim.set_faults({"kind": "unauthorized", "operation": "checks/*", "times": 9})
    assert comment(shop).status_code == 201
    place = f"/{{repo}}/commits/{shop.head}/check-runs"
    assert shop.api.send("GET", place).status_code == 401
