"""What rows of one session say of each other, whatever was done to it; after any random play."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import sqlalchemy as sa
from sqlalchemy import select

from session_store.sql.database.statements import of_one_session
from session_store.sql.database.tables import events, messages, sessions
from session_store.sql.database.tables_beside import (
    alerts,
    model_calls,
    prompt_parts,
    safety_events,
    safety_states,
    summaries,
)
from session_store.sql.database.tables_of_decisions import decisions, workflows
from session_store.sql.database.tables_of_runs import node_runs, run_artifacts, run_values, runs
from session_store.sql.threads.tables_of_threads import sub_thread_messages, sub_threads
from tests.chaos.evidence import Violation
from tests.support.session_rows import rows_by_session

TOMBSTONES = frozenset({"sessions", "erasures"})
"""Tables in which an erased session has a row."""
_COVERED = select(sa.func.max(summaries.c.first_turn)).where(of_one_session(summaries, sessions))
_STATE = sa.and_(
    of_one_session(safety_states, sessions), safety_states.c.sequence == sessions.c.safety_seq
)
_FROZEN = safety_states.c.state.contains('"frozen":true')
_ITS_EVENT = sa.and_(
    of_one_session(events, safety_states), events.c.sequence == safety_states.c.sequence
)
_WAITING = select(sa.func.count()).where(
    of_one_session(runs, sessions),
    runs.c.listed,
    runs.c.end_seq > 0,
    runs.c.taken_seq == 0,
)
_RESULTS = select(sa.func.count()).where(
    of_one_session(sub_threads, sessions),
    sub_threads.c.listed,
    sub_threads.c.parent_thread_id == "",
    sub_threads.c.end_seq > 0,
    sa.not_(sub_threads.c.shown),
)
_STANDING = messages.alias("standing")
_OF_RUNS = (node_runs, run_values, run_artifacts)
_PRUNED = select(sessions.c.session_id).where(
    of_one_session(sessions, safety_states), sessions.c.pruned == "events"
)


def _without_event(table: sa.Table, kind: str) -> sa.Select[Any]:
    """Return the sessions with rows whose number is not that of an event of the kind."""
    its = sa.and_(
        of_one_session(events, table),
        events.c.sequence == table.c.sequence,
        events.c.kind == kind,
    )
    return select(table.c.session_id).where(~sa.exists().where(its))


def _without_run(table: sa.Table) -> sa.Select[Any]:
    """Return the sessions with rows of a run that is not there."""
    its = sa.and_(of_one_session(runs, table), runs.c.run_id == table.c.run_id)
    return select(table.c.session_id).where(~sa.exists().where(its))


def _with_open_place() -> sa.Select[Any]:
    """Return the sessions with a placeholder whose thread has ended, and whose result is shown."""
    its = sa.and_(
        of_one_session(sub_threads, messages),
        sub_threads.c.anchor_message_id == messages.c.message_id,
        sub_threads.c.parent_thread_id == "",
        sub_threads.c.shown,
    )
    return select(messages.c.session_id).where(
        messages.c.completeness == "placeholder",
        messages.c.replaced_by == 0,
        messages.c.turn_no >= 0,
        sa.exists().where(its),
    )


def _replaced_by_none() -> sa.Select[Any]:
    """Return the sessions with a message that is said to be replaced and is not, in its turn."""
    its = sa.and_(
        of_one_session(_STANDING, messages),
        _STANDING.c.sequence == messages.c.replaced_by,
        _STANDING.c.replaces == messages.c.message_id,
        _STANDING.c.turn_no == messages.c.turn_no,
    )
    return select(messages.c.session_id).where(messages.c.replaced_by > 0, ~sa.exists().where(its))


def _running_in_ended() -> sa.Select[Any]:
    """Return the sessions with a thread that runs, of a run that has ended."""
    its = sa.and_(of_one_session(runs, sub_threads), runs.c.run_id == sub_threads.c.run_id)
    return select(sub_threads.c.session_id).where(
        sub_threads.c.state == "running", sa.exists().where(its, runs.c.end_seq > 0)
    )


RULES: Mapping[str, sa.Select[Any] | sa.CompoundSelect[Any]] = {
    "the newest state is there and says whether the position is frozen": select(
        sessions.c.session_id
    )
    .outerjoin(safety_states, _STATE)
    .where(sessions.c.frozen.is_distinct_from(sa.func.coalesce(_FROZEN, sa.false()))),
    "a state has the number of an event": select(safety_states.c.session_id)
    .outerjoin(events, _ITS_EVENT)
    .where(events.c.sequence.is_(None), ~_PRUNED.exists()),
    "a decision has the number of its event": _without_event(decisions, "decision_made"),
    # Those below 0 were there before any event: the session's script brought them.
    "a revision has the number of its event": _without_event(workflows, "workflow_changed").where(
        workflows.c.sequence >= 0
    ),
    "a run has the number of its event": _without_event(runs, "run_changed"),
    "a node has the number of its event": _without_event(node_runs, "node_changed"),
    "the ends that wait for a turn are counted": select(sessions.c.session_id).where(
        sessions.c.runs_waiting != _WAITING.scalar_subquery()
    ),
    "values, files and nodes belong to runs": sa.union(*map(_without_run, _OF_RUNS)),
    "a thread has the number of its event": _without_event(sub_threads, "thread_changed"),
    "the results that wait are counted": select(sessions.c.session_id).where(
        sessions.c.results_waiting != _RESULTS.scalar_subquery()
    ),
    "a thread that has ended leaves no placeholder": _with_open_place(),
    "what is replaced is so in its turn": _replaced_by_none(),
    "no thread outlives its run": _running_in_ended(),
    "what is said in threads belongs to them": select(sub_thread_messages.c.session_id).where(
        ~sa.exists().where(
            of_one_session(sub_threads, sub_thread_messages),
            sub_threads.c.thread_id == sub_thread_messages.c.thread_id,
        )
    ),
    "the newest summary is the one that is named": select(sessions.c.session_id).where(
        sa.not_(sessions.c.deleted),
        sessions.c.summarized != sa.func.coalesce(_COVERED.scalar_subquery(), 0),
    ),
    "no summary covers a turn to come": select(sessions.c.session_id).where(
        sessions.c.summarized > sessions.c.next_turn
    ),
    "an alert has its hit": select(alerts.c.session_id).where(
        ~sa.exists().where(
            of_one_session(safety_events, alerts),
            safety_events.c.safety_event_id == alerts.c.safety_event_id,
        )
    ),
    "parts of prompts belong to calls": select(prompt_parts.c.session_id).where(
        ~sa.exists().where(of_one_session(model_calls, prompt_parts))
    ),
}
"""Sentences, and the sessions of which they do not hold."""


def row_violations(db: sa.Connection) -> list[Violation]:
    """Return what is broken, rows of erased sessions among it."""
    found = [
        Violation(sentence, session_id, "it does not hold")
        for sentence, broken in RULES.items()
        for session_id in db.execute(broken).scalars()
    ]
    return [*found, *_left(db)]


def _left(db: sa.Connection) -> Iterator[Violation]:
    """Yield the rows that an erasure left."""
    living = set(db.execute(select(sessions.c.session_id).where(~sessions.c.deleted)).scalars())
    for table, counts in rows_by_session(db).items():
        for session_id in counts.keys() - living if table not in TOMBSTONES else ():
            yield Violation("an erasure leaves no row", session_id, f"{counts[session_id]} {table}")
