"""The rpcs about sessions: begin, read, label, list, erase."""

from __future__ import annotations

from asyncio import to_thread
from collections.abc import Mapping
from dataclasses import replace

from executor_service.rpc.new_sessions import check_start, new_session
from executor_service.rpc.requests import Context, OfSession, page_of, session_of
from executor_service.sensitive_lookup import sensitive_of
from executor_service.state import execution_state, status_of
from executor_service.streams.session_deps import SessionDeps
from executor_service.waiting_threads import position_with_thread
from executor_service.workflows.bundled_workflows import bundled_workflows
from heartrule.chassis import telemetry
from heartrule.domain.errors import NotFound, NotReady
from heartrule.domain.keys import DEFAULT_TENANT, SessionKey
from heartrule.v1 import erasure_pb2, session_pb2
from heartrule.wire.label_parsing import parse_label_change
from heartrule.wire.message_mapping import fill_message
from heartrule.wire.note_parsing import names_notes, parse_notes
from heartrule.wire.request_parsing import allow, require
from session_store.records import SessionRecord


class SessionServicerBase:
    """What the rpc classes of SessionService share."""

    def __init__(self, deps: SessionDeps) -> None:
        """Serve the sessions of the store of `deps`."""
        self._deps = deps


class SessionRpcs(SessionServicerBase):
    """StartSession, GetSession, UpdateSession, ListSessions, GetExecutionState and erasure."""

    async def StartSession(  # noqa: N802  the contract's name
        self, request: session_pb2.StartSessionRequest, _context: Context
    ) -> session_pb2.StartSessionResponse:
        """Create a session on a published script; nothing runs yet (RESOLUTIONS C28)."""
        check_start(request)
        deps = self._deps
        record = await deps.store.load_script(
            DEFAULT_TENANT, request.script_id, request.script_version
        )
        script = await deps.scripts.get(DEFAULT_TENANT, record.script_id, record.version)
        deps.opt_outs.check(DEFAULT_TENANT, script.safety.opt_out)
        new = new_session(request, script, record.version, deps.settings)
        workflows = await to_thread(bundled_workflows, record.files, record.main)
        created = await deps.store.create_session(replace(new, workflows=workflows))
        telemetry.identify(created.key.session_id)
        deps.inputs.known.remember(created)
        response = session_pb2.StartSessionResponse()
        fill_session(created, response.session, script.session_name)
        return response

    async def GetSession(  # noqa: N802
        self, request: session_pb2.GetSessionRequest, _context: Context
    ) -> session_pb2.GetSessionResponse:
        """Return a session in its present state."""
        record = await self._record(request)
        response = session_pb2.GetSessionResponse()
        fill_session(record, response.session, await self._title(record))
        if request.with_notes:
            response.session.notes.update(await self._deps.store.list_notes(record.key))
        return response

    async def UpdateSession(  # noqa: N802
        self, request: session_pb2.UpdateSessionRequest, _context: Context
    ) -> session_pb2.UpdateSessionResponse:
        """Change the labels, or the notes at turns, that the mask names."""
        key, store = session_of(request), self._deps.store
        notes: Mapping[str, str] = {}
        if names_notes(request):
            await store.write_notes(key, parse_notes(request))
            record, notes = await store.get_session(key), await store.list_notes(key)
        else:
            record = await store.update_labels(key, parse_label_change(request))
        response = session_pb2.UpdateSessionResponse()
        fill_session(record, response.session, await self._title(record))
        response.session.notes.update(notes)
        return response

    async def ListSessions(  # noqa: N802
        self, request: session_pb2.ListSessionsRequest, _context: Context
    ) -> session_pb2.ListSessionsResponse:
        """Return sessions, newest first."""
        allow(user_id=request.user_id)
        found, token = await self._deps.store.list_sessions(
            DEFAULT_TENANT, page_of(request), user_id=request.user_id
        )
        response = session_pb2.ListSessionsResponse(next_page_token=token)
        for record in found:
            listed = replace(record, replacements=())
            fill_session(listed, response.sessions.add(), await self._title(listed))
        return response

    async def GetExecutionState(  # noqa: N802
        self, request: session_pb2.GetExecutionStateRequest, _context: Context
    ) -> session_pb2.GetExecutionStateResponse:
        """Return status, position and the variables visible there."""
        record = await self._record(request)
        variables = await self._deps.store.list_variables(record.key)
        last = await self._deps.store.last_exit(record.key)
        position = await position_with_thread(self._deps.store, record)
        record = replace(record, position=position)
        response = session_pb2.GetExecutionStateResponse()
        hidden = await sensitive_of(self._deps.scripts, record)
        shown = [hidden.in_variable(each) for each in variables]
        fill_message(execution_state(record, shown, last), response.state)
        return response

    async def DeleteSession(  # noqa: N802
        self, request: erasure_pb2.DeleteSessionRequest, _context: Context
    ) -> erasure_pb2.DeleteSessionResponse:
        """Erase a session; every stream of it ends with NOT_FOUND."""
        key = session_of(request)
        allow(request_id=request.request_id)
        await self._deps.store.delete_session(key)
        self._deps.hub.changed(key)
        return erasure_pb2.DeleteSessionResponse()

    async def DeleteUserData(  # noqa: N802
        self, request: erasure_pb2.DeleteUserDataRequest, _context: Context
    ) -> erasure_pb2.DeleteUserDataResponse:
        """Erase all sessions and globals of a user."""
        require(user_id=request.user_id)
        allow(request_id=request.request_id)
        erased = await self._deps.store.delete_user_data(DEFAULT_TENANT, request.user_id)
        for session_id in erased.session_ids:
            self._deps.hub.changed(SessionKey(DEFAULT_TENANT, session_id))
        return erasure_pb2.DeleteUserDataResponse(deleted_session_count=len(erased.session_ids))

    async def _record(self, request: OfSession) -> SessionRecord:
        key = session_of(request)
        record = await self._deps.store.get_session(key)
        self._deps.turns.wake(key)
        return record

    async def _title(self, record: SessionRecord) -> str:
        """Return the script's name; empty where this release can no longer read the script."""
        try:
            script = await self._deps.scripts.get(
                record.key.tenant, record.script_id, record.script_version
            )
        except (NotFound, NotReady):
            return ""
        return script.session_name


def fill_session(record: SessionRecord, target: session_pb2.Session, title: str) -> None:
    """Fill the empty message `target` from the session; `title` is its script's name."""
    status = f"EXECUTION_STATUS_{status_of(record).name}"
    target.MergeFrom(
        session_pb2.Session(
            session_id=record.key.session_id,
            script_id=record.script_id,
            script_version=record.script_version,
            user_id=record.user_id,
            locale=record.locale,
            time_zone=record.time_zone,
            title=title,
            status=status,
            forked_from_session_id=record.forked_from_session_id,
            forked_from_turn_id=record.forked_from_turn_id,
            labels=record.labels,
        )
    )
    for each in record.replacements:
        fill_message(each, target.replacements.add())
    if record.strategy_engine is not None:
        target.strategy_engine = record.strategy_engine
    if record.end_reason is not None:
        target.end_reason = f"END_REASON_{record.end_reason.name}"  # type: ignore[assignment]  # by name
    target.create_time.FromDatetime(record.create_time)
    target.update_time.FromDatetime(record.update_time)
