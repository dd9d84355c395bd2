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
    by_decision: dict[str, list[SessionEvent]] = {}
    for event in told:
        if isinstance(event.body, DecisionMade | DecisionValidated | DecisionRejected):
            by_decision.setdefault(event.body.decision_id, []).append(event)
    for decision_id, own in by_decision.items():
        create_time = own[0].create_time
        assert create_time is not None, "what is durable has a time"
        links = [TimelineLink(relation="recorded_as", decision_id=decision_id)]
        if made := revision_made(decision_id, (each.body for each in told)):
            links.append(TimelineLink(relation="made", workflow_id=made[0]))
        name, facts = _said(each.body for each in own)
        yield TimelineSpan(
            span_id=f"{step}/decision/{decision_id}",
            parent_span_id=step,
            kind=TimelineKind.DECISION,
            name=name or "unknown",
            start_time=create_time,
            duration=_MOMENT,
            facts=facts,
            links=tuple(links),
        )


def _said(bodies: Iterable[EventBody]) -> tuple[str, dict[str, str]]:
    """Return the type and the facts of a decision; without a verdict it waits for its turn."""
    kind: str | None = None
    facts = {"verdict": "none"}
    for body in bodies:
        match body:
            case DecisionMade(decision_type=kind, author=author):
                facts["author"] = author.value
            case DecisionValidated(decision_type=kind, corrections=made):
                facts |= {"verdict": "valid", "corrections": str(len(made))}
            case DecisionRejected(decision_type=kind, errors=errors):
                codes = dict.fromkeys(each.code.value for each in errors)
                facts |= {"verdict": "rejected", "codes": ", ".join(codes)}
            case _:
                pass
    return kind or "", facts
