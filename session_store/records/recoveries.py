"""What is decided about a node that failed."""

from __future__ import annotations

from dataclasses import dataclass

from session_store.records.decisions import DecisionChange
from session_store.records.runs import EndedNode, RunEffect


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeRecovery:
    """What is decided about a node whose retries are spent, by the worker that has the run."""

    failed: EndedNode | None = None
    """The attempt that failed; None: it was written before."""
    decisions: tuple[DecisionChange, ...] = ()
    effect: RunEffect | None = None
    """None: nothing takes effect, and the run waits for a decision."""
