"""What a turn showed of an agent's decisions: each verdict, and each workflow that changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from heartrule.domain.decision_events import (
    DecisionMade,
    DecisionRejected,
    DecisionValidated,
    WorkflowChanged,
)
from heartrule.domain.events import SessionEvent


def seen_of_decisions(stream: Sequence[SessionEvent]) -> dict[str, object]:
    """Return verdicts and changed workflows, in their order."""
    changed = [event.body for event in stream if isinstance(event.body, WorkflowChanged)]
    return {
        "decisions": [*_verdicts(stream)],
        "workflows": [
            {"name": each.name, "revision": each.revision, "status": each.status}
            for each in changed
        ],
    }


def _verdicts(stream: Sequence[SessionEvent]) -> Iterator[dict[str, object]]:
    made = {
        event.body.decision_id: event.body
        for event in stream
        if isinstance(event.body, DecisionMade)
    }
    for body in (event.body for event in stream):
        if isinstance(body, DecisionValidated):
            corrected = [each.path for each in body.corrections]
            yield {"type": body.decision_type, "valid": True, "corrected": corrected}
        elif isinstance(body, DecisionRejected):
            written = made[body.decision_id].written_type if body.decision_id in made else ""
            yield {
                "type": body.decision_type or written,
                "valid": False,
                "codes": [each.code for each in body.errors],
                "paths": [each.path for each in body.errors],
            }
