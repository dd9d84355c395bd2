"""The store over SQL: each method is a function of one transaction, bound to the engine."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Sequence
from datetime import timedelta
from functools import partial
from typing import Any, Concatenate, ParamSpec, TypeVar

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from heartrule.domain.conversation import UserInput
from heartrule.domain.events import SessionEvent
from heartrule.domain.keys import SessionKey
from session_store.records import (
    AcceptedInput,
    AssetRecord,
    ErasedSessions,
    SessionRecord,
    TurnSnapshot,
)
from session_store.sql.database.engine import Engine
from session_store.sql.database.prepared import Prepared
from session_store.sql.database.statements import at, of
from session_store.sql.database.tables import events as events_table
from session_store.sql.database.tables import sessions as sessions_table
from session_store.sql.monitor import analyses, plan_edits, proposals, requests
from session_store.sql.sessions import (
    calls,
    erasure,
    events,
    fork,
    histories,
    rewind,
    scripts,
    sessions,
)
from session_store.sql.turns import ending, inputs, leases, steps, stops, turns

P = ParamSpec("P")
R = TypeVar("R")
_EMITTED = Prepared(
    select(events_table.c.create_time, events_table.c.turn_id, events_table.c.attempt).where(
        of(events_table), events_table.c.sequence == bindparam("at_sequence")
    )
)
_MADE = Prepared(select(sessions_table.c.create_time).where(of(sessions_table)))


def emitted(db: sa.Connection, key: SessionKey, events_made: Sequence[SessionEvent]) -> bool:
    """Return True where the first of these events is stored as this transaction emitted it.

    Its number may meanwhile be another's: the time, to the microsecond, and the attempt differ.
    """
    if not events_made:
        return False
    first = events_made[0]
    row = _EMITTED.row(db, at(key) | {"at_sequence": first.sequence})
    known = (first.create_time, first.turn_id, first.attempt)
    return row is not None and (row.create_time, row.turn_id, row.attempt) == known


def made_session(db: sa.Connection, record: SessionRecord) -> bool:
    """Return True where the session was made by this transaction, or before it."""
    return bool(_MADE.scalar(db, at(record.key)) == record.create_time)


def was_begun(
    db: sa.Connection, begun: object, key: SessionKey, *, owner: str, ttl: timedelta
) -> bool:
    """Return True where this transaction began a turn."""
    del owner, ttl
    return isinstance(begun, TurnSnapshot) and emitted(db, key, begun.events)


def was_accepted_or_begun(
    db: sa.Connection,
    done: tuple[AcceptedInput, object],
    key: SessionKey,
    user_input: UserInput,
    *,
    owner: str,
    ttl: timedelta,
) -> bool:
    """Return True where this transaction accepted the input, or began a turn."""
    del user_input
    accepted, begun = done
    return was_begun(db, begun, key, owner=owner, ttl=ttl) or emitted(db, key, accepted.events)


def _reads(
    work: Callable[Concatenate[sa.Connection, P], R],
) -> Callable[Concatenate[SqlStore, P], Coroutine[Any, Any, R]]:
    """Return the method that runs a function as a transaction that reads."""

    async def method(store: SqlStore, /, *args: P.args, **named: P.kwargs) -> R:
        return await store._engine.read(  # noqa: SLF001  a method of the store
            lambda db: work(db, *args, **named)
        )

    method.__doc__ = leases.__doc__
    return method


def _writes(
    work: Callable[Concatenate[sa.Connection, P], R],
    *,
    proof: Callable[Concatenate[sa.Connection, R, P], bool] | None = None,
) -> Callable[Concatenate[SqlStore, P], Coroutine[Any, Any, R]]:
    """Return the method that runs a function as a transaction that writes.

    `proof` is given what the function returned, and the method's arguments; see `Engine.write`.
    """

    async def method(store: SqlStore, /, *args: P.args, **named: P.kwargs) -> R:
        def proven(db: sa.Connection, done: R) -> bool:
            return proof is not None and proof(db, done, *args, **named)

        return await store._engine.write(  # noqa: SLF001  a method of the store
            lambda db: work(db, *args, **named), proof=proven if proof else None
        )

    method.__doc__ = leases.__doc__
    return method


class SqlStore:
    """Every port over one engine; what each call promises stands in `session_store.ports`."""

    def __init__(self, engine: Engine) -> None:
        """Keep the engine; `start` opens it."""
        self._engine = engine

    # --- the whole ------------------------------------------------------------------------------

    async def start(self) -> None:
        """Migrate under a lock and open; on SQLite a second process is refused with NotReady."""
        await self._engine.start()

    async def ping(self) -> None:
        """Answer when the database does, and has room; StoreUnavailable, StoreFull otherwise."""
        await self._engine.read(_ping)
        await self._engine.probe_disk()

    async def aclose(self) -> None:
        """Close everything; afterwards no file or connection is open."""
        await self._engine.aclose()

    # --- scripts and assets ---------------------------------------------------------------------

    save_script = _writes(scripts.save_script)
    load_script = _reads(scripts.load_script)
    list_scripts = _reads(scripts.list_scripts)
    list_script_versions = _reads(scripts.list_script_versions)
    save_asset = _writes(scripts.save_asset)
    load_asset = _reads(scripts.load_asset)

    async def find_assets(self, tenant: str, hashes: Iterable[str]) -> dict[str, AssetRecord]:
        """Return the descriptions of those that are there, by hash."""
        wanted = tuple(hashes)  # a transaction may run twice, an iterator does not
        return await self._engine.read(partial(scripts.find_assets, tenant=tenant, hashes=wanted))

    # --- sessions -------------------------------------------------------------------------------

    create_session = _writes(
        sessions.create_session, proof=lambda db, done, *_, **__: made_session(db, done)
    )
    get_session = _reads(sessions.get_session)
    list_sessions = _reads(sessions.list_sessions)
    list_messages = _reads(sessions.list_messages)
    list_variables = _reads(sessions.list_variables)
    list_calls = _reads(sessions.list_calls)
    list_ledger = _reads(sessions.list_ledger)
    find_idle = _reads(ending.find_idle)
    end_idle = _writes(
        ending.end_idle, proof=lambda db, done, key, *_, **__: emitted(db, key, done)
    )

    async def delete_session(self, key: SessionKey) -> None:
        """Erase all content, leave a tombstone; repeated, it changes nothing; else NotFound."""
        await self._engine.erase(partial(erasure.delete_session, key=key))

    async def delete_user_data(self, tenant: str, user_id: str) -> ErasedSessions:
        """Erase every session and global of the user; repeated, it erases nothing more."""
        return await self._engine.erase(
            partial(erasure.delete_user_data, tenant=tenant, user_id=user_id)
        )

    async def trim_ledger(self, older_than: timedelta) -> int:
        """Empty prompts and replies of older model calls; return how many calls it was."""
        trimmed = 0
        while True:
            some = await self._engine.write(partial(calls.trim_ledger, older_than=older_than))
            trimmed += some
            if some < calls.TRIM_BATCH:
                return trimmed

    # --- histories ------------------------------------------------------------------------------

    list_definitions = _reads(sessions.list_definitions)
    list_operations = _reads(histories.operations)
    latest_operations = _reads(histories.operations_of)
    list_snapshots = _reads(histories.snapshots)
    list_exits = _reads(histories.exits)
    list_metrics = _reads(histories.metrics)
    list_feedback = _reads(histories.list_feedback)
    list_strategies = _reads(histories.strategies)
    last_exit = _reads(histories.last_exit)

    # --- forks, and turns taken back ------------------------------------------------------------

    fork_session = _writes(
        fork.fork_session, proof=lambda db, done, *_, **__: made_session(db, done.session)
    )
    retry_turn = _writes(
        rewind.retry_turn, proof=lambda db, done, retry: emitted(db, retry.key, done.events)
    )

    # --- events ---------------------------------------------------------------------------------

    read_events = _reads(events.read_events)
    read_turn = _reads(events.read_turn)

    def changes(self) -> AsyncIterator[SessionKey | None]:
        """Yield sessions that other processes wrote to; ends at once where there are none."""
        return self._engine.changes()

    # --- turns ----------------------------------------------------------------------------------

    accept_input = _writes(
        inputs.accept_input,
        proof=lambda db, done, key, *_, **__: emitted(db, key, done.events),
    )
    accept_and_begin = _writes(turns.accept_and_begin, proof=was_accepted_or_begun)
    begin_opening = _writes(turns.begin_opening, proof=was_begun)
    begin_turn = _writes(turns.begin_turn, proof=was_begun)
    renew_lease = _writes(leases.renew_lease)
    commit_step = _writes(
        steps.commit_step,
        proof=lambda db, done, lease, *_, **__: emitted(db, lease.key, done.events),
    )
    fail_turn = _writes(
        steps.fail_turn, proof=lambda db, done, lease, *_, **__: emitted(db, lease.key, done)
    )
    find_work = _reads(leases.find_work)
    find_lapsing = _reads(leases.find_lapsing)
    interrupt_turn = _writes(stops.interrupt_turn)
    find_stop = _reads(stops.find_stop)
    leave_turn = _writes(stops.leave_turn)

    # --- monitor and plans ----------------------------------------------------------------------

    claim_monitor_request = _writes(requests.claim_monitor_request)
    due_monitor_requests = _reads(requests.due_monitor_requests)
    look_for_advice = _reads(analyses.pending_analysis)
    finish_analysis = _writes(
        analyses.finish_analysis,
        proof=lambda db, done, record: emitted(db, record.ticket.key, done),
    )
    due_plannings = _reads(proposals.due)
    claim_planning = _writes(proposals.claim)
    propose_edit = _writes(
        proposals.propose_edit, proof=lambda db, done, proposed: emitted(db, proposed.key, done)
    )
    request_undo = _writes(
        proposals.request_undo, proof=lambda db, done, key, *_, **__: emitted(db, key, done[1])
    )
    list_plan_edits = _reads(plan_edits.list_plan_edits)
    get_plan = _reads(proposals.plan_view)


def _ping(db: sa.Connection) -> None:
    db.exec_driver_sql("SELECT 1")
