"""Events of decisions, and what their rows leave out: payloads, which `decisions` holds; pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from heartrule.domain.decision_events import (
    judged_event,
    made_event,
    workflow_event,
)
from session_store.event_drafts import EmittingAttempt, EventDraft
from session_store.records.decisions import DecisionChange, NewRevision, as_made


def decision_drafts(
    changes: Sequence[DecisionChange],
    revisions: Sequence[NewRevision],
    emitted_by: EmittingAttempt,
) -> Iterator[EventDraft]:
    """Yield what is made, then verdict after verdict, each with the revisions that it led to.

    What is made at once is made before the first verdict. Revisions of others come at the end.
    """
    for change in as_made(changes):
        yield EventDraft(made_event(change.decision, change.action_instance_id), emitted_by)
    judged = set()
    for change in changes:
        if change.verdict is not None:
            decision = change.decision
            yield EventDraft(judged_event(decision, change.verdict), emitted_by)
            judged.add(decision.decision_id)
            yield from _revised(revisions, {decision.decision_id}, emitted_by)
    others = {each.decision_id for each in revisions} - judged
    yield from _revised(revisions, others, emitted_by)


def _revised(
    revisions: Iterable[NewRevision], decision_ids: set[str], emitted_by: EmittingAttempt
) -> Iterator[EventDraft]:
    for each in revisions:
        if each.decision_id in decision_ids:
            yield EventDraft(workflow_event(each.workflow, each.decision_id), emitted_by)
