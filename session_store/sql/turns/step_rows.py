"""What a step writes of the plan, the variables and its attempt."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

import sqlalchemy as sa

from heartrule.domain.keys import SessionKey
from session_store.event_drafts import EmittingAttempt, EventDraft
from session_store.records import StepCommit
from session_store.sql.database.statements import Found
from session_store.sql.decisions import decision_rows, workflow_rows
from session_store.sql.decisions.decision_rows import MadeBy, Settled
from session_store.sql.runs import run_effects, run_ends, run_rows
from session_store.sql.runs.run_effects import SettledEffects
from session_store.sql.sessions import messages, variables
from session_store.sql.sessions.events import Emitted
from session_store.sql.sessions.sessions import Locked
from session_store.sql.threads import showing, thread_rows
from session_store.sql.turns import attempts, plans
from session_store.sql.turns.attempts import AttemptState


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


def places_of(
    db: sa.Connection, locked: Locked, step: StepCommit
) -> tuple[StepCommit, showing.TakenPlaces]:
    """Return a step without what takes placeholders' places, and that; see `showing.of_step`."""
    shown = showing.of_step(db, locked, step)
    return showing.without_places(step, shown), shown


@dataclass(frozen=True, slots=True)
class RunsOfStep:
    """What a step changes of runs that began before it."""

    step: Step
    effects: SettledEffects

    def drafts(self) -> tuple[EventDraft, ...]:
        """Return what is told of what decisions changed."""
        return self.effects.drafts(self.step.emitting)

    def take_up(self, db: sa.Connection, emitted: Emitted) -> dict[str, object]:
        """Take up the ends that the step names; return the columns of the session's row."""
        step = self.step
        taken_up = run_ends.take_up(db, step.locked, step.commit.runs_taken_up, emitted.first)
        return self.effects.after(step.row, taken_up)

    def write(self, db: sa.Connection, emitted: Emitted) -> None:
        """Write what decisions changed."""
        self.effects.write(db, emitted.events)


def runs_of(db: sa.Connection, step: Step) -> RunsOfStep:
    """Return what a step changes of runs; a step without any costs nothing."""
    return RunsOfStep(step, run_effects.settled(db, step.locked, step.commit.run_effects))


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
