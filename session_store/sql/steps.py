"""Committing steps and failures, guarded by the fencing token (ARCHITECTURE section 4.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from heartrule.domain.action_result import ActionResult
from heartrule.domain.conversation import Message, Role
from heartrule.domain.events import (
    ActionResultRecorded,
    EventBody,
    MessageCommitted,
    SessionEvent,
    StateChanged,
    TurnEnded,
)
from heartrule.domain.fields import replace
from heartrule.domain.orchestration import PlanEdit
from heartrule.domain.position import EndReason, ExecutionPosition, ExecutionState, ExecutionStatus
from session_store.codec import dump, load
from session_store.records import CommittedStep, Lease, StepCommit, TurnFailure, TurnKind
from session_store.sql import (
    advice,
    attempts,
    calls,
    definitions,
    histories,
    input_requests,
    messages,
    plan_edits,
    plans,
    stops,
    variables,
)
from session_store.sql.attempts import AttemptState
from session_store.sql.bodies import load_ids, slim
from session_store.sql.events import Told, keep, tell
from session_store.sql.leases import RELEASED, held_by
from session_store.sql.prepared import Prepared
from session_store.sql.requests import Judged, store_request
from session_store.sql.sessions import Locked
from session_store.sql.snapshot import message_ids
from session_store.sql.statements import Found, owned
from session_store.sql.tables import action_results, safety_records
from session_store.sql.tables import steps as steps_table
from session_store.step_events import StepContext, failure_drafts, step_drafts
from session_store.turn_rules import ENDED

_INSERT_STEP = Prepared(steps_table.insert())
_INSERT_RESULT = Prepared(action_results.insert())
_INSERT_SAFETY = Prepared(safety_records.insert())


@dataclass(frozen=True, slots=True)
class _Step:
    """A step with the rows it is written to."""

    locked: Locked
    attempt: Found
    commit: StepCommit

    @property
    def number(self) -> int:
        """Its number in the turn, from 1, over all attempts."""
        return int(self.attempt.steps) + 1

    @property
    def name(self) -> dict[str, object]:
        """The first columns of its rows."""
        turn = {"turn_id": self.commit.turn_id, "step_no": self.number}
        return owned(self.locked.key) | turn


def commit_step(db: sa.Connection, lease: Lease, commit: StepCommit) -> CommittedStep:
    """Write a step with all it changed, or LeaseLost and nothing."""
    locked, attempt = held_by(db, lease, commit)
    step = _Step(locked, attempt, commit)
    _store_values(db, step)
    ended = frozenset(each.action_instance_id for each in commit.instances if each.state in ENDED)
    edits = plan_edits.settle(db, locked, commit, attempt.turn_no)
    context = StepContext(
        step_no=step.number,
        state=_state_after(db, step, edits),
        edits=edits,
        client_message_ids=load_ids(attempt),
        consumed=advice.consume(db, lease.key, commit.advice_consumed),
        expired=advice.expire_ended(db, lease.key, ended),
    )
    told = tell(locked, step_drafts(commit, context))
    said = _said(told.events)
    last = _last_message(locked, said)
    messages.store(db, lease.key, said, turn_no=attempt.turn_no)
    _store_facts(db, step, told, said)
    _store_end(db, step, told, last)
    _store_calls(db, step)
    keep(db, locked, told, _session_after(step, last) | plan_edits.after(locked, edits))
    more = commit.end is not None and commit.status is not ExecutionStatus.COMPLETED
    stop = stops.interrupt_of(locked.row, commit.turn_id)
    waiting = more and bool(locked.row.waiting)
    return CommittedStep(events=told.events, inputs_waiting=waiting, stop=stop)


def fail_turn(db: sa.Connection, lease: Lease, failure: TurnFailure) -> tuple[SessionEvent, ...]:
    """End the attempt as FAILED and free the lease, or LeaseLost and nothing."""
    locked, attempt = held_by(db, lease, failure)
    row, key = locked.row, lease.key
    state = _state_of(
        db,
        locked,
        status=ExecutionStatus.ERROR,
        position=load(ExecutionPosition, row.position),
        last_ai_message=messages.spoken(db, key, row.last_message),
    )
    state = replace(state, error=failure.problem)
    drafts = failure_drafts(
        failure,
        state=state,
        client_message_ids=load_ids(attempt),
        message_ids=message_ids(db, key, attempt.turn_no) if attempt.steps else (),
    )
    told = tell(locked, drafts)
    ended = _ended(told)
    assert ended is not None
    end = {
        "state": AttemptState.FAILED.value,
        "ended": attempts.ended_text(ended),
        "last_message": row.last_message,
        "last_seq": told.events[-1].sequence,
    }
    attempts.update(db, key, attempt, end)
    origin = calls.Origin(key=key, turn_id=failure.turn_id, first=row.next_call, now=locked.now)
    calls.store(db, origin, failure.calls)
    after = {
        "status": ExecutionStatus.ERROR.value,
        "error": dump(failure.problem),
        "next_call": row.next_call + len(failure.calls),
        "stop_wish": "",
    }
    keep(db, locked, told, after | RELEASED)
    return told.events


def _store_values(db: sa.Connection, step: _Step) -> None:
    """Clear the scopes that were left, then write the plan's rows, definitions and variables."""
    locked, commit = step.locked, step.commit
    plans.store(db, locked.key, commit.instances)
    owner = variables.Owner(locked.key, locked.row.user_id)
    variables.clear(db, locked.key, commit.scopes_left)
    variables.store(db, owner, commit.variables, locked.now)
    definitions.store(db, locked.key, commit.definitions, locked.now)


def _state_of(
    db: sa.Connection,
    locked: Locked,
    *,
    status: ExecutionStatus,
    position: ExecutionPosition,
    last_ai_message: str,
) -> ExecutionState:
    """Return the session's state: what a step gives, and what none changes."""
    row = locked.row
    return ExecutionState(
        status=status,
        position=position,
        last_ai_message=last_ai_message,
        script_id=row.script_id,
        script_version=row.script_version,
        plan_revision=row.plan_revision,
        pending_client_message_ids=messages.pending(db, locked.key) if row.waiting else (),
    )


def _state_after(db: sa.Connection, step: _Step, edits: tuple[PlanEdit, ...]) -> ExecutionState:
    locked, commit = step.locked, step.commit
    spoken = [each.spoken() for each in commit.messages if each.role is Role.ASSISTANT]
    last = spoken[-1] if spoken else messages.spoken(db, locked.key, locked.row.last_message)
    state = _state_of(
        db, locked, status=commit.status, position=commit.position, last_ai_message=last
    )
    state = plan_edits.revised(state, locked, edits)
    end_reason = _end_reason(commit)
    return state if end_reason is None else replace(state, end_reason=end_reason)


def _end_reason(commit: StepCommit) -> EndReason | None:
    """Return why the session ends with this step; None where it goes on."""
    return EndReason.SCRIPT_END if commit.status is ExecutionStatus.COMPLETED else None


def _said(events: Sequence[SessionEvent]) -> list[Message]:
    """Return the step's messages as they were told."""
    return [each.body.message for each in events if isinstance(each.body, MessageCommitted)]


def _last_message(locked: Locked, said: Sequence[Message]) -> int:
    """Return the number of what the assistant said last."""
    spoken = [each.sequence for each in said if each.role is Role.ASSISTANT]
    return spoken[-1] if spoken else int(locked.row.last_message)


def _ended(told: Told) -> TurnEnded | None:
    body: EventBody = told.events[-1].body
    return body if isinstance(body, TurnEnded) else None


def _store_facts(db: sa.Connection, step: _Step, told: Told, said: Sequence[Message]) -> None:
    """Write what was learned: operations, skips, the result, its request, a safety record."""
    commit, now = step.commit, step.locked.now
    if commit.requested is not None:
        input_requests.store(db, step.locked.key, commit.requested)
    histories.store_operations(db, step.name, told.events)
    if commit.strategy is not None:
        histories.store_strategy(db, step.name, told.events)
    histories.store_snapshots(db, step.name, commit.scopes_left)
    histories.store_skips(db, step.name, commit.skipped)
    if commit.safety is not None:
        seen = {"category": commit.safety.category, "rule": commit.safety.rule}
        _INSERT_SAFETY.run(db, step.name | seen | {"create_time": now})
    if commit.result is None:
        return
    judged = _judged(told)
    _INSERT_RESULT.run(
        db,
        step.name
        | {
            "action_instance_id": judged.action_instance_id,
            "round": judged.round,
            "decided": judged.exit_decision is not None,
            "result": dump(judged),
        },
    )
    if commit.monitor_requested:
        before = load(ExecutionPosition, step.locked.row.position)
        turn_no = int(step.attempt.turn_no)
        store_request(db, step.name, Judged(commit, judged, before, turn_no, tuple(said)))


def _judged(told: Told) -> ActionResult:
    """Return the step's result as it was told: without debug_info."""
    bodies = (event.body for event in told.events)
    return next(each.action_result for each in bodies if isinstance(each, ActionResultRecorded))


def _store_end(db: sa.Connection, step: _Step, told: Told, last: int) -> None:
    """Write the step's own row, or the end of the turn."""
    commit = step.commit
    progress: dict[str, object] = {
        "steps": step.number,
        "inputs_consumed": step.attempt.inputs_consumed or commit.inputs_consumed,
    }
    ended = _ended(told)
    if ended is not None:
        asked, before = commit.open_request, step.locked.row.open_request
        progress |= {
            "state": AttemptState.COMPLETED.value,
            "ended": attempts.ended_text(ended),
            "last_message": last,
            "open_request": before if asked is None else asked,
            "plan": plans.changes(commit.instances),
            "last_seq": told.events[-1].sequence,
        }
    else:
        body = told.events[-1].body
        assert isinstance(body, StateChanged)
        own = {"attempt": commit.attempt, "plan": plans.changes(commit.instances)}
        own |= {"state": dump(slim(body.state)), "degradations": dump(commit.degradations)}
        _INSERT_STEP.run(db, step.name | own | {"last_message": last})
    attempts.update(db, step.locked.key, step.attempt, progress)


def _store_calls(db: sa.Connection, step: _Step) -> None:
    locked, commit, first = step.locked, step.commit, step.locked.row.next_call
    origin = calls.Origin(key=locked.key, turn_id=commit.turn_id, first=first, now=locked.now)
    calls.store(db, origin, commit.calls)


def _session_after(step: _Step, last: int) -> dict[str, object]:
    """Return the columns of the session's row that the step changes."""
    commit, row = step.commit, step.locked.row
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
