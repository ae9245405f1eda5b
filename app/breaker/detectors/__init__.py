"""The detectors of the fuse, in the order they are asked.

The allow-list comes first: nothing else is asked about a tool that may not run.
"""

from __future__ import annotations

from app.breaker.detectors.allow_list import AllowList
from app.breaker.detectors.bailout import Bailout
from app.breaker.detectors.budget import Budget
from app.breaker.detectors.deadline import Deadline
from app.breaker.detectors.structural_loop import StructuralLoop
from app.breaker.fuse import Detector

DETECTORS: tuple[Detector, ...] = (
    AllowList(),
    Deadline(),
    Budget(),
    StructuralLoop(),
    Bailout(),
)

__all__ = [
    "DETECTORS",
    "AllowList",
    "Bailout",
    "Budget",
    "Deadline",
    "StructuralLoop",
]
