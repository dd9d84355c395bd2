"""The spans of a step's decisions in the timeline of a turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta

from heartrule.domain.decision_events import (
    DecisionMade,
    DecisionRejected,
    DecisionValidated,
    revision_made,
)
from heartrule.domain.events import EventBody, SessionEvent
from heartrule.domain.timeline import TimelineKind, TimelineLink, TimelineSpan

_MOMENT = timedelta(0)


def decision_spans(events: Iterable[SessionEvent], step: str) -> Iterator[TimelineSpan]:
    """Yield one span for each decision that a step made or judged, the moment of its commit.

    Args:
        events: The events of the step's transaction.
        step: The span of the step.
    """
    told = list(events)
    bodies = [each.body for each in told]
    seen = set[str]()
    for event, body in zip(told, bodies, strict=True):
        if not isinstance(body, DecisionMade | DecisionValidated | DecisionRejected):
            continue
        if body.decision_id in seen:
            continue
        seen.add(body.decision_id)
        assert event.create_time is not None, "what is durable has a time"
        yield TimelineSpan(
            span_id=f"{step}/decision/{body.decision_id}",
            parent_span_id=step,
            kind=TimelineKind.DECISION,
            name=body.decision_type or "unknown",
            start_time=event.create_time,
            duration=_MOMENT,
            facts=_facts(body.decision_id, bodies),
            links=tuple(_links(body.decision_id, bodies)),
        )


def _facts(decision_id: str, bodies: Iterable[EventBody]) -> dict[str, str]:
    """Return what a step says of a decision; without a verdict it waits for its turn."""
    facts = {"verdict": "none"}
    for body in bodies:
        match body:
            case DecisionMade(decision_id=found, author=author) if found == decision_id:
                facts["author"] = author.value
            case DecisionValidated(decision_id=found, corrections=made) if found == decision_id:
                facts |= {"verdict": "valid", "corrections": str(len(made))}
            case DecisionRejected(decision_id=found, errors=errors) if found == decision_id:
                codes = dict.fromkeys(each.code.value for each in errors)
                facts |= {"verdict": "rejected", "codes": ", ".join(codes)}
            case _:
                pass
    return facts


def _links(decision_id: str, bodies: Iterable[EventBody]) -> Iterator[TimelineLink]:
    yield TimelineLink(relation="recorded_as", decision_id=decision_id)
    if made := revision_made(decision_id, bodies):
        yield TimelineLink(relation="made", workflow_id=made[0])
