"""The registry of rules: a visible tuple, in the order they run."""

from __future__ import annotations

from guardrails.rules.base import Rule
from guardrails.rules.binaries import Binaries
from guardrails.rules.commands import DestructiveCommands
from guardrails.rules.credentials import HardCodedCredentials
from guardrails.rules.dependencies import Dependencies
from guardrails.rules.file_modes import FileModes
from guardrails.rules.hidden_text import HiddenText
from guardrails.rules.instructions import Instructions
from guardrails.rules.lanes import Lanes
from guardrails.rules.mass_deletion import MassDeletion
from guardrails.rules.move import Move
from guardrails.rules.protected import ProtectedPaths
from guardrails.rules.rewrite import Rewrite
from guardrails.rules.secret_files import SecretFiles
from guardrails.rules.secrets import Secrets
from guardrails.rules.shrink import Shrink
from guardrails.rules.submodules import Submodules
from guardrails.rules.suppressions import Suppressions
from guardrails.rules.symlinks import Symlinks
from guardrails.rules.syntax import Syntax
from guardrails.rules.tests_removed import TestsRemoved
from guardrails.rules.truncation import Truncation

RULES: tuple[Rule, ...] = (
    Secrets(),
    HardCodedCredentials(),
    SecretFiles(),
    Truncation(),
    Shrink(),
    Rewrite(),
    MassDeletion(),
    Move(),
    TestsRemoved(),
    DestructiveCommands(),
    ProtectedPaths(),
    Lanes(),
    Symlinks(),
    Submodules(),
    FileModes(),
    Binaries(),
    Suppressions(),
    HiddenText(),
    Instructions(),
    Syntax(),
    Dependencies(),
)

__all__ = ["RULES", "Rule"]
