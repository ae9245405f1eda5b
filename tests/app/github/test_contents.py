"""A file of the default branch: read cheaply, and never mistaken for none."""

from __future__ import annotations

import base64

import pytest

from app.errors import GitHubRefused, GitHubUnavailable
from app.github.hub import GitHubHub, GitHubHubFactory
from tests.app.github.server import Reply, ScriptedServer

PATH = ".github/recloser.yml"
REPOSITORY = Reply(body={"default_branch": "trunk"}, headers={"etag": '"r"'})
SAME = Reply(status=304)


def _file(text: bytes, etag: str = '"f"') -> Reply:
    content = base64.encodebytes(text).decode()
    body = {"type": "file", "encoding": "base64", "content": content}
    return Reply(body=body, headers={"etag": etag})


def test_a_file_is_read_with_its_source(hub: GitHubHub, server: ScriptedServer) -> None:
    """Text and place are given; GitHub itself takes the default branch."""
    server.script = [REPOSITORY, _file(b"enforcement: advise\n")]
    found = hub.file_on_default_branch(PATH)
    assert found.text == "enforcement: advise\n"
    assert found.source == "o/r@trunk:.github/recloser.yml"
    assert server.sent() == [
        "GET /repos/o/r",
        "GET /repos/o/r/contents/.github/recloser.yml",
    ]


def test_an_unchanged_file_costs_nothing(
    hub: GitHubHub, factory: GitHubHubFactory, server: ScriptedServer
) -> None:
    """The second read sends the ETag and takes a 304, also through another hub."""
    server.script = [REPOSITORY, _file(b"a: 1"), SAME, SAME]
    first = hub.file_on_default_branch(PATH)
    assert factory.hub(11, "o/r").file_on_default_branch(PATH) == first
    assert server.requests[2].headers["if-none-match"] == '"r"'
    assert server.requests[3].headers["if-none-match"] == '"f"'


def test_a_changed_file_replaces_the_old_one(
    hub: GitHubHub, server: ScriptedServer
) -> None:
    """What is kept is always the last answer."""
    server.script = [REPOSITORY, _file(b"1"), SAME, _file(b"2", '"g"'), SAME, SAME]
    hub.file_on_default_branch(PATH)
    assert hub.file_on_default_branch(PATH).text == "2"
    assert hub.file_on_default_branch(PATH).text == "2"
    assert server.requests[-1].headers["if-none-match"] == '"g"'


def test_an_installation_does_not_see_what_another_read(
    hub: GitHubHub, factory: GitHubHubFactory, server: ScriptedServer
) -> None:
    """What is kept is kept for one installation alone."""
    server.script = [REPOSITORY, _file(b"1"), Reply(status=404, body={})]
    hub.file_on_default_branch(PATH)
    with pytest.raises(GitHubRefused):
        factory.hub(12, "o/r").file_on_default_branch(PATH)
    assert "if-none-match" not in server.requests[-1].headers


def test_no_file_is_no_text(hub: GitHubHub, server: ScriptedServer) -> None:
    """A 404 for the file says that there is none; the source is still named."""
    server.script = [REPOSITORY, Reply(status=404, body={"message": "Not Found"})]
    found = hub.file_on_default_branch(PATH)
    assert found.text is None
    assert found.source.endswith("@trunk:.github/recloser.yml")


@pytest.mark.parametrize("status", [500, 502, 503])
def test_an_outage_is_not_no_file(
    hub: GitHubHub, server: ScriptedServer, status: int
) -> None:
    """A 5xx is an error, and nothing of it is kept."""
    server.script = [REPOSITORY, *[Reply(status=status)] * 4, SAME, _file(b"x")]
    with pytest.raises(GitHubUnavailable):
        hub.file_on_default_branch(PATH)
    assert hub.file_on_default_branch(PATH).text == "x"
    assert "if-none-match" not in server.requests[-1].headers


@pytest.mark.parametrize(
    "body",
    [
        {"type": "symlink", "target": "/etc/passwd"},
        {"type": "submodule"},
        [{"type": "file"}],
        {"type": "file", "encoding": "none", "content": ""},
        {"type": "file", "encoding": "base64"},
    ],
)
def test_what_is_no_readable_file_is_an_error(
    hub: GitHubHub, server: ScriptedServer, body: object
) -> None:
    """A link, a directory or a file over 1 MB is not taken for an empty one."""
    server.script = [REPOSITORY, Reply(body=body)]
    with pytest.raises(GitHubRefused, match=r"o/r@trunk:"):
        hub.file_on_default_branch(PATH)


def test_bytes_that_are_no_utf8_are_kept(
    hub: GitHubHub, server: ScriptedServer
) -> None:
    """The parser gets to see them, and objects."""
    server.script = [REPOSITORY, _file(b"a: \xff")]
    assert hub.file_on_default_branch(PATH).text == "a: \udcff"


@pytest.mark.parametrize("name", ["", "o", "o/r/x", "o/r?x", "../r", "o/..", "o/ r"])
def test_a_strange_repository_name_is_refused(
    factory: GitHubHubFactory, name: str
) -> None:
    """Nothing but a name becomes a part of an address."""
    with pytest.raises(GitHubRefused, match="not a repository"):
        factory.hub(11, name)
