"""Rows of nodes of runs, one for each attempt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from heartrule.domain.events import SessionEvent
from heartrule.domain.json_value import JsonValue
from heartrule.domain.run_events import NodeChanged
from heartrule.domain.runs import NodeRecord, NodeState
from session_store.records.kept_runs import KeptNode
from session_store.runs.run_drafts import ended_node
from session_store.runs.run_sizes import NO_VALUE, WrittenValue, read_value, written
from session_store.sql.database.prepared import Prepared
from session_store.sql.database.statements import Found, of, of_one_session
from session_store.sql.database.tables_of_runs import IS_OPEN_NODE, node_runs
from session_store.sql.rows_of import RowsOf
from session_store.sql.runs import run_values
from session_store.sql.runs.run_values import OF_RUN, OfRun

_OF_RUN = select(node_runs).where(of(node_runs), node_runs.c.run_id == OF_RUN)
# Attempts of a node lie one behind the other, so that the newest is read last.
_ALL = Prepared(_OF_RUN.order_by(node_runs.c.path, node_runs.c.attempt))
_NEWER = node_runs.alias("newer")
_OPEN = Prepared(
    _OF_RUN.where(
        IS_OPEN_NODE,
        ~sa.exists().where(
            of_one_session(_NEWER, node_runs),
            _NEWER.c.run_id == node_runs.c.run_id,
            _NEWER.c.path == node_runs.c.path,
            _NEWER.c.attempt > node_runs.c.attempt,
        ),
    ).order_by(node_runs.c.path)
)
_STANDING = (
    "last_attempt",
    "delay",
    "state",
    "skip_reason",
    "output",
    "output_hash",
    "failure",
    "failed_conditions",
    "wake_time",
    "end_time",
)
_GIVEN = ("inputs", "inputs_hash", "has_effect", "begin_time")
_NODES = RowsOf(KeptNode, node_runs, but="inputs")
_RECORDS = RowsOf(NodeRecord, node_runs, but="output")


def _writing(names: Sequence[str]) -> Prepared:
    """Return the insert that writes these columns where the attempt is there."""
    statement = insert(node_runs)
    keys = list(node_runs.primary_key.columns)
    changed: dict[str, Any] = {name: statement.excluded[name] for name in names}
    if "begin_time" not in names:
        first_end = (node_runs.c.end_time, statement.excluded["end_time"])
        changed["end_time"] = sa.func.coalesce(*first_end)
    return Prepared(statement.on_conflict_do_update(index_elements=keys, set_=changed))


_BEGIN = _writing((*_STANDING, *_GIVEN))
# How an attempt stands may change after its end, such as by a decision; its end stays.
_WRITE = _writing(_STANDING)


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a transaction told of nodes, and when."""

    numbers: Mapping[tuple[str, str], int]
    """Of the event of each node, by run and path."""
    now: datetime


@dataclass(frozen=True, slots=True)
class Begins:
    """An attempt that begins."""

    record: NodeRecord
    inputs: WrittenValue
    has_effect: bool


def told(events: Iterable[SessionEvent], now: datetime) -> Told:
    """Return what events told of nodes."""
    numbers = {
        (each.body.run_id, each.body.path): each.sequence
        for each in events
        if isinstance(each.body, NodeChanged)
    }
    return Told(numbers=numbers, now=now)


def begin(db: sa.Connection, run: OfRun, begins: Begins, by: Told) -> None:
    """Write an attempt that begins; one that was written as pending is the same row."""
    given = {
        "inputs": begins.inputs.text,
        "inputs_hash": begins.inputs.sha256,
        "has_effect": begins.has_effect,
        "begin_time": by.now,
    }
    _BEGIN.run(db, _row(run, begins.record, NO_VALUE, by) | given)


def store(
    db: sa.Connection,
    run: OfRun,
    records: Sequence[NodeRecord],
    by: Told,
    *,
    wake_time: datetime | None = None,
) -> None:
    """Write how nodes stand; `wake_time` is when the next attempt of each may begin.

    Errors:
        QuotaSpent: an output is too large, reason RUN_VALUE_TOO_LARGE; or the run has no room for
            it, reason RUN_VALUES_SPENT.
    """
    outputs = [written(each.output) for each in records]
    rows = [
        _row(run, each, output, by) | {"wake_time": wake_time}
        for each, output in zip(records, outputs, strict=True)
    ]
    _WRITE.run_each(db, rows)
    run_values.store(db, run, outputs)


def _row(run: OfRun, record: NodeRecord, output: WrittenValue, by: Told) -> dict[str, object]:
    return run.owned | _RECORDS.new_row(
        record,
        sequence=by.numbers[run.run_id, record.path],
        delay=timedelta(seconds=record.delay_s),
        output=output.text,
        output_hash=output.sha256,
        end_time=by.now if ended_node(record) else None,
    )


def open_records(db: sa.Connection, run: OfRun) -> list[NodeRecord]:
    """Return the nodes that have not ended."""
    return [_record(row, None) for row in _OPEN.rows(db, run.at)]


def newest_rows(db: sa.Connection, run: OfRun) -> dict[str, Found]:
    """Return the row of the newest attempt of each node, by path."""
    return {row.path: row for row in _ALL.rows(db, run.at)}


def progress(db: sa.Connection, run: OfRun, newest: Mapping[str, Found]) -> dict[str, NodeRecord]:
    """Return the newest attempt of each node with its whole output, by path."""
    apart = run_values.texts_of(db, run, (row.output_hash for row in newest.values()))
    return {
        path: _record(row, read_value(row.output, apart.get(row.output_hash, "")))
        for path, row in newest.items()
    }


def waits(newest: Mapping[str, Found], now: datetime) -> dict[str, timedelta]:
    """Return how long nodes wait for their next attempts; what is due is left out."""
    waiting = (row for row in newest.values() if row.state == NodeState.RETRYING)
    return {
        row.path: row.wake_time - now for row in waiting if row.wake_time and row.wake_time > now
    }


def kept_nodes(db: sa.Connection, run: OfRun) -> tuple[KeptNode, ...]:
    """Return every attempt in the order in which they began, without what lies apart."""
    rows = sorted(_ALL.rows(db, run.at), key=lambda row: (row.sequence, row.path, row.attempt))
    return tuple(_kept(row) for row in rows)


def _kept(row: Found) -> KeptNode:
    record = _record(row, read_value(row.output))
    return _NODES.value(row, record=record, inputs=read_value(row.inputs))


def _record(row: Found, output: JsonValue) -> NodeRecord:
    return _RECORDS.value(row, output=output, delay_s=row.delay.total_seconds())
