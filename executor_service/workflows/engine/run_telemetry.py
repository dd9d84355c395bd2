"""Spans and metrics of runs and threads; see docs/operations/monitoring.md for the instruments.

No text of a plan, a client or a model stands in them, a node's id neither: agents write it.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from heartrule.chassis import log_context, telemetry
from heartrule.chassis import telemetry_metrics as metrics
from heartrule.chassis.logs import describe
from heartrule.domain.events import SessionEvent
from heartrule.domain.run_events import RunChanged
from heartrule.domain.runs import ENDED_RUNS, NodeFailure, RunKind
from heartrule.domain.thread_events import ThreadChanged
from heartrule.domain.threads import ENDED_THREADS
from heartrule.domain.workflows import NodeType
from session_store.records.runs import TakenRun

LOG = logging.getLogger(__name__)
MOST_SPANS = 59
"""Of nodes and their model calls in one taking of a run, beside the run's own."""


def log_broken_off(run_id: str, error: Exception) -> None:
    """Log that a run broke off, by class and place: the error's text may hold a client's words."""
    kinds = [{"class": each["class"], "at": each["at"]} for each in describe(error)]
    LOG.error("a run broke off", extra={"run_id": run_id, "errors": kinds})


def count_ends(events: Iterable[SessionEvent]) -> None:
    """Count the runs and the threads that ended in committed events."""
    for each in events:
        body = each.body
        if isinstance(body, RunChanged) and body.state in ENDED_RUNS:
            code = body.code.value if body.code else "none"
            kind = RunKind.SUB_AGENT if body.agent else RunKind.WORKFLOW
            metrics.count("heartrule.runs", kind=kind.value, state=body.state.value, code=code)
        elif isinstance(body, ThreadChanged) and body.state in ENDED_THREADS:
            code = body.failure_code or "none"
            metrics.count("heartrule.threads", agent=body.agent, state=body.state.value, code=code)


@contextmanager
def run_span(taken: TakenRun) -> Iterator[telemetry.Span]:
    """Open the span of one taking of a run, below the turn or the call that began it."""
    lease = taken.lease
    if taken.waited is not None:
        metrics.record("heartrule.runs.wait", taken.waited.total_seconds(), kind=taken.kind.value)
    with (
        log_context.bind(session_id=lease.key.session_id, run_id=lease.run_id),
        telemetry.span(
            "run",
            session_id=lease.key.session_id,
            parent=taken.traceparent,
            attributes={"heartrule.run_id": lease.run_id, "heartrule.turn_id": taken.turn_id},
        ) as span,
        telemetry.limited(MOST_SPANS) as spans,
    ):
        try:
            yield span
        finally:
            if spans.left_out:
                span.set(spans_left_out=spans.left_out)


@dataclass(slots=True)
class AttemptMeter:
    """How an attempt of a node ended, once it has."""

    outcome: str = ""
    """Empty: it was given up, which is not counted."""

    def ended(self, failure: NodeFailure | None) -> None:
        """Note how it ended."""
        self.outcome = failure.code.value if failure else "completed"


@contextmanager
def attempt_span(node_type: NodeType, attempt: int) -> Iterator[AttemptMeter]:
    """Open the span of an attempt, and measure how long it takes."""
    kind, meter, began = node_type.value, AttemptMeter(), time.monotonic()
    with telemetry.span("node", attributes={"heartrule.node_type": kind}) as span:
        span.set(attempt=attempt)
        yield meter
        if meter.outcome not in {"", "completed"}:
            span.fail(meter.outcome)
    if meter.outcome:
        seconds = time.monotonic() - began
        metrics.record("heartrule.runs.nodes", seconds, type=kind, outcome=meter.outcome)
