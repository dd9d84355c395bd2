"""What a step writes of the plan, the variables and its attempt."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

import sqlalchemy as sa

from heartrule.domain.conversation import Role
from heartrule.domain.keys import SessionKey
from heartrule.domain.position import EndReason, ExecutionState, ExecutionStatus
from session_store.codec import dump
from session_store.event_drafts import EmittingAttempt
from session_store.records import StepCommit, TurnKind
from session_store.sql.database.statements import Found
from session_store.sql.decisions import decision_rows, workflow_rows
from session_store.sql.decisions.decision_rows import MadeBy, Settled
from session_store.sql.runs import run_rows
from session_store.sql.sessions import messages, variables
from session_store.sql.sessions.events import Emitted
from session_store.sql.sessions.sessions import Locked
from session_store.sql.threads import thread_rows
from session_store.sql.turns import attempts, plans
from session_store.sql.turns.attempts import AttemptState
from session_store.sql.turns.ending import state_of
from session_store.sql.turns.leases import RELEASED


@dataclass(frozen=True, slots=True)
class Step:
    """A step with the rows it is written to."""

    locked: Locked
    """The session before the step."""
    attempt: Found
    commit: StepCommit

    @property
    def row(self) -> Found:
        """The session's, before the step."""
        return self.locked.row

    @property
    def emitting(self) -> EmittingAttempt:
        """The attempt as its events name it."""
        return EmittingAttempt(turn_id=self.commit.turn_id, attempt=self.commit.attempt)


def opened_by(db: sa.Connection, key: SessionKey, step: StepCommit) -> StepCommit:
    """Return the step with threads and runs that know of each other, and of the turn.

    Errors:
        NotFound: a thread is opened in a message that is neither the step's nor there.
    """
    if not step.threads:
        return step
    said = {each.message_id for each in step.messages}
    for each in step.threads:
        if each.thread.anchor_message_id not in said:
            messages.require(db, key, each.thread.anchor_message_id)
    threads = tuple(
        replace(each, thread=replace(each.thread, turn_id=step.turn_id)) for each in step.threads
    )
    anchors = {each.thread.thread_id: each.thread.anchor_message_id for each in threads}
    runs = (replace(each, message_id=anchors.get(each.thread_id, "")) for each in step.runs)
    return replace(step, threads=threads, runs=tuple(runs))


def store_values(db: sa.Connection, step: Step, now: datetime) -> None:
    """Clear the scopes that were left, then write the plan's rows, definitions and variables."""
    key, commit = step.locked.key, step.commit
    plans.store(db, key, commit.instances)
    variables.clear(db, key, commit.scopes_left)
    if commit.variables:
        variables.store(db, variables.VariableOwner(key, step.row.user_id), commit.variables, now)
    variables.store_definitions(db, key, commit.definitions, now)


def store_decisions(db: sa.Connection, step: Step, decided: Settled, emitted: Emitted) -> None:
    """Write decisions and what they made; a step without any costs nothing."""
    commit, key = step.commit, step.locked.key
    made_by = MadeBy(
        turn_id=commit.turn_id,
        step=step.attempt.steps,
        now=step.locked.now,
        events=emitted.events,
    )
    decision_rows.store(db, key, decided, made_by)
    workflow_rows.store(db, key, commit.workflows, made_by)
    run_rows.store(db, key, commit.runs, made_by)
    thread_rows.store(db, key, commit.threads, emitted.events, step.locked.now)


def state_after(db: sa.Connection, step: Step, said: str | None) -> ExecutionState:
    """Return the state after the step, edits of the plan aside.

    `said` is what took the place of the assistant's last message; None: nothing did.
    """
    commit = step.commit
    texts = [each.plain_text() for each in commit.messages if each.role is Role.ASSISTANT]
    state = state_of(
        db,
        step.locked,
        status=commit.status,
        position=commit.position,
        last_ai_message=texts[-1] if texts else said,
    )
    end_reason = _end_reason(commit)
    return state if end_reason is None else replace(state, end_reason=end_reason)


def _end_reason(commit: StepCommit) -> EndReason | None:
    """Return why the session ends with this step; None where it goes on."""
    return EndReason.SCRIPT_END if commit.status is ExecutionStatus.COMPLETED else None


def session_after(step: Step, emitted: Emitted) -> dict[str, object]:
    """Return the columns of the session's row that the step changes, those of its calls aside."""
    commit, row = step.commit, step.row
    after: dict[str, object] = {
        "status": commit.status.value,
        "position": dump(commit.position),
        "error": None,
        "last_message": emitted.last_message,
    }
    if commit.language:
        after["language"] = commit.language
    if commit.open_request is not None:
        after["open_request"] = commit.open_request
    if commit.end is None:
        return after
    if (end_reason := _end_reason(commit)) is not None:
        after["end_reason"] = end_reason.value
    opened = row.opened or step.attempt.kind == TurnKind.OPENING
    return after | RELEASED | {"open_turn_id": "", "opened": opened}


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
    attempts.update(db, step.locked.key, attempt, progress)
