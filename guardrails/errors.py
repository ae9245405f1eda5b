"""Errors of guardrails.

GuardrailError
└── ScannerError    a scanner could not do its work; the engine makes it a Gap
"""

from __future__ import annotations


class GuardrailError(Exception):
    """The root of everything that guardrails raise."""


class ScannerError(GuardrailError):
    """A scanner could not do its work; its message becomes the reason of a Gap."""
