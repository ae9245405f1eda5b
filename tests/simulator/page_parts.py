"""The pieces of a page: everything that comes from outside is escaped.

A ``Html`` string is known to be safe; ``element`` escapes whatever is not.
"""

from __future__ import annotations

import re
from html import escape

from markdown_it import MarkdownIt

STYLE = """
:root{color-scheme:light dark;--line:#d0d7de;--soft:#f6f8fa;--text:#1f2328;
--page:#fff;--mute:#59636e;--good:#1a7f37;--bad:#cf222e;--warn:#9a6700}
@media(prefers-color-scheme:dark){:root{--line:#3d444d;--soft:#151b23;--text:#f0f6fc;
--page:#0d1117;--mute:#9198a1;--good:#3fb950;--bad:#f85149;--warn:#d29922}}
body{font:15px/1.5 system-ui,sans-serif;margin:0 auto;max-width:62rem;padding:1.5rem;
color:var(--text);background:var(--page)}
h1{font-size:1.5rem;margin:.2rem 0}h2{font-size:1.1rem;margin:1.6rem 0 .5rem}
a{color:inherit}small,.mute{color:var(--mute)}
.box{border:1px solid var(--line);border-radius:6px;margin:.6rem 0;overflow:hidden}
.box>header{background:var(--soft);padding:.5rem .8rem;
border-bottom:1px solid var(--line)}
.box>div{padding:.6rem .8rem}
pre{margin:.4rem 0;padding:.5rem;background:var(--soft);overflow:auto;font-size:13px;
white-space:pre-wrap;overflow-wrap:anywhere}
.text{overflow-wrap:anywhere}.text>:first-child{margin-top:0}
table{border-collapse:collapse}td,th{border:1px solid var(--line);padding:.2rem .5rem}
.tag{border:1px solid var(--line);border-radius:1rem;padding:.05rem .6rem;
font-size:13px;display:inline-block}
.add{color:var(--good)}.del{color:var(--bad)}
.success{color:var(--good)}.failure,.timed_out{color:var(--bad)}
.action_required,.warning,.in_progress,.queued{color:var(--warn)}
"""
_HIDDEN = re.compile(r"<!--.*?-->", re.DOTALL)
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
_SUGGESTION = re.compile(r"```suggestion[^\n]*\n(.*?)\n?```", re.DOTALL)


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


def element(tag: str, *children: str, css: str = "", href: str = "") -> Html:
    """Return one element; children that are not Html are escaped."""
    attributes = f' class="{escape(css)}"' if css else ""
    attributes += f' href="{escape(href)}"' if href else ""
    inner = "".join(x if isinstance(x, Html) else escape(x) for x in children)
    return Html(f"<{tag}{attributes}>{inner}</{tag}>")


def box(title: str, *content: str) -> Html:
    """Return a box with a head."""
    return element(
        "section", element("header", title), element("div", *content), css="box"
    )


def join(parts: list[Html], nothing: str) -> Html:
    """Return the parts one after the other, or a word when there are none."""
    return Html("".join(parts)) if parts else element("p", nothing, css="mute")


def page(title: str, *content: str) -> str:
    """Return a whole page."""
    head = Html(
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}</title><style>{STYLE}</style>"
    )
    body = element("body", *content)
    html = Html(f'<html lang="en"><head>{head}</head>{body}</html>')
    return f"<!doctype html>{html}"


def text(value: str) -> Html:
    """Return Markdown as a page shows it: raw HTML is escaped, images are not loaded.

    As on the real site, comments are not seen and ``details`` folds.
    """
    made = _MARKDOWN.render(_HIDDEN.sub("", value))
    for tag in ("details", "summary"):
        for each in (f"<{tag}>", f"</{tag}>"):
            made = made.replace(escape(each), each)
    return Html(f'<div class="text">{made}</div>') if made.strip() else Html("")


def comment(body: str, diff_hunk: str, lines: int) -> Html:
    """Return a comment on lines; a suggestion shows as the diff that it means."""
    old = [line[1:] for line in diff_hunk.split("\n")[-lines:] if line[:1] != "-"]
    parts: list[str] = [_diff(diff_hunk.split("\n")[-4:])]
    rest = 0
    for found in _SUGGESTION.finditer(body):
        parts.append(text(body[rest : found.start()]))
        new = found[1].split("\n") if found[1] else []
        rows = [f"-{line}" for line in old] + [f"+{line}" for line in new]
        parts += [element("small", "Suggested change"), _diff(rows)]
        rest = found.end()
    parts.append(text(body[rest:]))
    return Html("".join(parts))


def _diff(rows: list[str]) -> Html:
    colors = {"+": "add", "-": "del", "@": "mute"}
    shown = [element("span", f"{row}\n", css=colors.get(row[:1], "")) for row in rows]
    return element("pre", *shown)
