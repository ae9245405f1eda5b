"""The operator's settings: read from a mapping, refused with all reasons at once."""

from __future__ import annotations

import base64
import os
from pathlib import Path

import pytest
from pydantic import ValidationError

from app.errors import SettingsError
from app.settings import Role, Settings

KIND = "RSA PRIVATE" + " KEY-----\n"
PEM = f"-----BEGIN {KIND}{'QUJD' * 20}\n-----END {KIND}"
SECRET = "s3cret-" * 4
ENOUGH = {
    "RECLOSER_APP_ID": "12345",
    "RECLOSER_PRIVATE_KEY": PEM,
    "RECLOSER_WEBHOOK_SECRETS": SECRET,
}


def load(**changes: str | None) -> Settings:
    environ = {**ENOUGH, **{f"RECLOSER_{k.upper()}": v for k, v in changes.items()}}
    return Settings.load({k: v for k, v in environ.items() if v is not None})


def refusal(**changes: str | None) -> str:
    with pytest.raises(SettingsError) as caught:
        load(**changes)
    return str(caught.value)


def test_three_settings_are_enough() -> None:
    """App, key and secret: all others have defaults that run on one machine."""
    settings = load()
    assert settings.app_id == 12345
    assert settings.private_key.get_secret_value() == PEM
    assert settings.webhook_secret_bytes == (SECRET.encode(),)
    assert settings.role is Role.ALL
    assert (settings.host, settings.port) == ("127.0.0.1", 8000)
    assert settings.database_url == "sqlite:///.recloser/recloser.db"
    assert settings.max_body_bytes == 25 * 1024 * 1024
    assert settings.scenario is None


def test_the_environment_of_the_process_is_not_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Only the mapping that is handed in counts."""
    monkeypatch.setenv("RECLOSER_PORT", "9999")
    assert load().port == 8000


def test_other_variables_are_left_alone() -> None:
    """The keys of the model providers are no business of the settings."""
    environ = {**ENOUGH, "OPENAI_API_KEY": "x", "PORT": "1", "HOME": "/root"}
    assert Settings.load(environ) == load()


def test_an_empty_variable_is_not_set() -> None:
    """Compose files hand in empty variables; they mean the default."""
    assert load(port="", database_url=" ") == load()


def test_settings_do_not_change() -> None:
    """They are read once."""
    settings = load()
    with pytest.raises(ValidationError):
        settings.port = 1  # type: ignore[misc]  # that is the point


def test_all_faults_are_told_at_once() -> None:
    """One look names every variable that is wrong, unknown or missing."""
    told = refusal(
        app_id=None, port="http", log_format="xml", webhook_secret="x", role="boss"
    )
    lines = told.splitlines()
    assert lines[0] == "the settings are wrong:"
    named = {line.split(":")[0].removeprefix("- RECLOSER_") for line in lines[1:]}
    assert named == {"APP_ID", "PORT", "LOG_FORMAT", "WEBHOOK_SECRET", "ROLE"}


def test_an_unknown_variable_is_named_with_the_nearest() -> None:
    """A misspelt setting is not silently the default."""
    told = refusal(webhook_secret=SECRET)
    assert (
        "RECLOSER_WEBHOOK_SECRET: unknown; did you mean RECLOSER_WEBHOOK_SECRETS?"
        in told
    )


@pytest.mark.parametrize(
    "name", ["private_key", "webhook_secrets", "database_url", "github_url"]
)
def test_no_message_repeats_a_value(name: str) -> None:
    """What was given may be a secret."""
    assert "hunter2" not in refusal(**{name: "hunter2,,hunter2"})


def test_secrets_are_not_shown() -> None:
    """Neither key, secrets nor the password of the database are in the repr."""
    settings = load(database_url="postgresql+psycopg://u:hunter2@db/recloser")
    shown = repr(settings)
    assert SECRET not in shown
    assert "QUJD" not in shown
    assert "hunter2" not in shown


@pytest.mark.parametrize(
    ("role", "needed"),
    [
        ("all", {"APP_ID", "PRIVATE_KEY", "WEBHOOK_SECRETS"}),
        ("web", {"WEBHOOK_SECRETS"}),
        ("worker", {"APP_ID", "PRIVATE_KEY"}),
    ],
)
def test_each_role_needs_only_what_it_uses(role: str, needed: set[str]) -> None:
    """The process that faces the internet can do without the key."""
    with pytest.raises(SettingsError) as caught:
        Settings.load({"RECLOSER_ROLE": role})
    missing = str(caught.value).splitlines()[1:]
    assert {
        line.split(":")[0].removeprefix("- RECLOSER_") for line in missing
    } == needed
    assert all(": not set; " in line for line in missing)
    enough = {name: ENOUGH[name] for name in (f"RECLOSER_{each}" for each in needed)}
    assert Settings.load({"RECLOSER_ROLE": role, **enough}).role == role


def test_two_secrets_serve_while_one_is_changed() -> None:
    """A comma separates the old and the new secret."""
    assert load(webhook_secrets="old, new").webhook_secret_bytes == (b"old", b"new")


@pytest.mark.parametrize("secrets", ["a,", ",a", ",", "a,,b", "a,b,c"])
def test_no_empty_and_no_third_secret(secrets: str) -> None:
    """An empty secret would let anybody sign."""
    assert "RECLOSER_WEBHOOK_SECRETS" in refusal(webhook_secrets=secrets)


def test_the_key_may_be_a_file(tmp_path: Path) -> None:
    """The path of the downloaded file is enough."""
    file = tmp_path / "app.pem"
    file.write_text(PEM)
    file.chmod(0o600)
    assert load(private_key=str(file)).private_key.get_secret_value() == PEM


def test_a_key_file_that_everybody_can_read_is_refused(tmp_path: Path) -> None:
    """Whoever can read the key is the app."""
    file = tmp_path / "app.pem"
    file.write_text(PEM)
    file.chmod(0o604)
    told = refusal(private_key=str(file))
    assert "everybody can read that file; run chmod 600 on it" in told


@pytest.mark.skipif(os.geteuid() == 0, reason="root can read every file")
def test_a_key_file_that_this_user_cannot_read_is_told(tmp_path: Path) -> None:
    """The message is about the permission, not about the format."""
    file = tmp_path / "app.pem"
    file.write_text(PEM)
    file.chmod(0o000)
    assert "cannot be read by this user" in refusal(private_key=str(file))


@pytest.mark.parametrize(
    "given",
    [
        PEM.replace("\n", "\\n"),
        PEM.replace("\n", "\r\n"),
        base64.b64encode(PEM.encode()).decode(),
        base64.encodebytes(PEM.encode()).decode(),
        f"  {PEM}\n",
    ],
)
def test_the_key_survives_how_variables_carry_it(given: str) -> None:
    """Escaped line ends, CRLF and base64 give the same PEM text."""
    assert load(private_key=given).private_key.get_secret_value() == PEM


@pytest.mark.parametrize(
    "given",
    [
        "no-such-file.pem",
        base64.b64encode(b"not a key").decode(),
        PEM.replace("PRIVATE", "PUBLIC"),
        PEM.splitlines()[0],
        "/dev/null",
        "/",
        "~nobody-at-all/key",
    ],
)
def test_what_is_no_key_is_refused(given: str) -> None:
    """The app does not start with a key that cannot sign."""
    assert "neither a PEM private key nor the path of one" in refusal(private_key=given)


@pytest.mark.parametrize(
    ("api", "git"),
    [
        ("https://api.github.com", "https://github.com"),
        ("https://api.octocorp.ghe.com/", "https://octocorp.ghe.com"),
        ("https://ghe.example.org/api/v3", "https://ghe.example.org"),
        ("https://api.example.org/api/v3/", "https://api.example.org"),
        ("http://127.0.0.1:8123", "http://127.0.0.1:8123"),
    ],
)
def test_the_host_of_git_follows_from_the_api(api: str, git: str) -> None:
    """One setting names both."""
    settings = load(github_url=api)
    assert settings.github_url == api.rstrip("/")
    assert settings.git_url == git


@pytest.mark.parametrize(
    "url",
    [
        "http://github.example.org",
        "ftp://api.github.com",
        "api.github.com",
        "https://",
        "https://u:p@api.github.com",
        "https://api.github.com?x=1",
        "https://[::1",
        "https://api.github.com:port",
    ],
)
def test_a_url_that_would_leak_or_fail_is_refused(url: str) -> None:
    """Tokens travel to this address: https, and nothing but a host and a path."""
    assert "RECLOSER_GITHUB_URL" in refusal(github_url=url)


def test_each_part_has_its_own_sqlite_file() -> None:
    """SQLite has one writer a file."""
    settings = load(data_dir="/var/lib/recloser")
    assert settings.database_url == "sqlite:////var/lib/recloser/recloser.db"
    assert settings.inbox_url == "sqlite:////var/lib/recloser/recloser-inbox.db"
    assert settings.engine_url == "sqlite:////var/lib/recloser/recloser-engine.db"


def test_the_parts_share_one_postgresql() -> None:
    """One server holds all tables."""
    url = "postgresql+psycopg://recloser@db/recloser"
    settings = load(database_url=url)
    assert {settings.database_url, settings.inbox_url, settings.engine_url} == {url}


@pytest.mark.parametrize(
    "url",
    [
        "postgres://db/recloser",
        "postgresql://db/recloser",
        "mysql://db/recloser",
        "sqlite://",
        "sqlite:///",
        "sqlite:///:memory:",
        "recloser.db",
    ],
)
def test_a_database_that_cannot_keep_reviews_is_refused(url: str) -> None:
    """The message says which URL to write."""
    told = refusal(database_url=url)
    assert "RECLOSER_DATABASE_URL" in told


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("port", "65536"),
        ("port", "-1"),
        ("app_id", "-1"),
        ("app_id", "0"),
        ("app_id", "my-app"),
        ("executor_id", "a b"),
        ("executor_id", "x" * 65),
        ("max_body_bytes", "26214401"),
        ("log_format", "JSON"),
    ],
)
def test_a_value_out_of_bounds_is_refused(name: str, value: str) -> None:
    """Bounds are told by variable."""
    assert f"- RECLOSER_{name.upper()}: " in refusal(**{name: value})


def test_a_scenario_takes_the_place_of_the_agent() -> None:
    """The scripted agent is named by its file."""
    assert load(scenario="demo.yaml").scenario == Path("demo.yaml")
