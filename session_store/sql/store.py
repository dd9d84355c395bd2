"""The store over SQL: each method is a function of one transaction, bound to the engine."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from datetime import timedelta
from functools import partial
from typing import Any, Concatenate, ParamSpec, TypeVar

import sqlalchemy as sa

from heartrule.domain.keys import SessionKey
from session_store.sql.database.engine import Engine, Transaction
from session_store.sql.monitor import analyses, claims, plan_edits
from session_store.sql.safety import alert_outbox, safety_events
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
from session_store.sql.sessions.events import was_emitted
from session_store.sql.turns import ending, inputs, leases, steps, stops, turns

P = ParamSpec("P")
R = TypeVar("R")


def _bound(
    work: Callable[Concatenate[sa.Connection, P], R],
    run: Callable[[Engine, Transaction[R]], Awaitable[R]],
) -> Callable[Concatenate[SqlStore, P], Coroutine[Any, Any, R]]:
    """Return the method that has the engine run a function as a transaction."""

    async def method(store: SqlStore, /, *args: P.args, **named: P.kwargs) -> R:
        engine = store._engine  # noqa: SLF001  a method of the store
        return await run(engine, lambda db: work(db, *args, **named))

    method.__doc__ = work.__doc__
    return method


def _reads(
    work: Callable[Concatenate[sa.Connection, P], R],
) -> Callable[Concatenate[SqlStore, P], Coroutine[Any, Any, R]]:
    return _bound(work, lambda engine, transaction: engine.read(transaction))


def _erases(
    work: Callable[Concatenate[sa.Connection, P], R],
) -> Callable[Concatenate[SqlStore, P], Coroutine[Any, Any, R]]:
    return _bound(work, lambda engine, transaction: engine.erase(transaction))


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

    method.__doc__ = work.__doc__
    return method


class SqlStore:
    """Every port over one engine; `session_store.ports` has what each call promises."""

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
    find_assets = _reads(scripts.find_assets)
    load_asset = _reads(scripts.load_asset)

    # --- sessions -------------------------------------------------------------------------------

    create_session = _writes(
        sessions.create_session, proof=lambda db, done, *_, **__: sessions.was_created(db, done)
    )
    get_session = _reads(sessions.get_session)
    list_sessions = _reads(sessions.list_sessions)
    list_messages = _reads(sessions.list_messages)
    list_variables = _reads(sessions.list_variables)
    list_calls = _reads(calls.list_calls)
    list_ledger = _reads(calls.list_ledger)
    find_idle = _reads(ending.find_idle)
    end_idle = _writes(
        ending.end_idle, proof=lambda db, done, key, *_, **__: was_emitted(db, key, done)
    )

    delete_session = _erases(erasure.delete_session)
    delete_user_data = _erases(erasure.delete_user_data)

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
        fork.fork_session, proof=lambda db, done, *_, **__: sessions.was_created(db, done.session)
    )
    retry_turn = _writes(
        rewind.retry_turn, proof=lambda db, done, retry: was_emitted(db, retry.key, done.events)
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
        proof=lambda db, done, key, *_, **__: was_emitted(db, key, done.events),
    )
    accept_and_begin = _writes(
        turns.accept_and_begin,
        proof=lambda db, done, key, *_, **__: turns.was_accepted_or_begun(db, done, key),
    )
    begin_opening = _writes(
        turns.begin_opening, proof=lambda db, done, key, **_: turns.was_begun(db, done, key)
    )
    begin_turn = _writes(
        turns.begin_turn, proof=lambda db, done, key, **_: turns.was_begun(db, done, key)
    )
    renew_lease = _writes(leases.renew_lease)
    commit_step = _writes(
        steps.commit_step,
        proof=lambda db, done, lease, *_, **__: was_emitted(db, lease.key, done.events),
    )
    fail_turn = _writes(
        ending.fail_turn, proof=lambda db, done, lease, *_, **__: was_emitted(db, lease.key, done)
    )
    find_work = _reads(leases.find_work)
    find_lapsing = _reads(leases.find_lapsing)
    interrupt_turn = _writes(stops.interrupt_turn)
    find_stop = _reads(stops.find_stop)
    leave_turn = _writes(stops.leave_turn)

    # --- the crisis path ------------------------------------------------------------------------

    get_safety = _reads(safety_events.get_safety)
    list_safety_events = _reads(safety_events.list_safety_events)
    safety_report = _reads(safety_events.safety_report)
    acknowledge_safety = _writes(safety_events.acknowledge_safety)
    close_safety = _writes(
        safety_events.close_safety,
        proof=lambda db, done, key, *_, **__: was_emitted(db, key, done[1]),
    )
    record_refused = _writes(safety_events.record_refused)
    claim_alerts = _writes(alert_outbox.claim_alerts)
    alert_delivered = _writes(alert_outbox.alert_delivered)
    alert_failed = _writes(alert_outbox.alert_failed)

    # --- monitor and plans ----------------------------------------------------------------------

    claim_monitor_request = _writes(claims.claim_analysis)
    due_monitor_requests = _reads(claims.ANALYSES.due)
    look_for_advice = _reads(analyses.pending_analysis)
    finish_analysis = _writes(
        analyses.finish_analysis,
        proof=lambda db, done, record: was_emitted(db, record.ticket.key, done),
    )
    due_plannings = _reads(claims.PLANS.due)
    claim_planning = _writes(claims.claim_plan)
    propose_edit = _writes(
        plan_edits.propose_edit,
        proof=lambda db, done, proposed: was_emitted(db, proposed.key, done),
    )
    request_undo = _writes(
        plan_edits.request_undo, proof=lambda db, done, key, *_, **__: was_emitted(db, key, done[1])
    )
    list_plan_edits = _reads(plan_edits.list_plan_edits)
    get_plan = _reads(plan_edits.plan_view)


def _ping(db: sa.Connection) -> None:
    db.exec_driver_sql("SELECT 1")
