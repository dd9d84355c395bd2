"""The tables of runs as the checker reads them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime

from tests.chaos.databases import Database

_RUNS = """
    SELECT session_id, run_id, workflow_name, state, inputs, decision_id, end_time FROM runs
    ORDER BY session_id, sequence
"""
_NODES = """
    SELECT session_id, run_id, path, attempt, state, end_time FROM node_runs
    ORDER BY session_id, run_id, path, attempt
"""
RAN = """
    SELECT r.session_id, r.workflow_name, r.state, r.failure, n.path, n.attempt, n.state,
        n.skip_reason, n.output, n.failure
    FROM runs r JOIN node_runs n USING (tenant, session_id, run_id)
    ORDER BY r.session_id, r.sequence, n.path, n.attempt
"""
"""How each run stands, and what its nodes gave."""


@dataclass(frozen=True, slots=True)
class RunRow:
    """A run."""

    session_id: str
    run_id: str
    workflow: str
    state: str
    tag: str
    """The input by which an endpoint knows its calls."""
    decision_id: str
    ended_at: float | None
    """Seconds since 1970."""


@dataclass(frozen=True, slots=True)
class NodeRow:
    """An attempt of a node."""

    session_id: str
    run_id: str
    path: str
    attempt: int
    state: str
    ended_at: float | None


def run_rows(database: Database) -> tuple[RunRow, ...]:
    """Return the runs, those of a session in their order."""
    return tuple(
        RunRow(
            str(sid), str(run_id), str(name), str(state), _tag(inputs), str(decision), _at(ended)
        )
        for sid, run_id, name, state, inputs, decision, ended in database.rows(_RUNS)
    )


def node_rows(database: Database) -> tuple[NodeRow, ...]:
    """Return the attempts of all nodes."""
    return tuple(
        NodeRow(str(sid), str(run_id), str(path), int(str(attempt)), str(state), _at(ended))
        for sid, run_id, path, attempt, state, ended in database.rows(_NODES)
    )


def _tag(inputs: object) -> str:
    return str(json.loads(str(inputs)).get("tag", ""))


def _at(moment: object) -> float | None:
    """Return a moment of either database in seconds since 1970."""
    if moment is None:
        return None
    if isinstance(moment, datetime):
        return moment.timestamp()
    return int(str(moment)) / 1_000_000
