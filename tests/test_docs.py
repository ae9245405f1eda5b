"""The generated pages are up to date, and what they show is true."""

from __future__ import annotations

from pathlib import Path

import pytest

from app import settings_page
from app.config import schema
from app.config.model import RepositoryConfig
from app.config.parser import parse
from app.config.reference import page


def test_the_schema_in_docs_is_up_to_date() -> None:
    """Write it again with ``python -m app.config.schema --write``."""
    assert schema.SCHEMA_FILE.read_text(encoding="utf-8") == schema.schema_text()


def test_the_reference_page_is_up_to_date() -> None:
    """Write it again with ``python -m app.config.schema --write``."""
    assert schema.PAGE_FILE.read_text(encoding="utf-8") == page()


def test_the_settings_page_is_up_to_date() -> None:
    """Write it again with ``python -m app.settings_page --write``."""
    text = settings_page.PAGE_FILE.read_text(encoding="utf-8")
    assert text == settings_page.page()


def test_the_example_of_the_reference_page_says_the_defaults() -> None:
    """A person who copies the example changes nothing."""
    text = schema.PAGE_FILE.read_text(encoding="utf-8")
    example = text.split("```yaml\n")[1].split("```")[0]
    assert parse(example, source="docs").config == RepositoryConfig()


def test_the_pages_stand_beside_the_others() -> None:
    """The pages link to each other by name."""
    files = (schema.SCHEMA_FILE, schema.PAGE_FILE, settings_page.PAGE_FILE)
    docs = Path(__file__).parents[1] / "docs"
    assert {file.parent for file in files} == {docs}


def test_the_commands_print_what_they_would_write(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Without ``--write`` nothing is written; a wrong argument is an error."""
    assert schema.main([]) == 0
    assert capsys.readouterr().out == schema.schema_text()
    assert settings_page.main([]) == 0
    assert capsys.readouterr().out == settings_page.page()
    assert schema.main(["--wirte"]) == settings_page.main(["--wirte"]) == 2
