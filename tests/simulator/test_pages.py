"""A person can read the pull request, and nothing on the page is trusted."""

from __future__ import annotations

import httpx

from tests.simulator.builders import NAME, OWNER, Shop

EVIL = "<script>alert(1)</script>"
LINK = "[x](javascript:alert(1)) ![y](http://127.0.0.1:9/z.png) <b onclick='x'>"


def page(shop: Shop, path: str) -> httpx.Response:
    """Return a page as a browser sees it."""
    return httpx.get(shop.github.base_url + path, trust_env=False)


def test_a_pull_shows_what_the_app_wrote(shop: Shop) -> None:
    """Check, annotation, label, review with its suggestion as a diff, comment."""
    output = {
        "title": "One finding",
        "summary": "The summary",
        "annotations": [
            {
                "path": "shop/cart.py",
                "start_line": 10,
                "end_line": 10,
                "annotation_level": "failure",
                "message": "the message",
            }
        ],
    }
    run = {
        "name": "Recloser",
        "head_sha": shop.head,
        "conclusion": "failure",
        "output": output,
    }
    shop.api.post("/{repo}/check-runs", run)
    shop.api.post("/{repo}/issues/1/labels", {"labels": ["needs-human-review"]})
    line = {
        "path": "shop/cart.py",
        "line": 10,
        "body": "Better:\n```suggestion\nline_10 = 12\n```",
    }
    body = {"event": "COMMENT", "body": "The review", "comments": [line]}
    shop.api.post("/{repo}/pulls/1/reviews", body)
    shop.api.post("/{repo}/issues/1/comments", {"body": "The comment"})
    text = page(shop, f"/{OWNER}/{NAME}/pull/1").text
    for wanted in (
        "Change the cart #1", "One finding", "The summary", "shop/cart.py:10",
        "the message", "needs-human-review", "The review", "Suggested change",
        '<span class="del">-line_10 = 11', '<span class="add">+line_10 = 12',
        "The comment",
    ):  # fmt: skip
        assert wanted in text, wanted


def test_everything_is_escaped(shop: Shop) -> None:
    """Titles, bodies, paths, labels and suggestions cannot bring markup."""
    number = shop.sim.open_pull(
        OWNER, NAME, "evil", {f"{EVIL}.py": f"{EVIL}\n"}, EVIL, EVIL, "eve"
    )
    head = shop.sim.pull_state(OWNER, NAME, number).head_sha
    output = {"title": EVIL, "summary": EVIL, "text": EVIL}
    run = {"name": EVIL, "head_sha": head, "output": output}
    shop.api.post("/{repo}/check-runs", run)
    shop.api.post(f"/{{repo}}/issues/{number}/labels", {"labels": [EVIL]})
    suggestion = f"{EVIL}\n```suggestion\n{EVIL}\n```"
    line = {"path": f"{EVIL}.py", "line": 1, "body": suggestion}
    body = {"event": "COMMENT", "body": EVIL, "comments": [line]}
    answer = shop.api.post(f"/{{repo}}/pulls/{number}/reviews", body)
    assert answer.status_code == 200
    shop.sim.add_comment(OWNER, NAME, number, f"{EVIL}\n\n{LINK}", by=EVIL)
    for path in (f"/{OWNER}/{NAME}/pull/{number}", f"/{OWNER}/{NAME}"):
        shown = page(shop, path)
        assert shown.status_code == 200
        assert "<script" not in shown.text
        assert "&lt;script&gt;" in shown.text
        for tag in ('href="javascript:', "<img", "<b onclick"):
            assert tag not in shown.text


def test_markdown_reads_as_on_the_real_site(shop: Shop) -> None:
    """Tables and folds are drawn, hidden markers are not seen."""
    body = "<!-- marker -->\n| a | b |\n|---|---|\n| 1 | 2 |\n\n<details>\n\nmore"
    shop.sim.add_comment(OWNER, NAME, shop.number, body)
    text = page(shop, f"/{OWNER}/{NAME}/pull/1").text
    assert "<td>1</td>" in text
    assert "<details>" in text
    assert "marker" not in text


def test_pages_lead_to_each_other(shop: Shop) -> None:
    """From the first page to the repository, the pull request, and its checks."""
    assert f'href="/{OWNER}/{NAME}"' in page(shop, "/").text
    assert f'href="/{OWNER}/{NAME}/pull/1"' in page(shop, f"/{OWNER}/{NAME}").text
    run = {"name": "Recloser", "head_sha": shop.head}
    made = shop.api.post("/{repo}/check-runs", run).json()
    place = made["html_url"].removeprefix(shop.github.base_url)
    assert page(shop, place).headers["location"] == f"/{OWNER}/{NAME}/pull/1"


def test_what_is_not_there_is_not_found(shop: Shop) -> None:
    """An unknown repository or pull request is 404, in words."""
    for path in ("/no/where", f"/{OWNER}/{NAME}/pull/99"):
        assert page(shop, path).status_code == 404
