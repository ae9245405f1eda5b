"""Which agent is chosen, and what is said when there is none."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from app.agents import choose_agent, choose_scripted, make_agent, parse_agent_option
from app.config.model import AgentKind, AgentSection, RepositoryConfig
from app.errors import SettingsError

CONFIG = RepositoryConfig()
KEY = {"OPENAI_API_KEY": "k"}


def configured(**fields: Any) -> RepositoryConfig:
    return RepositoryConfig(agent=AgentSection(**fields))


def test_the_built_in_agent_is_named_after_its_model() -> None:
    """The built-in agent's name carries its model: another model, another circuit."""
    choice = choose_agent(CONFIG, KEY)
    assert choice.agent is not None
    assert choice.name == choice.agent.name == "builtin:openai:gpt-5-mini"


def test_without_a_key_there_is_no_agent_but_its_name() -> None:
    """Without a key there is no agent; the name still keys its circuit."""
    choice = choose_agent(CONFIG, {})
    assert choice.agent is None
    assert choice.name == "builtin:openai:gpt-5-mini"
    assert "set OPENAI_API_KEY" in choice.why_not


@pytest.mark.parametrize("model", ["bedrock:x", "openai:"])
def test_a_model_that_is_none_is_told(model: str) -> None:
    """An unknown provider or an empty name is told as the reason."""
    config = configured().model_copy(
        update={"agent": AgentSection().model_copy(update={"model": model})}
    )
    choice = choose_agent(config, KEY)
    assert choice.agent is None
    assert choice.why_not


def test_kinds_that_this_server_cannot_run_are_told() -> None:
    """A command or an observed bot is told as what cannot run here."""
    choice = choose_agent(configured(use=AgentKind.COMMAND), KEY)
    assert choice.agent is None
    assert "agent.use: command" in choice.why_not


def test_an_unknown_kind_is_a_clear_error() -> None:
    """An unknown kind is an error that names the known ones."""
    with pytest.raises(SettingsError, match="builtin, scripted"):
        make_agent("magic", "")


def test_the_option_of_the_command_line(tmp_path: Path) -> None:
    """The option takes none, builtin, builtin:MODEL and scripted:FILE."""
    file = tmp_path / "s.yaml"
    file.write_text("acts: [{summary: fine}]\n")
    assert parse_agent_option("none")(CONFIG).agent is None
    assert parse_agent_option("builtin")(CONFIG).name == "builtin:openai:gpt-5-mini"
    named = parse_agent_option("builtin:anthropic:claude-haiku-4-5")(CONFIG)
    assert named.name == "builtin:anthropic:claude-haiku-4-5"
    assert parse_agent_option(f"scripted:{file}")(CONFIG).name == "scripted"
    for wrong in ("", "scripted", "scripted:", "nonesuch", "none:x"):
        with pytest.raises(SettingsError, match="scripted:FILE"):
            parse_agent_option(wrong)


def test_one_scripted_agent_serves_all_repositories(tmp_path: Path) -> None:
    """The same scripted agent is given each time, so that it can count reviews."""
    file = tmp_path / "s.yaml"
    file.write_text("acts: [{summary: fine}]\n")
    chosen = choose_scripted(file)
    assert chosen(CONFIG).agent is chosen(CONFIG).agent


def test_a_missing_scenario_is_a_clear_error(tmp_path: Path) -> None:
    """A scenario that is not there is an error with its path."""
    with pytest.raises(SettingsError, match=r"none\.yaml"):
        choose_scripted(tmp_path / "none.yaml")


def test_importing_the_agents_does_not_load_what_speaks_to_models() -> None:
    """Importing the agents loads neither pydantic-ai nor a provider's client."""
    code = (
        "import sys, app.agents; heavy = {'pydantic_ai', 'openai', 'anthropic', "
        "'genai_prices'}; sys.exit(', '.join(heavy & set(sys.modules)) or 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
