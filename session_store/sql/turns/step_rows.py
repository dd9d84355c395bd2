"""The rows that a step writes beside its session's, its messages and its events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from types import SimpleNamespace

import sqlalchemy as sa

from heartrule.domain.action_result import ActionResult
from heartrule.domain.conversation import Message
from heartrule.domain.events import ActionResultRecorded, SessionEvent
from heartrule.domain.keys import SessionKey
from heartrule.domain.position import ExecutionPosition
from session_store.codec import load
from session_store.records import StepCommit
from session_store.sql.database.statements import Found, owned
from session_store.sql.monitor.requests import Judged, request_of, store_new_request, store_request
from session_store.sql.sessions import definitions, variables
from session_store.sql.sessions.events import Emitted
from session_store.sql.sessions.sessions import Locked
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
        variables.store(db, variables.Owner(key, step.row.user_id), commit.variables, now)
    definitions.store(db, key, commit.definitions, now)


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
