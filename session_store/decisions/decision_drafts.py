"""Events of decisions, and what their rows leave out: payloads, which `decisions` holds; pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from heartrule.domain.decision_events import (
    judged_event,
    made_event,
    workflow_event,
)
from session_store.event_drafts import EmittingAttempt, EventDraft
from session_store.records.decisions import DecisionChange, NewRevision, as_made
from session_store.records.runs import NewRun
from session_store.runs.run_drafts import queued_drafts


def decision_drafts(
    changes: Sequence[DecisionChange],
    revisions: Sequence[NewRevision],
    emitted_by: EmittingAttempt,
    runs: Sequence[NewRun] = (),
) -> Iterator[EventDraft]:
    """Yield what is made, then verdict after verdict, each with the revisions and runs of it.

    What is made at once is made before the first verdict. Those of others come at the end.
    """
    for change in as_made(changes):
        yield EventDraft(made_event(change.decision, change.action_instance_id), emitted_by)
    led_to = _LedTo(revisions, runs, emitted_by)
    judged = set()
    for change in changes:
        if change.verdict is not None:
            decision = change.decision
            yield EventDraft(judged_event(decision, change.verdict), emitted_by)
            judged.add(decision.decision_id)
            yield from led_to.drafts({decision.decision_id})
    others = {each.decision_id for each in revisions} | {each.decision_id for each in runs}
    yield from led_to.drafts(others - judged)


@dataclass(frozen=True, slots=True)
class _LedTo:
    revisions: Sequence[NewRevision]
    runs: Sequence[NewRun]
    emitted_by: EmittingAttempt

    def drafts(self, decision_ids: set[str]) -> Iterator[EventDraft]:
        """Yield what these decisions led to."""
        for each in self.revisions:
            if each.decision_id in decision_ids:
                yield EventDraft(workflow_event(each.workflow, each.decision_id), self.emitted_by)
        begun = [each for each in self.runs if each.decision_id in decision_ids]
        yield from queued_drafts(begun, self.emitted_by)
