"""Events of threads nested in messages; pure."""

from __future__ import annotations

from heartrule.domain.run_events import Activity, ActivityKind, ActivityState
from heartrule.domain.thread_events import ThreadChanged, ThreadMessageAdded
from heartrule.domain.threads import SubThread, ThreadMessage
from session_store.event_drafts import EmittingAttempt, EventDraft
from session_store.records.runs import RunNames

_OUTSIDE = EmittingAttempt()


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
