"""The breaker: when an agent may act, when it may not, and how it comes back.

Pure: values in, values out; clock, jitter and storage belong to others.
"""

from __future__ import annotations

from app.breaker.actions import (
    Action,
    Delegation,
    ModelCall,
    Objection,
    Permit,
    Proposal,
    Publication,
    Refusal,
    Ruling,
    Settlement,
    ToolCall,
)
from app.breaker.amend import amend
from app.breaker.circuit import (
    Admission,
    Circuit,
    Outcome,
    State,
    Step,
    Transition,
)
from app.breaker.detectors import DETECTORS
from app.breaker.fuse import Detector, Fuse, Limits, Question
from app.breaker.ground import Ground
from app.breaker.history import History
from app.breaker.machine import admit, force, record
from app.breaker.rules import CircuitRules, TripMode

__all__ = [
    "DETECTORS",
    "Action",
    "Admission",
    "Circuit",
    "CircuitRules",
    "Delegation",
    "Detector",
    "Fuse",
    "Ground",
    "History",
    "Limits",
    "ModelCall",
    "Objection",
    "Outcome",
    "Permit",
    "Proposal",
    "Publication",
    "Question",
    "Refusal",
    "Ruling",
    "Settlement",
    "State",
    "Step",
    "ToolCall",
    "Transition",
    "TripMode",
    "admit",
    "amend",
    "force",
    "record",
]
