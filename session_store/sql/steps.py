"""Committing steps and failures, guarded by the fencing token (ARCHITECTURE section 4.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import sqlalchemy as sa

from heartrule.domain.conversation import Message, Role
from heartrule.domain.events import MessageCommitted, SessionEvent
from heartrule.domain.orchestration import PlanEdit
from heartrule.domain.position import EndReason, ExecutionState, ExecutionStatus
from heartrule.domain.variables import VariableValue
from session_store.codec import dump
from session_store.event_drafts import EventDraft
from session_store.records import CommittedStep, Lease, StepCommit, TurnKind
from session_store.sql import (
    advice,
    calls,
    events,
    messages,
    plan_edits,
    sessions,
    step_rows,
    stops,
    variables,
)
from session_store.sql.advice import Used
from session_store.sql.bodies import load_ids
from session_store.sql.events import tell
from session_store.sql.failing import state_of
from session_store.sql.kept import Kept, after_step, is_held_by
from session_store.sql.leases import RELEASED, held_by
from session_store.sql.seizing import seize
from session_store.sql.snapshot import caught_up
from session_store.sql.statements import Found
from session_store.sql.step_rows import Step
from session_store.step_events import StepContext, step_drafts


def commit_step(
    db: sa.Connection, lease: Lease, commit: StepCommit, kept: Kept | None = None
) -> tuple[CommittedStep, Kept | None]:
    """Write a step with all it changed, or LeaseLost and nothing; and what is known after it.

    `kept` saves reading, where nobody changed the session since.
    """
    if kept is not None and _is_known(kept, lease, commit) and _holds_advice(kept, commit):
        step = Step(lease.key, kept.row, kept.attempt, commit, kept, None)
        done = _commit(db, step, advice.used_of(kept.advice or (), commit))
        if done is not None:
            return done
    locked, attempt = held_by(db, lease, commit)
    known = caught_up(db, locked, kept) if kept is not None else None
    if known is not None and not _is_known(known, lease, commit):
        known = None
    if known is not None and _holds_advice(known, commit):
        used = advice.used_of(known.advice or (), commit)
    else:
        used = advice.used(db, lease.key, commit)
    done = _commit(db, Step(lease.key, locked.row, attempt, commit, known, locked), used)
    assert done is not None, "its row is locked"
    return done


def _is_known(kept: Kept, lease: Lease, commit: StepCommit) -> bool:
    """Return whether a step is this attempt's, and all it depends on is at hand but its advice."""
    row = kept.row
    settled = not (row.waiting or row.edits_waiting or commit.edits)
    return settled and kept.advice is not None and is_held_by(kept, lease, commit)


def _holds_advice(kept: Kept, commit: StepCommit) -> bool:
    """Return whether the advice that a step used still waits; it may be superseded meanwhile."""
    name = commit.advice_consumed
    return not name or any(each.advice.advice_id == name for each in kept.advice or ())


def _commit(db: sa.Connection, step: Step, used: Used) -> tuple[CommittedStep, Kept | None] | None:
    """Write the step; None, and nothing written, where what is kept is too old."""
    commit, key, row = step.commit, step.key, step.row
    edits = plan_edits.settle(db, step.locked, commit, step.attempt.turn_no) if step.locked else ()
    drafts = step_drafts(
        commit,
        StepContext(
            step_no=step.number,
            state=_state_after(db, step, edits),
            edits=edits,
            client_message_ids=load_ids(step.attempt),
            consumed=used.consumed,
            expired=used.expired,
        ),
    )
    last = _last_message(row, drafts)
    values = _session_after(step, last) | plan_edits.after(row, edits)
    values["next_seq"] = row.next_seq + len(drafts)
    locked = step.locked
    if locked is None:
        locked = seize(db, key, row, values)
        if locked is None:
            return None
    else:
        sessions.update(db, key, values | {"update_time": locked.now})
    advice.write(db, key, used)
    told = tell(locked, drafts)
    step_rows.store_values(db, step, locked.now)
    said = _said(told.events)
    messages.store(db, key, said, turn_no=step.attempt.turn_no)
    work = step_rows.store_facts(db, step, told, said)
    progress = step_rows.store_end(db, step, told, last)
    origin = calls.Origin(key=key, turn_id=commit.turn_id, first=row.next_call, now=locked.now)
    calls.store(db, origin, commit.calls)
    events.write(db, key, told)
    more = commit.end is not None and commit.status is not ExecutionStatus.COMPLETED
    done = CommittedStep(
        events=told.events,
        inputs_waiting=more and bool(row.waiting),
        stop=stops.interrupt_of(row, commit.turn_id),
        monitor_work=work,
    )
    if step.kept is None:
        return done, None
    return done, after_step(
        step.kept,
        commit,
        row=sessions.changed(row, values),
        said=said,
        variables=_variables_after(step, locked.now),
        advice=advice.left(step.kept.advice or (), used),
        progress=progress,
        work=work,
    )


def _variables_after(step: Step, now: datetime) -> tuple[VariableValue, ...] | None:
    """Return the session's own variables after the step; None where they are not known."""
    known, commit = step.kept.variables if step.kept else None, step.commit
    if known is None or not (commit.variables or commit.scopes_left):
        return known
    return variables.after(known, variables.Owner(step.key, step.row.user_id), commit, now)


def _state_after(db: sa.Connection, step: Step, edits: tuple[PlanEdit, ...]) -> ExecutionState:
    row, commit = step.row, step.commit
    spoken = [each.spoken() for each in commit.messages if each.role is Role.ASSISTANT]
    if spoken:
        last = spoken[-1]
    elif step.kept is not None:
        last = step.kept.last_text
    else:
        last = messages.spoken(db, step.key, row.last_message)
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
    """Return the step's messages as they were told."""
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
