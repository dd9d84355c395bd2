"""The store: each method is a function of one transaction, bound to the engine."""

from __future__ import annotations

from collections.abc import AsyncIterator

import sqlalchemy as sa

from heartrule.domain.keys import SessionKey
from session_store.sql.bound import erases, reads, writes
from session_store.sql.forks import fork
from session_store.sql.retention import SqlRetentionStore
from session_store.sql.sessions import (
    calls,
    erasure,
    events,
    histories,
    rewind,
    scripts,
    sessions,
)
from session_store.sql.sessions.events import was_emitted
from session_store.sql.store_beside import SqlStoreBeside
from session_store.sql.store_of_runs import SqlRunStore
from session_store.sql.turns import ending, inputs, leases, steps, stops, turn_notes, turns


class SqlStore(SqlStoreBeside, SqlRunStore, SqlRetentionStore):
    """Everything over one engine; the functions have what each call promises."""

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

    save_script = writes(scripts.save_script)
    load_script = reads(scripts.load_script)
    list_scripts = reads(scripts.list_scripts)
    list_script_versions = reads(scripts.list_script_versions)
    save_asset = writes(scripts.save_asset)
    find_assets = reads(scripts.find_assets)
    load_asset = reads(scripts.load_asset)

    # --- sessions -------------------------------------------------------------------------------

    create_session = writes(
        sessions.create_session, proof=lambda db, done, *_, **__: sessions.was_created(db, done)
    )
    get_session = reads(sessions.get_session)
    update_labels = writes(sessions.update_labels)
    write_notes = writes(turn_notes.write_notes)
    list_notes = reads(turn_notes.list_notes)
    list_sessions = reads(sessions.list_sessions)
    list_messages = reads(histories.list_messages)
    list_variables = reads(sessions.list_variables)
    list_calls = reads(calls.list_calls)
    list_ledger = reads(calls.list_ledger)
    tokens_since = reads(calls.tokens_since)
    find_idle = reads(ending.find_idle)
    end_idle = writes(
        ending.end_idle, proof=lambda db, done, key, *_, **__: was_emitted(db, key, done)
    )

    delete_session = erases(erasure.delete_session)
    delete_user_data = erases(erasure.delete_user_data)

    # --- histories ------------------------------------------------------------------------------

    list_definitions = reads(sessions.list_definitions)
    list_operations = reads(histories.list_operations)
    latest_operations = reads(histories.operations_of)
    list_snapshots = reads(histories.list_snapshots)
    list_exits = reads(histories.list_exits)
    list_metrics = reads(histories.list_metrics)
    list_feedback = reads(histories.list_feedback)
    list_strategies = reads(histories.list_strategies)
    last_exit = reads(histories.last_exit)

    # --- forks, and turns taken back ------------------------------------------------------------

    fork_session = writes(
        fork.fork_session, proof=lambda db, done, *_, **__: sessions.was_created(db, done.session)
    )
    retry_turn = writes(
        rewind.retry_turn, proof=lambda db, done, retry: was_emitted(db, retry.key, done.events)
    )

    # --- events ---------------------------------------------------------------------------------

    read_events = reads(events.read_events)
    read_turn = reads(events.read_turn)

    def changes(self) -> AsyncIterator[SessionKey | None]:
        """Yield sessions that other processes wrote to; ends at once where there are none.

        None means that some may have been missed: any session may have changed.
        """
        return self._engine.changes()

    # --- turns ----------------------------------------------------------------------------------

    accept_input = writes(
        inputs.accept_input,
        proof=lambda db, done, key, *_, **__: was_emitted(db, key, done.events),
    )
    accept_and_begin = writes(
        turns.accept_and_begin,
        proof=lambda db, done, key, *_, **__: turns.was_accepted_or_begun(db, done, key),
    )
    begin_opening = writes(
        turns.begin_opening, proof=lambda db, done, key, **_: turns.was_begun(db, done, key)
    )
    begin_turn = writes(
        turns.begin_turn, proof=lambda db, done, key, **_: turns.was_begun(db, done, key)
    )
    renew_lease = writes(leases.renew_lease)
    commit_step = writes(
        steps.commit_step,
        proof=lambda db, done, lease, *_, **__: was_emitted(db, lease.key, done.events),
    )
    fail_turn = writes(
        ending.fail_turn, proof=lambda db, done, lease, *_, **__: was_emitted(db, lease.key, done)
    )
    find_work = reads(leases.find_work)
    find_lapsing = reads(leases.find_lapsing)
    interrupt_turn = writes(stops.interrupt_turn)
    find_stop = reads(stops.find_stop)
    leave_turn = writes(stops.leave_turn)


def _ping(db: sa.Connection) -> None:
    db.exec_driver_sql("SELECT 1")
