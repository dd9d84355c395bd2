"""Committing steps and failures, guarded by the fencing token (ARCHITECTURE section 4.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from types import SimpleNamespace

import sqlalchemy as sa

from heartrule.domain.action_result import ActionResult
from heartrule.domain.conversation import Message, Role
from heartrule.domain.events import ActionResultRecorded, MessageCommitted, SessionEvent
from heartrule.domain.keys import SessionKey
from heartrule.domain.orchestration import PlanEdit
from heartrule.domain.position import EndReason, ExecutionPosition, ExecutionState, ExecutionStatus
from session_store.codec import dump, load
from session_store.event_drafts import EventDraft
from session_store.records import CommittedStep, Lease, StepCommit, TurnFailure, TurnKind
from session_store.sql.database.statements import Found, owned
from session_store.sql.monitor import advice, plan_edits
from session_store.sql.monitor.requests import (
    Judged,
    request_of,
    store_new_request,
    store_request,
    work_of,
)
from session_store.sql.sessions import calls, messages, variables
from session_store.sql.sessions.events import Emitted, emit, keep
from session_store.sql.sessions.sessions import Locked
from session_store.sql.turns import attempts, plans, stops
from session_store.sql.turns.attempts import AttemptState
from session_store.sql.turns.leases import RELEASED, held_by
from session_store.sql.turns.snapshot import message_ids
from session_store.step_events import StepContext, failure_drafts, step_drafts


@dataclass(frozen=True, slots=True)
class Step:
    """A step with the rows it is written to."""

    locked: Locked
    """The session before the step."""
    attempt: Found
    commit: StepCommit

    @property
    def key(self) -> SessionKey:
        """The session's."""
        return self.locked.key

    @property
    def row(self) -> Found:
        """The session's, before the step."""
        return self.locked.row


def store_values(db: sa.Connection, step: Step, now: datetime) -> None:
    """Clear the scopes that were left, then write the plan's rows, definitions and variables."""
    key, commit = step.key, step.commit
    plans.store(db, key, commit.instances)
    variables.clear(db, key, commit.scopes_left)
    if commit.variables:
        variables.store(db, variables.VariableOwner(key, step.row.user_id), commit.variables, now)
    variables.store_definitions(db, key, commit.definitions, now)


def store_request_of(
    db: sa.Connection, step: Step, emitted: Emitted, said: Sequence[Message]
) -> Found | None:
    """Ask for the analysis of the step's result.

    Return the request where the step claims it; None where it was made before.
    """
    commit = step.commit
    if commit.result is None or not commit.monitor_requested:
        return None
    event, result = _judged(emitted)
    before = load(ExecutionPosition, step.row.position)
    asked = Judged(commit, result, before, int(step.attempt.turn_no), tuple(said))
    name = owned(step.key) | {"turn_id": commit.turn_id, "judged_seq": event.sequence}
    request = request_of(name, asked, now=step.locked.now)
    if commit.monitor_owner:
        return SimpleNamespace(**request) if store_new_request(db, request) else None
    store_request(db, request)
    return None


def _judged(emitted: Emitted) -> tuple[SessionEvent, ActionResult]:
    """Return the event of the step's result, and the result."""
    return next(
        (event, event.body.action_result)
        for event in emitted.events
        if isinstance(event.body, ActionResultRecorded)
    )


def store_end(db: sa.Connection, step: Step, emitted: Emitted) -> None:
    """Write how far the attempt is, and its end with the last step."""
    commit, attempt = step.commit, step.attempt
    progress: dict[str, object] = {
        "steps": attempt.steps + 1,
        "inputs_consumed": attempt.inputs_consumed or commit.inputs_consumed,
        "new_inputs": 0,
        "degradations": attempts.with_degradations(attempt.degradations, commit.degradations),
        "plan": plans.changes(attempt.plan, commit.instances),
    }
    if commit.end is not None:
        asked, before = commit.open_request, step.row.open_request
        progress |= {
            "state": AttemptState.COMPLETED.value,
            "open_request": before if asked is None else asked,
            "last_seq": emitted.events[-1].sequence,
        }
    attempts.update(db, step.key, attempt, progress)


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
    store_values(db, rows, locked.now)
    said = _said(emitted.events)
    messages.store(db, key, said, turn_no=attempt.turn_no)
    store_end(db, rows, emitted)
    origin = calls.Origin(key=key, turn_id=step.turn_id, first=row.next_call, now=locked.now)
    calls.store(db, origin, step.calls)
    claimed = store_request_of(db, rows, emitted, said)
    more = step.end is not None and step.status is not ExecutionStatus.COMPLETED
    return CommittedStep(
        events=emitted.events,
        inputs_waiting=more and bool(row.waiting),
        stop=stops.interrupt_of(row, step.turn_id),
        monitor_work=work_of(db, key, left, claimed, attempt=1) if claimed else None,
    )


def _state_after(db: sa.Connection, step: Step, edits: tuple[PlanEdit, ...]) -> ExecutionState:
    row, commit = step.row, step.commit
    spoken = [each.plain_text() for each in commit.messages if each.role is Role.ASSISTANT]
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


def fail_turn(db: sa.Connection, lease: Lease, failure: TurnFailure) -> tuple[SessionEvent, ...]:
    """End the attempt as FAILED and free the lease, or LeaseLost and nothing."""
    locked, attempt = held_by(db, lease, failure)
    row, key = locked.row, lease.key
    state = state_of(
        db,
        key,
        row,
        status=ExecutionStatus.ERROR,
        position=load(ExecutionPosition, row.position),
        last_ai_message=messages.spoken(db, key, row.last_message),
    )
    state = replace(state, error=failure.problem)
    drafts = failure_drafts(
        failure,
        state=state,
        client_message_ids=attempts.inputs_of(attempt),
        message_ids=message_ids(db, key, attempt.turn_no) if attempt.steps else (),
    )
    emitted = emit(locked, drafts)
    end = {"state": AttemptState.FAILED.value, "last_seq": emitted.events[-1].sequence}
    attempts.update(db, key, attempt, end)
    origin = calls.Origin(key=key, turn_id=failure.turn_id, first=row.next_call, now=locked.now)
    calls.store(db, origin, failure.calls)
    after = {
        "status": ExecutionStatus.ERROR.value,
        "error": dump(failure.problem),
        "next_call": row.next_call + len(failure.calls),
        "stop_request": "",
    }
    keep(db, locked, emitted, after | RELEASED)
    return emitted.events


def state_of(
    db: sa.Connection,
    key: SessionKey,
    row: Found,
    *,
    status: ExecutionStatus,
    position: ExecutionPosition,
    last_ai_message: str,
) -> ExecutionState:
    """Return the session's state: what a step gives, and what none changes."""
    return ExecutionState(
        status=status,
        position=position,
        last_ai_message=last_ai_message,
        script_id=row.script_id,
        script_version=row.script_version,
        plan_revision=row.plan_revision,
        pending_client_message_ids=messages.pending(db, key) if row.waiting else (),
    )
