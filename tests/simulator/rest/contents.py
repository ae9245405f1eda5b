"""Files, trees, blobs and refs, read from git."""

from __future__ import annotations

import base64
from typing import Any
from urllib.parse import quote

from tests.simulator.bodies import repositories
from tests.simulator.repo import GitError, TreeEntry
from tests.simulator.rest.call import ApiError, Call, Reply
from tests.simulator.state import Repository

INLINE_BYTES = 1024 * 1024
MOST_BYTES = 100 * 1024 * 1024
MOST_ENTRIES = 100_000
DIRECTORY_ENTRIES = 1000


def get_content(call: Call) -> Reply:
    """GET /repos/{owner}/{repo}/contents/{path}."""
    known = call.repository
    path = call.path["path"].strip("/")
    ref = call.query.get("ref") or known.default_branch
    sha = known.git.find(ref)
    if sha is None:
        raise ApiError(404, f"No commit found for the ref {ref}")
    if not path:
        return _directory(call, known, "", known.git.tree(sha), ref)
    found = [each for each in known.git.tree(sha, recursive=True) if each.path == path]
    if not found:
        raise ApiError(404, "Not Found")
    entry = found[0]
    if entry.type == "tree":
        return _directory(call, known, path, known.git.tree(entry.sha), ref)
    is_raw = "raw" in call.accept
    size = entry.size or 0
    if size > MOST_BYTES or (size > INLINE_BYTES and entry.type != "blob"):
        raise ApiError(403, "This API returns blobs up to 100 MB in size.")
    content = known.git.blob(entry.sha)
    if is_raw:
        return Reply(text=content.decode("utf-8", "replace"))
    if entry.mode == "120000":
        shown = _entry(call, known, entry, path, ref)
        target = content.decode("utf-8", "replace")
        return Reply(body={**shown, "type": "symlink", "target": target})
    if size > INLINE_BYTES:
        body = {"encoding": "none", "content": ""}
    else:
        body = {
            "encoding": "base64",
            "content": base64.encodebytes(content).decode(),
        }
    return Reply(body={**_entry(call, known, entry, path, ref), **body})


def get_ref(call: Call) -> Reply:
    """GET /repos/{owner}/{repo}/git/ref/{ref}."""
    known, ref = call.repository, call.path["ref"]
    try:
        sha = known.git.git("rev-parse", "--verify", "--quiet", f"refs/{ref}").strip()
    except GitError:
        raise ApiError(404, "Not Found") from None
    place = repositories.api(call.world, known)
    target = {"type": "commit", "sha": sha, "url": f"{place}/git/commits/{sha}"}
    body = {
        "ref": f"refs/{ref}",
        "node_id": f"REF_{sha}",
        "url": f"{place}/git/refs/{quote(ref)}",
        "object": target,
    }
    return Reply(body=body)


def get_tree(call: Call) -> Reply:
    """GET /repos/{owner}/{repo}/git/trees/{tree_sha}."""
    known, name = call.repository, call.path["tree_sha"]
    try:
        target = known.git.find(name) or name
        text = known.git.git("rev-parse", "--verify", "--quiet", f"{target}^{{tree}}")
    except GitError:
        raise ApiError(404, "Not Found") from None
    sha = text.strip()
    entries = known.git.tree(sha, recursive="recursive" in call.query)
    place = repositories.api(call.world, known)
    shown = []
    for each in entries[:MOST_ENTRIES]:
        kind = {"blob": "blobs", "tree": "trees", "commit": "commits"}[each.type]
        row: dict[str, Any] = {
            "path": each.path,
            "mode": each.mode,
            "type": each.type,
            "sha": each.sha,
            "url": f"{place}/git/{kind}/{each.sha}",
        }
        if each.size is not None:
            row["size"] = each.size
        shown.append(row)
    body = {
        "sha": sha,
        "url": f"{place}/git/trees/{sha}",
        "tree": shown,
        "truncated": len(entries) > MOST_ENTRIES,
    }
    return Reply(body=body)


def get_blob(call: Call) -> Reply:
    """GET /repos/{owner}/{repo}/git/blobs/{file_sha}."""
    known, sha = call.repository, call.path["file_sha"]
    if len(sha) != 40 or set(sha) - set("0123456789abcdef"):
        message = "The sha parameter must be exactly 40 characters and contain only"
        raise ApiError(422, f"{message} [0-9a-f].", [])
    try:
        content = known.git.blob(sha)
    except GitError:
        raise ApiError(404, "Not Found") from None
    if len(content) > MOST_BYTES:
        raise ApiError(403, "This API returns blobs up to 100 MB in size.")
    if "raw" in call.accept:
        return Reply(text=content.decode("utf-8", "replace"))
    body = {
        "sha": sha,
        "node_id": f"B_{sha}",
        "url": f"{repositories.api(call.world, known)}/git/blobs/{sha}",
        "size": len(content),
        "encoding": "base64",
        "content": base64.encodebytes(content).decode(),
    }
    return Reply(body=body)


def _directory(
    call: Call, known: Repository, path: str, entries: list[TreeEntry], ref: str
) -> Reply:
    kinds = {"blob": "file", "tree": "dir", "commit": "submodule"}
    shown = []
    for each in entries[:DIRECTORY_ENTRIES]:
        kind = "symlink" if each.mode == "120000" else kinds[each.type]
        place = f"{path}/{each.path}" if path else each.path
        shown.append({**_entry(call, known, each, place, ref), "type": kind})
    return Reply(body=shown)


def _entry(
    call: Call, known: Repository, entry: TreeEntry, path: str, ref: str
) -> dict[str, Any]:
    place, page = (
        repositories.api(call.world, known),
        repositories.html(call.world, known),
    )
    kind = "trees" if entry.type == "tree" else "blobs"
    url = f"{place}/contents/{quote(path)}?ref={quote(ref)}"
    git = f"{place}/git/{kind}/{entry.sha}"
    shown = f"{page}/blob/{quote(ref)}/{quote(path)}"
    download = None if entry.type == "tree" else shown.replace("/blob/", "/raw/")
    return {
        "type": "file",
        "size": entry.size or 0,
        "name": path.rsplit("/", 1)[-1],
        "path": path,
        "sha": entry.sha,
        "url": url,
        "git_url": git,
        "html_url": shown,
        "download_url": download,
        "_links": {"self": url, "git": git, "html": shown},
    }
