"""Retention: what is deleted by age."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.events import (
    ActionResultRecorded,
    AdviceChanged,
    AnalysisEnded,
    StrategyDecided,
)
from heartrule.domain.keys import SessionKey
from heartrule.domain.position import ExecutionStatus
from session_store.event_drafts import kind_of
from session_store.past import Pruned
from session_store.sql.bound import OfEngine
from session_store.sql.database.prepared import now_of
from session_store.sql.database.statements import Values, at, of, of_one_session
from session_store.sql.database.tables import events
from session_store.sql.database.tables import sessions as table
from session_store.sql.database.tables_beside import advice, monitor_requests, safety_events
from session_store.sql.database.tables_of_decisions import decisions, workflows
from session_store.sql.database.tables_of_runs import node_runs, run_artifacts, run_values, runs
from session_store.sql.runs import run_ends, run_trimming
from session_store.sql.sessions import calls, erasure, prompt_parts, sessions
from session_store.sql.threads.tables_of_threads import sub_thread_messages, sub_threads

# Sessions one search finds; each is a transaction of its own.
BATCH = 50

_OBSERVED = tuple(
    map(kind_of, (ActionResultRecorded, AdviceChanged, AnalysisEnded, StrategyDecided))
)
_UNTIL = bindparam("until", type_=table.c.update_time.type)
# A refused input changes no session, yet its hit must not be erased before anyone has seen it.
_HIT_SINCE = sa.exists().where(
    of_one_session(safety_events, table), safety_events.c.create_time > _UNTIL
)
_UNTOUCHED = (
    select(table.c.tenant, table.c.session_id)
    .where(
        table.c.deleted.is_(False),
        table.c.frozen.is_(False),
        table.c.update_time <= _UNTIL,
        sa.not_(_HIT_SINCE),
    )
    .limit(BATCH)
)
_ENDED = _UNTOUCHED.where(table.c.status == ExecutionStatus.COMPLETED.value)
_PRUNABLE = {
    Pruned.METRICS: _ENDED.where(table.c.pruned == Pruned.NOTHING.value),
    Pruned.EVENTS: _ENDED.where(table.c.pruned != Pruned.EVENTS.value),
}
_ALL_EVENTS = events.delete().where(of(events))
_ANALYSES = tuple(each.delete().where(of(each)) for each in (monitor_requests, advice))
# What events name goes with them.
_DECIDED = tuple(
    each.delete().where(of(each))
    for each in (
        decisions,
        workflows,
        runs,
        node_runs,
        run_values,
        run_artifacts,
        sub_threads,
        sub_thread_messages,
    )
)
_DELETE = {
    Pruned.METRICS: (_ALL_EVENTS.where(events.c.kind.in_(_OBSERVED)), *_ANALYSES),
    Pruned.EVENTS: (_ALL_EVENTS, *_ANALYSES, *_DECIDED),
}
_NOTE_METRICS = table.update().where(of(table)).values(pruned=bindparam("to"))
_NOTE = {
    Pruned.METRICS: _NOTE_METRICS,
    Pruned.EVENTS: _NOTE_METRICS.values(runs_waiting=0, results_waiting=0),
}


def find_untouched(db: sa.Connection, older_than: timedelta) -> tuple[SessionKey, ...]:
    """Return a batch of sessions, in any state but frozen, that nothing changed since."""
    return _find(db, _UNTOUCHED, _until(db, older_than))


def find_prunable(db: sa.Connection, what: Pruned, older_than: timedelta) -> tuple[SessionKey, ...]:
    """Return a batch of ended sessions that nothing changed since and that have these events."""
    return _find(db, _PRUNABLE[what], _until(db, older_than))


def prune(db: sa.Connection, key: SessionKey, what: Pruned, older_than: timedelta) -> None:
    """Delete such events of a session, and what analyses found, where it is to be pruned still.

    Only an ended session has no watcher to whom a gap in the sequence would mean a lost event.
    """
    if _is_found_still(db, key, _PRUNABLE[what], older_than):
        if what is Pruned.EVENTS:
            run_ends.close_all(db, key)
        for statement in _DELETE[what]:
            db.execute(statement, at(key))
        db.execute(_NOTE[what], at(key) | {"to": what.value})


def erase_untouched(db: sa.Connection, key: SessionKey, older_than: timedelta) -> None:
    """Erase the session as DeleteSession does, where nothing has changed it meanwhile."""
    if _is_found_still(db, key, _UNTOUCHED, older_than):
        erasure.delete_session(db, key)


def _find(db: sa.Connection, which: sa.Select[Any], values: Values) -> tuple[SessionKey, ...]:
    return tuple(SessionKey(tenant, session_id) for tenant, session_id in db.execute(which, values))


def _until(db: sa.Connection, older_than: timedelta) -> dict[str, object]:
    return {"until": now_of(db) - older_than}


def _is_found_still(
    db: sa.Connection, key: SessionKey, which: sa.Select[Any], older_than: timedelta
) -> bool:
    """Lock the session and search again: a turn or another process's sweep may have been first."""
    locked = sessions.try_lock(db, key)
    if locked is None or locked.is_held:
        return False
    return bool(_find(db, which.where(of(table)), _until(db, older_than) | at(key)))


class SqlRetentionStore(OfEngine):
    """What may be deleted by age; a deletion does one batch and returns how many sessions it found.

    None touches a session whose position is frozen: an operator closes it first.
    """

    async def trim_ledger(self, older_than: timedelta) -> int:
        """Empty prompts and replies of older model calls; return how many calls it was."""
        trimmed = await self._in_batches(calls.trim_ledger, older_than, calls.TRIM_BATCH)
        await self._in_batches(calls.trim_prompts, older_than, prompt_parts.DELETE_BATCH)
        return trimmed

    async def trim_runs(self, older_than: timedelta) -> int:
        """Empty inputs and outputs of runs that ended before, and delete their files; states stay.

        So are the texts in threads of sub-agents; what took a placeholder's place is a message of
        the conversation. A result that has not taken it yet keeps its run whole.

        Returns how many runs it was.
        """
        return await self._in_batches(run_trimming.trim_runs, older_than, run_trimming.TRIM_BATCH)

    async def _in_batches(
        self, work: Callable[[sa.Connection, timedelta], int], older_than: timedelta, batch: int
    ) -> int:
        """Run work in transactions of its own until it finds less than a batch; return the sum."""
        done = 0
        while True:
            some = await self._engine.write(lambda db: work(db, older_than))
            done += some
            if some < batch:
                return done

    async def delete_observations(self, older_than: timedelta) -> int:
        """Delete what was observed in the rounds of ended sessions: metrics, exits, analyses."""
        return await self._prune(Pruned.METRICS, older_than)

    async def delete_events(self, older_than: timedelta) -> int:
        """Delete all events of ended sessions, and what they name; messages and variables stay.

        Decisions, workflows, runs and threads are what they name. An agent that works on still is
        cancelled, and a message takes the place of its placeholder. Afterwards a fork and a retry
        are NotReady, reason EVENTS_DELETED.
        """
        return await self._prune(Pruned.EVENTS, older_than)

    async def delete_untouched(self, older_than: timedelta) -> int:
        """Erase sessions that nothing changed for so long, as `delete_session` does."""
        engine = self._engine
        keys = await engine.read(lambda db: find_untouched(db, older_than))
        # Together: on SQLite all of them share the one rewriting of the file.
        erase = partial(erase_untouched, older_than=older_than)
        await asyncio.gather(*(engine.erase(partial(erase, key=key)) for key in keys))
        return len(keys)

    async def _prune(self, what: Pruned, older_than: timedelta) -> int:
        engine = self._engine
        keys = await engine.read(lambda db: find_prunable(db, what, older_than))
        for key in keys:
            await engine.write(partial(prune, key=key, what=what, older_than=older_than))
        return len(keys)
