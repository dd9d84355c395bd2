"""What a worker writes of a node: it begins, and it ends; each is one transaction."""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa

from session_store.event_drafts import EventDraft
from session_store.records.runs import BegunNode, EndedNode, RunLease, RunWritten, StartedNode
from session_store.runs.run_drafts import node_drafts, spent_draft
from session_store.runs.run_sizes import written
from session_store.sql.runs import node_rows, run_rows, run_values
from session_store.sql.runs.run_rows import HeldRun
from session_store.sql.sessions import calls
from session_store.sql.sessions.events import Emitted, emit, keep


def begin_node(db: sa.Connection, lease: RunLease, node: StartedNode) -> BegunNode:
    """Write that an attempt begins, where no other run of the session waits for a decision."""
    held = run_rows.held_by(db, lease)
    time_left = held.row.deadline - held.locked.now
    if held.row.others_wait:
        return BegunNode(time_left=time_left, is_stopped=True)
    emitted = emit(held.locked, list(node_drafts(lease.run_id, (*node.skipped, node.record))))
    keep(db, held.locked, emitted, {})
    told = node_rows.told(emitted.events, held.locked.now)
    inputs = written(node.inputs)
    node_rows.begin(db, held.of, node_rows.Begins(node.record, inputs, node.has_effect), told)
    run_values.store(db, held.of, (inputs,))
    node_rows.store(db, held.of, node.skipped, told)
    return BegunNode(time_left=time_left, events=emitted.events)


def end_node(db: sa.Connection, lease: RunLease, node: EndedNode) -> RunWritten:
    """Write how an attempt ended, with its output, files and model calls.

    Errors:
        QuotaSpent: output or files are too large, reason RUN_VALUE_TOO_LARGE; or the run has no
            room for them, reason RUN_VALUES_SPENT. Nothing is written.
    """
    held = run_rows.held_by(db, lease)
    ended = EndedAttempt(held, node)
    emitted = emit(held.locked, ended.drafts())
    keep(db, held.locked, emitted, ended.append_calls(db))
    ended.write(db, emitted)
    return RunWritten(events=emitted.events)


@dataclass(frozen=True, slots=True)
class EndedAttempt:
    """An attempt that ends: what is told of it, and what is written."""

    held: HeldRun
    node: EndedNode

    def drafts(self) -> list[EventDraft]:
        """Return what is told: the node, what is skipped with it, and whether it is spent."""
        run_id, node = self.held.row.run_id, self.node
        drafts = list(node_drafts(run_id, (node.record, *node.skipped)))
        return [*drafts, spent_draft(run_id, node.record)] if node.is_spent else drafts

    def append_calls(self, db: sa.Connection) -> dict[str, object]:
        """Append its model calls to the ledger; return the columns of the session's row."""
        made, run_id = self.node.calls, self.held.row.run_id
        return calls.append(db, self.held.locked, "", made, run_id=run_id) if made else {}

    def write(self, db: sa.Connection, emitted: Emitted) -> None:
        """Write its row, its output and its files."""
        held, node = self.held, self.node
        now = held.locked.now
        told = node_rows.told(emitted.events, now)
        wake = None if node.wake_after is None else now + node.wake_after
        node_rows.store(db, held.of, (node.record,), told, wake_time=wake)
        node_rows.store(db, held.of, node.skipped, told)
        run_values.store_files(db, held.of, node.record.path, node.artifacts, now)
