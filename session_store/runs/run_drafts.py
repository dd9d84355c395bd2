"""Events of runs, of their nodes, and of threads nested in messages; pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from heartrule.domain.run_events import (
    Activity,
    ActivityKind,
    ActivityState,
    NodeChanged,
    NodeExecutionFailed,
    RunChanged,
)
from heartrule.domain.runs import ENDED_RUNS, NodeFailure, NodeRecord, NodeState, RunState
from heartrule.domain.thread_events import ThreadChanged, ThreadMessageAdded
from heartrule.domain.threads import SubThread, ThreadMessage
from session_store.event_drafts import EmittingAttempt, EventDraft
from session_store.records.runs import NewRun, RunNames

_OUTSIDE = EmittingAttempt()


def queued_drafts(
    begun: Iterable[NewRun], emitted_by: EmittingAttempt = _OUTSIDE
) -> Iterator[EventDraft]:
    """Yield what beginnings of runs tell: queued, nodes that are kept, and to the client."""
    for each in begun:
        yield run_draft(each.names, RunState.QUEUED, emitted_by=emitted_by)
        yield from node_drafts(each.run_id, each.kept, emitted_by)
        if each.is_announced:
            yield EventDraft(_activity(each.names, ActivityState.BEGAN), emitted_by)


def run_draft(
    names: RunNames,
    state: RunState,
    failure: NodeFailure | None = None,
    *,
    emitted_by: EmittingAttempt = _OUTSIDE,
) -> EventDraft:
    """Return the event of a run in a state."""
    changed = RunChanged(
        run_id=names.run_id,
        workflow_id=names.workflow_id,
        revision=names.revision,
        state=state,
        code=failure.code if failure else None,
        decision_id=names.decision_id,
        agent=names.agent,
    )
    return EventDraft(changed, emitted_by)


def end_drafts(
    names: RunNames,
    state: RunState,
    failure: NodeFailure | None = None,
    emitted_by: EmittingAttempt = _OUTSIDE,
) -> Iterator[EventDraft]:
    """Yield what the end of a run tells."""
    assert state in ENDED_RUNS
    yield run_draft(names, state, failure, emitted_by=emitted_by)
    if names.is_announced:
        is_completed = state is RunState.COMPLETED
        body = _activity(names, ActivityState.ENDED, is_completed=is_completed)
        yield EventDraft(body, emitted_by)


def node_drafts(
    run_id: str, records: Iterable[NodeRecord], emitted_by: EmittingAttempt = _OUTSIDE
) -> Iterator[EventDraft]:
    """Yield the event of each node in the state it has."""
    for each in records:
        changed = NodeChanged(
            run_id=run_id,
            path=each.path,
            state=each.state,
            attempt=each.attempt,
            skip_reason=each.skip_reason,
            code=each.failure.code if each.failure else None,
        )
        yield EventDraft(changed, emitted_by)


def spent_draft(run_id: str, record: NodeRecord) -> EventDraft:
    """Return the event of a node whose own retries are spent."""
    failure = record.failure
    assert failure is not None, "what is spent has failed"
    return EventDraft(
        NodeExecutionFailed(
            run_id=run_id,
            path=record.path,
            attempt=record.attempt,
            code=failure.code,
            message=failure.message,
            is_retryable=failure.is_retryable,
        )
    )


def thread_draft(thread: SubThread, emitted_by: EmittingAttempt = _OUTSIDE) -> EventDraft:
    """Return the event of a thread as it is."""
    changed = ThreadChanged(
        thread_id=thread.thread_id,
        parent_thread_id=thread.parent_thread_id,
        anchor_message_id=thread.anchor_message_id,
        depth=thread.depth,
        agent=thread.agent,
        state=thread.state,
        phase=thread.settings.phase,
        suggested_phase=thread.settings.suggested_phase or "",
        failure_code=thread.failure_code,
        run_id=thread.run_id,
    )
    return EventDraft(changed, emitted_by)


def message_draft(thread: SubThread, message: ThreadMessage, replaces: str = "") -> EventDraft:
    """Return the event of a message of a thread."""
    added = ThreadMessageAdded(
        thread_id=thread.thread_id,
        message_id=message.message_id,
        number=message.number,
        role=message.role,
        text=message.text,
        phase=message.phase,
        is_placeholder=message.is_placeholder,
        replaces_message_id=replaces,
        run_id=thread.run_id,
        unit=message.unit,
    )
    return EventDraft(added)


def label_draft(names: RunNames, label: str) -> EventDraft:
    """Return the event that tells the client what the agent of a run does now."""
    return EventDraft(
        Activity(
            activity_id=names.run_id,
            kind=ActivityKind.SUB_THREAD,
            state=ActivityState.GOES_ON,
            name=names.name,
            label=label,
            message_id=names.message_id,
        )
    )


def ended_node(record: NodeRecord) -> bool:
    """Return whether nothing more is to come of the attempt."""
    return record.state not in {NodeState.PENDING, NodeState.RUNNING}


def _activity(names: RunNames, state: ActivityState, *, is_completed: bool = False) -> Activity:
    kind = ActivityKind.SUB_THREAD if names.agent else ActivityKind.WORKFLOW_RUN
    return Activity(
        activity_id=names.run_id,
        kind=kind,
        state=state,
        name=names.name,
        is_completed=is_completed,
        message_id=names.message_id,
    )
