"""The store over SQL: each method hands one function to the engine's threads."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from functools import partial

import sqlalchemy as sa

from heartrule.domain.conversation import Message
from heartrule.domain.events import SessionEvent
from heartrule.domain.keys import SessionKey
from heartrule.domain.model_call import LLMDebugInfo, ModelCall
from heartrule.domain.variables import VariableValue
from session_store.records import (
    AnalysisRecord,
    ErasedSessions,
    MonitorTicket,
    MonitorWork,
    NewSession,
    Outlook,
    Page,
    ScriptRecord,
    SessionRecord,
)
from session_store.sql import (
    analyses,
    calls,
    erasure,
    events,
    requests,
    scripts,
    sessions,
)
from session_store.sql.going_back import SqlGoingBack
from session_store.sql.proofs import made_session, told
from session_store.sql.store_assets import SqlAssets
from session_store.sql.store_histories import SqlHistories
from session_store.sql.store_plans import SqlPlans
from session_store.sql.store_stops import SqlStops
from session_store.sql.store_turns import SqlTurns


class SqlStore(SqlTurns, SqlAssets, SqlHistories, SqlPlans, SqlGoingBack, SqlStops):
    """Store over an engine."""

    # --- the whole ------------------------------------------------------------------------------

    async def start(self) -> None:
        """Migrate under a lock and open; on SQLite a second process is refused with NotReady."""
        await self._engine.start()

    async def ping(self) -> None:
        """Answer when the database does, and has room; StoreUnavailable, StoreFull otherwise."""
        await self._engine.read(_ping)
        await self._engine.probe_room()

    async def aclose(self) -> None:
        """Close everything; afterwards no file or connection is open."""
        await self._engine.aclose()

    # --- scripts --------------------------------------------------------------------------------

    async def save_script(self, record: ScriptRecord) -> ScriptRecord:
        """Store a version and return it; the same content again returns the first."""
        return await self._engine.write(partial(scripts.save_script, record=record))

    async def load_script(self, tenant: str, script_id: str, version: str = "") -> ScriptRecord:
        """Return that version, or the newest; NotFound otherwise."""
        return await self._engine.read(
            partial(scripts.load_script, tenant=tenant, script_id=script_id, version=version)
        )

    async def list_scripts(self, tenant: str, page: Page) -> tuple[list[ScriptRecord], str]:
        """Return newest versions by script_id without their files, and the next page's token."""
        return await self._engine.read(partial(scripts.list_scripts, tenant=tenant, page=page))

    async def list_script_versions(
        self, tenant: str, script_id: str, page: Page
    ) -> tuple[list[ScriptRecord], str]:
        """Return a script's versions, newest first, without files; NotFound where it has none."""
        return await self._engine.read(
            partial(scripts.list_script_versions, tenant=tenant, script_id=script_id, page=page)
        )

    # --- sessions -------------------------------------------------------------------------------

    async def create_session(self, new: NewSession) -> SessionRecord:
        """Create it; the same request_id returns the first, a taken session_id AlreadyExists."""
        return await self._engine.write(
            partial(sessions.create_session, new=new), proof=made_session
        )

    async def get_session(self, key: SessionKey) -> SessionRecord:
        """Return it; NotFound where there is none or it was deleted."""
        return await self._engine.read(partial(sessions.get_session, key=key))

    async def list_sessions(
        self, tenant: str, page: Page, *, user_id: str = ""
    ) -> tuple[list[SessionRecord], str]:
        """Return sessions, newest first, and the next page's token."""
        return await self._engine.read(
            partial(sessions.list_sessions, tenant=tenant, page=page, user_id=user_id)
        )

    async def list_messages(self, key: SessionKey, page: Page) -> tuple[list[Message], str]:
        """Return messages by sequence, and the next page's token."""
        return await self._engine.read(partial(sessions.list_messages, key=key, page=page))

    async def list_variables(self, key: SessionKey) -> tuple[VariableValue, ...]:
        """Return live and archived variables and the user's globals."""
        return await self._engine.read(partial(sessions.list_variables, key=key))

    async def list_calls(self, key: SessionKey, page: Page) -> tuple[list[LLMDebugInfo], str]:
        """Return the ledger, oldest first, and the next page's token."""
        found, token = await self.list_ledger(key, page)
        return [each.call for each in found], token

    async def list_ledger(
        self, key: SessionKey, page: Page, *, turn_id: str = ""
    ) -> tuple[list[ModelCall], str]:
        """Return calls with their turns, of one turn where it is named."""
        wanted = partial(sessions.list_ledger, key=key, page=page, turn_id=turn_id)
        return await self._engine.read(wanted)

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

    # --- events ---------------------------------------------------------------------------------

    async def read_events(
        self, key: SessionKey, after: int, limit: int = 500
    ) -> tuple[SessionEvent, ...]:
        """Return events with sequence > `after`, in order; NotFound for a deleted session."""
        return await self._engine.read(
            partial(events.read_events, key=key, after=after, limit=limit)
        )

    async def read_turn(self, key: SessionKey, turn_id: str) -> tuple[SessionEvent, ...]:
        """Return a turn's events of all attempts, its InputAccepted first; NotFound if unknown."""
        return await self._engine.read(partial(events.read_turn, key=key, turn_id=turn_id))

    def changes(self) -> AsyncIterator[SessionKey | None]:
        """Yield sessions that other processes wrote to; ends at once where there are none."""
        return self._engine.changes()

    # --- monitor --------------------------------------------------------------------------------

    async def claim_monitor_request(
        self, ticket: MonitorTicket, *, owner: str, ttl: timedelta
    ) -> MonitorWork | None:
        """Claim one request; None when it is done, claimed elsewhere, pausing, or exhausted."""
        return await self._engine.write(
            partial(requests.claim_monitor_request, ticket=ticket, owner=owner, ttl=ttl)
        )

    async def due_monitor_requests(self, limit: int) -> tuple[MonitorTicket, ...]:
        """Return requests that are free; after two claims that died in a row, as `exhausted`."""
        return await self._engine.read(partial(requests.due_monitor_requests, limit=limit))

    async def look_for_advice(self, ticket: MonitorTicket) -> Outlook:
        """Return whether the round's analysis is to come, and its pending advice."""
        return await self._engine.read(partial(analyses.outlook, ticket=ticket))

    async def finish_analysis(self, record: AnalysisRecord) -> tuple[SessionEvent, ...]:
        """Write analysis, advice, ledger and state in one transaction; done already: nothing."""
        return await self._engine.write(
            partial(analyses.finish_analysis, record=record),
            proof=lambda db, done: told(db, record.ticket.key, done),
        )


def _ping(db: sa.Connection) -> None:
    db.exec_driver_sql("SELECT 1")
