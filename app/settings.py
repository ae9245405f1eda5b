"""The operator's settings, from environment variables that start with RECLOSER_.

They are read once, from a mapping that the caller hands in, and never change.
Everything wrong with them is told at once, by variable and with what to do, and no
message repeats a value: it could be a secret.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from app.errors import SettingsError
from app.private_key import read_private_key

PREFIX = "RECLOSER_"
DATA_DIR = Path(".recloser")
LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


class Role(StrEnum):
    """What this process does."""

    ALL = "all"
    WEB = "web"
    WORKER = "worker"


class Settings(BaseSettings):
    """How this installation of Recloser runs."""

    model_config = SettingsConfigDict(
        frozen=True,
        extra="forbid",
        env_prefix=PREFIX,
        env_ignore_empty=True,
        hide_input_in_errors=True,
        use_attribute_docstrings=True,
    )

    app_id: Annotated[int, Field(ge=0)] = 0
    """The number of the GitHub App. Needed by all roles but `web`."""
    private_key: SecretStr = SecretStr("")
    """The private key of the GitHub App: the PEM text, the path of the PEM file, or
    base64 of the text. Others must not be able to read the file (`chmod 600`).
    Needed by all roles but `web`."""
    webhook_secrets: Annotated[tuple[SecretStr, ...], NoDecode] = ()
    """The webhook secret of the GitHub App; two, separated by a comma, while it is
    being changed. Needed by all roles but `worker`."""
    github_url: str = "https://api.github.com"
    """The REST API: `https://HOST/api/v3` for GitHub Enterprise Server. Plain `http`
    is allowed for this machine only."""
    data_dir: Path = DATA_DIR
    """The folder for SQLite files."""
    database_url: str = Field(default="", repr=False)
    """`sqlite:///PATH` or, for several machines, `postgresql+psycopg://...`; by
    default a SQLite file in the data folder."""
    executor_id: Annotated[str, Field(pattern=r"^[A-Za-z0-9._-]{1,64}$")] = "local"
    """The name of this process among those that share a database. It keeps its
    reviews over a restart, so it has to stay the same and belong to one process."""
    role: Role = Role.ALL
    """`all`, `web` (receives webhooks only) or `worker` (reviews only)."""
    host: Annotated[str, Field(min_length=1)] = "127.0.0.1"
    """The address to bind."""
    port: Annotated[int, Field(ge=0, le=65_535)] = 8000
    """The port to bind; `0` takes a free one."""
    max_body_bytes: Annotated[int, Field(ge=1_024, le=26_214_400)] = 26_214_400
    """The largest webhook that is read, in bytes. GitHub sends at most 25 MB."""
    log_format: Literal["json", "console"] = "json"
    """`json` for machines, `console` for people."""
    scenario: Path | None = None
    """A file of scripted agent answers, in place of an agent: for tests and demos."""

    @classmethod
    def load(cls, environ: Mapping[str, str]) -> Settings:
        """Return the settings that ``environ`` holds.

        Raises:
            SettingsError: with everything that is wrong with them.
        """
        faults = list(_unknown(environ))
        source = EnvSettingsSource(cls)
        # Lower case is what the source looks for; the process's own environment,
        # which it has read, is not asked.
        source.env_vars = {
            name.lower(): value
            for name, value in environ.items()
            if name.startswith(PREFIX) and value.strip()
        }
        values = source()
        try:
            settings = cls(**values)
        except ValidationError as refusal:
            errors = refusal.errors()
            faults += [_fault(error) for error in errors]
            if all(error["loc"] for error in errors):  # not complete, so not checked
                faults += _missing(values)
        else:
            if not faults:
                return settings
        raise SettingsError("\n".join(["the settings are wrong:", *faults]))

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Take values from ``load`` alone: no hidden environment, no .env file."""
        return (init_settings,)

    @field_validator("private_key", mode="before")
    @classmethod
    def _read_key(cls, value: object) -> object:
        return read_private_key(value) if isinstance(value, str) and value else value

    @field_validator("webhook_secrets", mode="before")
    @classmethod
    def _split_secrets(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        secrets = [each.strip() for each in value.split(",")]
        if not all(secrets):
            raise ValueError("one of the secrets is empty; remove the extra comma")
        if len(secrets) > 2:
            raise ValueError("more than two secrets; keep the old one and the new one")
        return tuple(secrets)

    @field_validator("github_url")
    @classmethod
    def _check_github_url(cls, value: str) -> str:
        not_one = ValueError("not a URL such as https://api.github.com")
        try:
            parts = urlsplit(value)
            host, _ = parts.hostname, parts.port
        except ValueError:
            raise not_one from None
        has_more = parts.query or parts.fragment or "@" in parts.netloc
        if not host or has_more or " " in value:
            raise not_one
        if parts.scheme != "https" and not (
            parts.scheme == "http" and host in LOOPBACK
        ):
            raise ValueError("use https: tokens travel over it")
        return value.rstrip("/")

    @field_validator("database_url")
    @classmethod
    def _check_database_url(cls, value: str) -> str:
        if value.startswith(("postgres://", "postgresql://")):
            raise ValueError("name the driver: postgresql+psycopg://...")
        if not value.startswith(("sqlite:///", "postgresql+psycopg://")):
            raise ValueError("use sqlite:///PATH or postgresql+psycopg://...")
        if value.startswith("sqlite:///") and value[10:] in ("", ":memory:"):
            raise ValueError("name a file: reviews have to outlive the process")
        return value

    @model_validator(mode="before")
    @classmethod
    def _default_database(cls, values: Any) -> Any:
        if isinstance(values, dict) and not values.get("database_url"):
            folder = Path(values.get("data_dir") or DATA_DIR)
            return {**values, "database_url": f"sqlite:///{folder}/recloser.db"}
        return values

    @model_validator(mode="after")
    def _check_role(self) -> Self:
        missing = list(_missing(self.model_dump(exclude_defaults=True)))
        if missing:
            raise ValueError("\n".join(missing))
        return self

    @property
    def webhook_secret_bytes(self) -> tuple[bytes, ...]:
        """Return the webhook secrets as the signature needs them."""
        secrets = (each.get_secret_value() for each in self.webhook_secrets)
        return tuple(each.encode() for each in secrets)

    @property
    def git_url(self) -> str:
        """Return where git finds the repositories that the API tells about."""
        parts = urlsplit(self.github_url)
        # GitHub Enterprise Server has the API in a folder, the others on a host.
        host = parts.netloc if parts.path else parts.netloc.removeprefix("api.")
        return f"{parts.scheme}://{host}"

    @property
    def inbox_url(self) -> str:
        """Return the database of the webhooks that came in."""
        return self._beside("inbox")

    @property
    def engine_url(self) -> str:
        """Return the database of the durable workflows."""
        return self._beside("engine")

    def _beside(self, name: str) -> str:
        # SQLite has one writer a file: each part gets its own beside the first.
        if not self.database_url.startswith("sqlite:///"):
            return self.database_url
        path = Path(self.database_url.removeprefix("sqlite:///"))
        return f"sqlite:///{path.with_name(f'{path.stem}-{name}{path.suffix}')}"


def _unknown(environ: Mapping[str, str]) -> Iterator[str]:
    known = [PREFIX + name.upper() for name in Settings.model_fields]
    for name in sorted(environ):
        if name.startswith(PREFIX) and name not in known:
            nearest = get_close_matches(name, known, n=1)
            hint = f"did you mean {nearest[0]}?" if nearest else "remove it"
            yield f"- {name}: unknown; {hint}"


def _missing(values: Mapping[str, object]) -> Iterator[str]:
    """Yield what the role needs and ``values`` do not have."""
    for name, (idle, remedy) in _NEEDED.items():
        if values.get("role", Role.ALL) != idle and not values.get(name):
            yield f"- {PREFIX}{name.upper()}: not set; {remedy}"


#: What only one role can do without, and where to get it.
_NEEDED: Mapping[str, tuple[Role, str]] = {
    "app_id": (Role.WEB, "it is on the settings page of the GitHub App"),
    "private_key": (
        Role.WEB,
        "make one on the settings page of the GitHub App, and give the path of the "
        "file",
    ),
    "webhook_secrets": (
        Role.WORKER,
        "without it anybody could send webhooks. Give the secret that the GitHub App "
        "has (make one: openssl rand -hex 32)",
    ),
}


def _fault(error: Any) -> str:
    words = error["msg"].removeprefix("Value error, ")
    if not error["loc"]:
        return str(words)
    return f"- {PREFIX}{str(error['loc'][0]).upper()}: {words}"
