"""What tests have judging workers do; workers import this module."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from executor_service.decisions.ground import Ground
from executor_service.decisions.judging import judged
from executor_service.decisions.policy import NO_POLICY
from tests.support.gate_ground import a_decision, a_new_node
from tests.support.worker_tasks import crash, spin


class Endless:
    """A value of a payload with which a worker is never done."""

    def __reduce__(self) -> tuple[Callable[[], object], tuple[()]]:
        """Keep busy whoever reads it."""
        return spin, ()


class Deadly:
    """A value of a payload after which no worker is left."""

    def __reduce__(self) -> tuple[Callable[[], object], tuple[()]]:
        """End whoever reads it."""
        return crash, ()


@dataclass(frozen=True)
class DeadlyOnce:
    """A value of a payload that ends the first worker, and is a text to the next."""

    path: str
    """Of a file that is there afterwards."""

    def __reduce__(self) -> tuple[Callable[[str], object], tuple[str]]:
        """End whoever reads it first."""
        return _end_once, (self.path,)


def _end_once(path: str) -> str:
    try:
        Path(path).touch(exist_ok=False)
    except FileExistsError:
        return "text"
    os._exit(1)


def imported_to_judge() -> list[str]:
    """Return the modules of a worker that has judged a query."""
    payload = a_new_node("DATABASE", query="SELECT 1")
    assert judged(a_decision(payload), Ground(), NO_POLICY).verdict.is_valid
    return sorted(sys.modules)
