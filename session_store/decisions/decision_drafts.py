"""Events of decisions, and what their rows leave out: payloads, which `decisions` holds; pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from heartrule.domain.decision_events import (
    judged_event,
    made_event,
    workflow_event,
)
from session_store.event_drafts import EmittingAttempt, EventDraft
from session_store.records.decisions import DecisionChange, NewRevision


def decision_drafts(
    changes: Sequence[DecisionChange],
    revisions: Sequence[NewRevision],
    emitted_by: EmittingAttempt,
) -> Iterator[EventDraft]:
    """Yield change after change: made, judged, the revisions it made; others' at the end.

    A revision is told behind the verdict: what is made at once is made before the first of them.
    """
    told = set()
    for change in changes:
        decision = change.decision
        if change.is_made:
            yield EventDraft(made_event(decision, change.action_instance_id), emitted_by)
        if change.verdict is not None:
            yield EventDraft(judged_event(decision, change.verdict), emitted_by)
            told.add(decision.decision_id)
            yield from _revised(revisions, {decision.decision_id}, emitted_by)
    others = {each.decision_id for each in revisions} - told
    yield from _revised(revisions, others, emitted_by)


def _revised(
    revisions: Iterable[NewRevision], decision_ids: set[str], emitted_by: EmittingAttempt
) -> Iterator[EventDraft]:
    for each in revisions:
        if each.decision_id in decision_ids:
            yield EventDraft(workflow_event(each.workflow, each.decision_id), emitted_by)
