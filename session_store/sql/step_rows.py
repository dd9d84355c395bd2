"""The rows that a step writes beside its session's, its messages and its events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from types import SimpleNamespace

import sqlalchemy as sa

from heartrule.domain.action_result import ActionResult
from heartrule.domain.conversation import Message
from heartrule.domain.events import ActionResultRecorded, StateChanged
from heartrule.domain.keys import SessionKey
from heartrule.domain.position import ExecutionPosition
from session_store.codec import dump, load
from session_store.records import StepCommit
from session_store.sql import attempts, definitions, histories, input_requests, plans, variables
from session_store.sql.attempts import AttemptState
from session_store.sql.bodies import slim
from session_store.sql.events import Told
from session_store.sql.failing import ending
from session_store.sql.prepared import Prepared
from session_store.sql.requests import Judged, request_of, store_new_request, store_request
from session_store.sql.sessions import Locked
from session_store.sql.statements import Found, owned
from session_store.sql.tables import action_results, safety_records
from session_store.sql.tables import steps as steps_table

_INSERT_STEP = Prepared(steps_table.insert())
_INSERT_RESULT = Prepared(action_results.insert())
_INSERT_SAFETY = Prepared(safety_records.insert())


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

    @property
    def number(self) -> int:
        """Its number in the turn, from 1, over all attempts."""
        return int(self.attempt.steps) + 1

    @property
    def name(self) -> dict[str, object]:
        """The first columns of its rows."""
        turn = {"turn_id": self.commit.turn_id, "step_no": self.number}
        return owned(self.key) | turn


def store_values(db: sa.Connection, step: Step, now: datetime) -> None:
    """Clear the scopes that were left, then write the plan's rows, definitions and variables."""
    key, commit = step.key, step.commit
    plans.store(db, key, commit.instances)
    variables.clear(db, key, commit.scopes_left)
    if commit.variables:
        variables.store(db, variables.Owner(key, step.row.user_id), commit.variables, now)
    definitions.store(db, key, commit.definitions, now)


def store_facts(db: sa.Connection, step: Step, told: Told, said: Sequence[Message]) -> Found | None:
    """Write what was learned: operations, skips, the result, its request, a safety record.

    Return the request where the step claims it; None where it was made before.
    """
    commit = step.commit
    if commit.requested is not None:
        input_requests.store(db, step.key, commit.requested)
    histories.store_operations(db, step.name, told.events)
    if commit.strategy is not None:
        histories.store_strategy(db, step.name, told.events)
    histories.store_snapshots(db, step.name, commit.scopes_left)
    histories.store_skips(db, step.name, commit.skipped)
    if commit.safety is not None:
        seen = {"category": commit.safety.category, "rule": commit.safety.rule}
        _INSERT_SAFETY.run(db, step.name | seen | {"create_time": told.events[0].create_time})
    if commit.result is None:
        return None
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
    if not commit.monitor_requested:
        return None
    before = load(ExecutionPosition, step.row.position)
    turn_no = int(step.attempt.turn_no)
    now = told.events[0].create_time
    assert now is not None, "an event of a transaction has its time"
    asked = Judged(commit, judged, before, turn_no, tuple(said))
    request = request_of(step.name, asked, now=now)
    if commit.monitor_owner:
        return SimpleNamespace(**request) if store_new_request(db, request) else None
    store_request(db, request)
    return None


def _judged(told: Told) -> ActionResult:
    """Return the step's result as it was told: without debug_info."""
    bodies = (event.body for event in told.events)
    return next(each.action_result for each in bodies if isinstance(each, ActionResultRecorded))


def store_end(db: sa.Connection, step: Step, told: Told, last: int) -> None:
    """Write the step's own row, or the end of the turn."""
    commit = step.commit
    progress: dict[str, object] = {
        "steps": step.number,
        "inputs_consumed": step.attempt.inputs_consumed or commit.inputs_consumed,
    }
    ended = ending(told)
    if ended is not None:
        asked, before = commit.open_request, step.row.open_request
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
    attempts.update(db, step.key, step.attempt, progress)
