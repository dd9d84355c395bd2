"""Committing steps and failures, guarded by the fencing token (ARCHITECTURE section 4.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import sqlalchemy as sa

from heartrule.domain.conversation import Message, Role
from heartrule.domain.events import MessageCommitted, SessionEvent
from heartrule.domain.orchestration import PlanEdit
from heartrule.domain.position import EndReason, ExecutionState, ExecutionStatus
from session_store.codec import dump
from session_store.event_drafts import EventDraft
from session_store.records import CommittedStep, Lease, StepCommit, TurnKind
from session_store.sql.database.statements import Found
from session_store.sql.monitor import advice, plan_edits
from session_store.sql.monitor.requests import work_of
from session_store.sql.sessions import calls, messages
from session_store.sql.sessions.events import emit, keep
from session_store.sql.turns import attempts, step_rows, stops
from session_store.sql.turns.failing import state_of
from session_store.sql.turns.leases import RELEASED, held_by
from session_store.sql.turns.step_rows import Step
from session_store.step_events import StepContext, step_drafts


def commit_step(db: sa.Connection, lease: Lease, step: StepCommit) -> CommittedStep:
    """Write a step with all it changed, or LeaseLost and nothing."""
    locked, attempt = held_by(db, lease, step)
    key, row = lease.key, locked.row
    rows = Step(locked, attempt, step)
    used = advice.used(db, key, step)
    edits = plan_edits.settle(db, locked, step, attempt.turn_no)
    drafts = step_drafts(
        step,
        StepContext(
            state=_state_after(db, rows, edits),
            edits=edits,
            client_message_ids=attempts.inputs_of(attempt),
            consumed=used.consumed,
            expired=used.expired,
        ),
    )
    last = _last_message(row, drafts)
    emitted = emit(locked, drafts)
    left = keep(db, locked, emitted, _session_after(rows, last) | plan_edits.after(row, edits))
    advice.write(db, key, used)
    step_rows.store_values(db, rows, locked.now)
    said = _said(emitted.events)
    messages.store(db, key, said, turn_no=attempt.turn_no)
    step_rows.store_end(db, rows, emitted)
    origin = calls.Origin(key=key, turn_id=step.turn_id, first=row.next_call, now=locked.now)
    calls.store(db, origin, step.calls)
    claimed = step_rows.store_request_of(db, rows, emitted, said)
    more = step.end is not None and step.status is not ExecutionStatus.COMPLETED
    return CommittedStep(
        events=emitted.events,
        inputs_waiting=more and bool(row.waiting),
        stop=stops.interrupt_of(row, step.turn_id),
        monitor_work=work_of(db, key, left, claimed, attempt=1) if claimed else None,
    )


def _state_after(db: sa.Connection, step: Step, edits: tuple[PlanEdit, ...]) -> ExecutionState:
    row, commit = step.row, step.commit
    spoken = [each.spoken() for each in commit.messages if each.role is Role.ASSISTANT]
    last = spoken[-1] if spoken else messages.spoken(db, step.key, row.last_message)
    state = state_of(
        db, step.key, row, status=commit.status, position=commit.position, last_ai_message=last
    )
    state = plan_edits.revised(state, row, edits)
    end_reason = _end_reason(commit)
    return state if end_reason is None else replace(state, end_reason=end_reason)


def _end_reason(commit: StepCommit) -> EndReason | None:
    """Return why the session ends with this step; None where it goes on."""
    return EndReason.SCRIPT_END if commit.status is ExecutionStatus.COMPLETED else None


def _said(events: Sequence[SessionEvent]) -> list[Message]:
    """Return the step's messages as they were emitted."""
    return [each.body.message for each in events if isinstance(each.body, MessageCommitted)]


def _last_message(row: Found, drafts: Sequence[EventDraft]) -> int:
    """Return the number of what the assistant said last."""
    last = int(row.last_message)
    for number, draft in enumerate(drafts, start=row.next_seq):
        body = draft.body
        if isinstance(body, MessageCommitted) and body.message.role is Role.ASSISTANT:
            last = number
    return last


def _session_after(step: Step, last: int) -> dict[str, object]:
    """Return the columns of the session's row that the step changes."""
    commit, row = step.commit, step.row
    after: dict[str, object] = {
        "status": commit.status.value,
        "position": dump(commit.position),
        "error": None,
        "last_message": last,
        "next_call": row.next_call + len(commit.calls),
    }
    if commit.open_request is not None:
        after["open_request"] = commit.open_request
    if commit.end is None:
        return after
    if (end_reason := _end_reason(commit)) is not None:
        after["end_reason"] = end_reason.value
    opened = row.opened or step.attempt.kind == TurnKind.OPENING
    return after | RELEASED | {"open_turn_id": "", "opened": opened}
