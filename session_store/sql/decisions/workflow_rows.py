"""Rows of workflows, one for each revision: written with what made them, never changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.decision_events import WorkflowChanged
from heartrule.domain.errors import NotFound
from heartrule.domain.keys import SessionKey
from heartrule.domain.runs import ENDED_RUNS, RunState
from heartrule.domain.workflows import Workflow, WorkflowStatus
from session_store.codec import dump, load
from session_store.records.decisions import KeptWorkflow, NewRevision
from session_store.sql.database.prepared import Prepared
from session_store.sql.database.statements import Found, at, of, of_one_session, owned
from session_store.sql.database.tables_of_decisions import workflows
from session_store.sql.database.tables_of_runs import runs
from session_store.sql.decisions.brought_workflows import WORKFLOWS
from session_store.sql.decisions.decision_rows import MadeBy
from session_store.sql.rows_of import RowsOf
from session_store.sql.sessions import sessions
from session_store.sql.sessions.sessions import paged

_INSERT = Prepared(workflows.insert())
_NEWER = workflows.alias("newer")
# Of the newest run of a revision.
_RUN_STATE = (
    select(runs.c.state)
    .where(
        of_one_session(runs, workflows),
        runs.c.workflow_id == workflows.c.workflow_id,
        runs.c.revision == workflows.c.revision,
        runs.c.listed,
    )
    .order_by(runs.c.sequence.desc())
    .limit(1)
    .scalar_subquery()
    .label("run_state")
)
_WITH_STATE = select(workflows, _RUN_STATE)
_NEWEST = _WITH_STATE.where(
    of(workflows),
    ~sa.exists().where(
        of_one_session(_NEWER, workflows),
        _NEWER.c.workflow_id == workflows.c.workflow_id,
        _NEWER.c.revision > workflows.c.revision,
    ),
)
_REVISIONS = (
    _WITH_STATE.where(of(workflows), workflows.c.workflow_id == bindparam("at_workflow"))
    .order_by(workflows.c.revision.desc())
    .limit(1)
)
_LAST = Prepared(_REVISIONS)
_AT_REVISION = Prepared(_REVISIONS.where(workflows.c.revision == bindparam("at_revision")))
_ALL = Prepared(select(workflows).where(of(workflows)).order_by(workflows.c.sequence))
_TAKE_BACK = Prepared(
    workflows.delete().where(of(workflows), workflows.c.sequence >= bindparam("first"))
)
_BY_RUN: Mapping[RunState, WorkflowStatus] = MappingProxyType(
    {state: WorkflowStatus.RUNNING for state in RunState if state not in ENDED_RUNS}
    | {
        RunState.COMPLETED: WorkflowStatus.COMPLETED,
        RunState.FAILED: WorkflowStatus.FAILED,
    }
)
_KEPT = RowsOf(KeptWorkflow, workflows, but="sequence")


def store(
    db: sa.Connection,
    key: SessionKey,
    revisions: Sequence[NewRevision],
    made_by: MadeBy,
) -> None:
    """Insert revisions."""
    numbers = {
        (each.body.workflow_id, each.body.revision): each.sequence
        for each in made_by.events
        if isinstance(each.body, WorkflowChanged)
    }
    rows = [
        owned(key)
        | WORKFLOWS.new_row(
            each.workflow,
            sequence=numbers[each.workflow.workflow_id, each.workflow.revision],
            definition=dump(each.workflow),
            decision_id=each.decision_id,
            turn_id=made_by.turn_id,
            create_time=made_by.now,
        )
        for each in revisions
    ]
    _INSERT.run_each(db, rows)


def get_workflow(
    db: sa.Connection, key: SessionKey, workflow_id: str, revision: int = 0
) -> KeptWorkflow:
    """Return a revision, by default the newest; NotFound where there is none."""
    sessions.read(db, key)
    found = find(db, key, workflow_id, revision)
    if found is None:
        raise NotFound("workflow", f"{workflow_id}@{revision}" if revision else workflow_id)
    return found


def find(
    db: sa.Connection, key: SessionKey, workflow_id: str, revision: int = 0
) -> KeptWorkflow | None:
    """Return a revision, by default the newest; None where there is none."""
    wanted = at(key) | {"at_workflow": workflow_id}
    if revision:
        row = _AT_REVISION.row(db, wanted | {"at_revision": revision})
    else:
        row = _LAST.row(db, wanted)
    return None if row is None else _kept(row)


def take_back(db: sa.Connection, key: SessionKey, first: int) -> None:
    """Delete the revisions from an event on."""
    _TAKE_BACK.run(db, at(key) | {"first": first})


def made_by_then(db: sa.Connection, key: SessionKey, last: int) -> list[Found]:
    """Return the rows of revisions that were made up to an event; of none, what was brought."""
    return [row for row in _ALL.rows(db, at(key)) if row.sequence <= last]


def _kept(row: Found) -> KeptWorkflow:
    # Those that the script brought are numbered below the events, which nobody need know.
    number = max(row.sequence, 0)
    workflow = load(Workflow, row.definition)
    if row.run_state:
        state = RunState(row.run_state)
        # A run that was cancelled leaves the workflow as it was.
        workflow = replace(workflow, status=_BY_RUN.get(state, workflow.status))
    return _KEPT.value(row, workflow=workflow, sequence=number)


list_workflows = paged(_NEWEST, _kept, workflows.c.sequence)
