"""Which of bandit's tests we run, and how much we believe them. Pure tables.

bandit flags nearly every call that is shaped like an injection, safe or not, so
only its surest findings may block. ruff's ``S`` rules share the numbers.
"""

from __future__ import annotations

from guardrails.model import Confidence, Severity

# Test number -> why it is off.
EXCLUDED = {
    "101": "assert: two thirds of all findings in clean code, no weakness by itself",
    "105": "passwords are the secrets rule's work, which knows values from names",
    "106": "as 105",
    "107": "as 105",
    "110": "try/except/pass is style here, not security",
    "112": "as 110",
    "311": "flags every use of random; our own rule asks what the value is for",
    "401": "an import is no use; the calls are flagged by 312",
    "402": "an import is no use; the calls are flagged by 321",
    "403": "an import is no use; the calls are flagged by 301",
    "404": "an import is no use; the calls are flagged by 602 and 605",
    "405": "an import is no use; the calls are flagged by 313 to 319",
    "406": "as 405",
    "407": "as 405",
    "408": "as 405",
    "409": "as 405",
    "411": "an import is no use",
    "412": "an import is no use",
    "413": "an import is no use; the calls are flagged by 304",
    "415": "an import is no use",
    "603": "a list of arguments without a shell is the safe way",
    "606": "as 603",
    "607": "a program found by PATH is normal in applications",
}

# Test number -> the most it may weigh, where "high" would block honest code.
CAPS = {
    "321": Severity.MEDIUM,  # ftplib: old, seldom a hole in the change itself
    "324": Severity.MEDIUM,  # md5 and sha1 often make cache keys
    "701": Severity.MEDIUM,  # no autoescape is right for templates of plain text
}

_SEVERITIES = {"LOW": Severity.LOW, "MEDIUM": Severity.MEDIUM, "HIGH": Severity.HIGH}
_CONFIDENCES = {
    "LOW": Confidence.LOW,
    "MEDIUM": Confidence.MEDIUM,
    "HIGH": Confidence.HIGH,
}


def weigh(test: str, severity: str, confidence: str) -> tuple[Severity, Confidence]:
    """Return our severity and confidence for what bandit said of ``test``."""
    sure = _CONFIDENCES.get(confidence, Confidence.LOW)
    weight = _SEVERITIES.get(severity, Severity.LOW)
    if sure is Confidence.LOW:
        weight = min(weight, Severity.MEDIUM)
    return min(weight, CAPS.get(test.lstrip("BS"), weight)), sure
