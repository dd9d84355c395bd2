"""Committing steps, guarded by the fencing token."""

from __future__ import annotations

from dataclasses import replace

import sqlalchemy as sa

from heartrule.domain.conversation import Message
from heartrule.domain.events import MessageCommitted, Outcome
from heartrule.domain.position import ExecutionStatus
from session_store.records import CommittedStep, Lease, StepCommit
from session_store.sql.decisions import decision_rows
from session_store.sql.monitor import advice, claims, plan_edits
from session_store.sql.monitor.claims import JudgedStep
from session_store.sql.runs import run_effects
from session_store.sql.safety import safety_events
from session_store.sql.sessions import calls, messages
from session_store.sql.sessions.events import Emitted, emit, keep
from session_store.sql.sessions.sessions import Locked
from session_store.sql.threads import showing
from session_store.sql.turns import attempts, stops
from session_store.sql.turns.leases import held_by
from session_store.sql.turns.step_rows import (
    Step,
    opened_by,
    session_after,
    state_after,
    store_decisions,
    store_end,
    store_values,
)
from session_store.step_events import StepContext, step_drafts


def commit_step(db: sa.Connection, lease: Lease, step: StepCommit) -> CommittedStep:
    """Write a step with all it changed, or LeaseLost and nothing."""
    locked, attempt = held_by(db, lease, step)
    key, row = lease.key, locked.row
    step = opened_by(db, key, _kept_open(db, locked, step))
    step, shown = showing.of_step(db, locked, step)
    decided = decision_rows.settled(db, key, step.decisions)
    step = replace(step, decisions=decided.changes)
    rows = Step(locked, attempt, step)
    runs = run_effects.settled(db, locked, step.run_effects)
    used = advice.used(db, key, step)
    edits = plan_edits.settle(db, locked, step, attempt.turn_no)
    context = StepContext(
        state=plan_edits.revised(state_after(db, rows, shown.text_in_last()), row, edits),
        edits=edits,
        client_message_ids=attempts.inputs_of(attempt),
        consumed=used.consumed,
        expired=used.expired,
        safety=safety_events.before(db, row, step.safety),
        of_runs=runs.drafts(rows.emitting),
        in_places=tuple(shown.drafts(step.turn_id, step.attempt)),
    )
    emitted = emit(locked, step_drafts(step, context))
    committed = _messages_of(emitted)
    after = session_after(rows, emitted) | calls.append(db, locked, step.turn_id, step.calls)
    if step.safety is not None:
        after |= safety_events.commit(db, locked, step.safety, emitted)
    after |= runs.take_up(db, locked, step.runs_taken_up, emitted.first)
    left = keep(db, locked, emitted, after | plan_edits.after(row, edits) | shown.after())
    advice.write(db, key, used)
    store_values(db, rows, locked.now)
    messages.store(db, key, committed, turn_no=attempt.turn_no)
    results = shown.write(db, emitted.events)
    runs.write(db, emitted.events)
    store_decisions(db, rows, decided, emitted)
    store_end(db, rows, emitted)
    work = None
    if step.result is not None and step.monitor_requested:
        judged = JudgedStep(locked, left, attempt.turn_no, step, emitted.events, committed)
        work = claims.ask(db, judged)
    more = step.end is not None and step.status is not ExecutionStatus.COMPLETED
    return CommittedStep(
        events=emitted.events,
        inputs_waiting=more and bool(row.waiting),
        shown=results,
        stop=stops.interrupt_of(row, step.turn_id),
        monitor_work=work,
    )


def _kept_open(db: sa.Connection, locked: Locked, step: StepCommit) -> StepCommit:
    """Return the step; one that would end the session before an urgent input ends the turn alone.

    The input came too late to interrupt the turn. The next one finds the script at its end.
    """
    urgent = locked.row.stop_request and locked.row.waiting
    if step.status is not ExecutionStatus.COMPLETED or step.end is None or not urgent:
        return step
    waiting = [each.message.client_message_id for each in messages.waiting(db, locked.key)]
    if not stops.urgent_among(locked.row, waiting):
        return step
    end = replace(step.end, outcome=Outcome.INTERRUPTED)
    return replace(step, status=ExecutionStatus.WAITING_INPUT, end=end)


def _messages_of(emitted: Emitted) -> list[Message]:
    """Return the step's messages as they were emitted, but for those that take places."""
    bodies = (each.body for each in emitted.events)
    found = (body.message for body in bodies if isinstance(body, MessageCommitted))
    return [each for each in found if not each.replaces_message_id]
