"""Sessions in memory: made, read, erased."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta

from heartrule.domain.conversation import Message
from heartrule.domain.errors import AlreadyExists, NotFound
from heartrule.domain.keys import SessionKey
from heartrule.domain.model_call import LLMDebugInfo, ModelCall
from heartrule.domain.variables import VariableDefinition, VariableScope, VariableValue
from session_store.memory.paging import page_of
from session_store.memory.rows import WAITING, GlobalRow, SessionRow, Tables
from session_store.past import begun_with
from session_store.records import ErasedSessions, NewSession, Page, SessionRecord


class MemorySessions:
    """SessionStore over tables."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def create_session(self, new: NewSession) -> SessionRecord:
        """Create it; the same request_id returns the first, a taken session_id AlreadyExists."""
        made = made_by(self._tables, new.key.tenant, new.request_id)
        if made is not None:
            return made.record()
        if new.key in self._tables.sessions:
            raise AlreadyExists("session", new.key.session_id)
        now = self._tables.now()
        row = SessionRow(new=new, create_time=now, update_time=now)
        self._tables.sessions[new.key] = row
        known = {value.name for value in globals_of(self._tables, row)}
        declared = (
            value
            for value in new.variables
            if value.scope is not VariableScope.GLOBAL or value.name not in known
        )
        row.first = begun_with(new.variables, now)
        write_variables(self._tables, row, declared)
        define(self._tables, row, new.definitions)
        return row.record()

    async def get_session(self, key: SessionKey) -> SessionRecord:
        """Return it; NotFound where there is none or it was deleted."""
        return self._tables.session(key).record()

    async def list_sessions(
        self, tenant: str, page: Page, *, user_id: str = ""
    ) -> tuple[list[SessionRecord], str]:
        """Return sessions, newest first, and the next page's token."""
        rows = {
            row.new.key.session_id: row.record()
            for row in reversed(list(self._live()))
            if row.new.key.tenant == tenant and user_id in {"", row.new.user_id}
        }
        return page_of(rows, page)

    async def list_messages(self, key: SessionKey, page: Page) -> tuple[list[Message], str]:
        """Return messages by sequence, and the next page's token."""
        kept = (row for row in self._tables.session(key).messages if row.turn_no >= WAITING)
        rows = sorted(kept, key=lambda row: row.sequence)
        return page_of({str(row.sequence): row.message for row in rows}, page)

    async def list_variables(self, key: SessionKey) -> tuple[VariableValue, ...]:
        """Return live and archived variables and the user's globals."""
        return visible_variables(self._tables, self._tables.session(key))

    async def list_calls(self, key: SessionKey, page: Page) -> tuple[list[LLMDebugInfo], str]:
        """Return the ledger, oldest first, and the next page's token."""
        found, token = await self.list_ledger(key, page)
        return [each.call for each in found], token

    async def list_ledger(
        self, key: SessionKey, page: Page, *, turn_id: str = ""
    ) -> tuple[list[ModelCall], str]:
        """Return calls with their turns, of one turn where it is named."""
        calls = enumerate(self._tables.session(key).calls)
        wanted = {str(n): each for n, each in calls if turn_id in {"", each.turn_id}}
        return page_of(wanted, page)

    async def trim_ledger(self, older_than: timedelta) -> int:
        """Empty prompts and replies of older model calls; return how many calls it was."""
        before = self._tables.now() - older_than
        trimmed = 0
        for session in self._tables.sessions.values():
            calls = session.calls if session else []
            for place, made in enumerate(calls):
                call = made.call
                old = call.create_time is not None and call.create_time < before
                if old and (call.input or call.output):
                    calls[place] = ModelCall(turn_id=made.turn_id, call=_wordless(call))
                    trimmed += 1
        return trimmed

    async def delete_session(self, key: SessionKey) -> None:
        """Erase all content, leave a tombstone; repeated, it changes nothing; else NotFound."""
        if key not in self._tables.sessions:
            raise NotFound("session", key.session_id)
        self._tables.sessions[key] = None
        written = [name for name, row in self._tables.globals.items() if row.writer == key]
        for name in written:
            del self._tables.globals[name]

    async def delete_user_data(self, tenant: str, user_id: str) -> ErasedSessions:
        """Erase every session and global of the user; the empty id names nobody."""
        if not user_id:
            return ErasedSessions(session_ids=())
        owned = [
            row.new.key
            for row in self._live()
            if (row.new.key.tenant, row.new.user_id) == (tenant, user_id)
        ]
        for key in owned:
            self._tables.sessions[key] = None
        kept = self._tables.globals.items()
        self._tables.globals = {name: row for name, row in kept if name[:2] != (tenant, user_id)}
        return ErasedSessions(session_ids=tuple(key.session_id for key in owned))

    def _live(self) -> Iterable[SessionRow]:
        """Return the rows of sessions that are not deleted, oldest first."""
        return (row for row in self._tables.sessions.values() if row is not None)


def made_by(tables: Tables, tenant: str, request_id: str) -> SessionRow | None:
    """Return the session that a request made; None for the empty id."""
    for row in tables.sessions.values():
        if row is None or not request_id:
            continue
        if (row.new.key.tenant, row.new.request_id) == (tenant, request_id):
            return row
    return None


def _wordless(call: LLMDebugInfo) -> LLMDebugInfo:
    """Return the call without prompt and reply, also where the diagnosis quotes the reply."""
    parse = call.parse
    if parse is not None and parse.parse_error is not None:
        parse = replace(parse, parse_error=replace(parse.parse_error, raw_response=""))
    return replace(call, input="", output="", parse=parse)


def globals_of(tables: Tables, row: SessionRow) -> tuple[VariableValue, ...]:
    """Return the globals of the session's user; of the session where it has no user (C32)."""
    if not row.new.user_id:
        own = row.variables.values()
        return tuple(value for value in own if value.scope is VariableScope.GLOBAL)
    owner = (row.new.key.tenant, row.new.user_id)
    return tuple(each.value for name, each in tables.globals.items() if name[:2] == owner)


def visible_variables(tables: Tables, row: SessionRow) -> tuple[VariableValue, ...]:
    """Return the session's variables, archived ones too, and its globals."""
    own = row.variables.values()
    local = tuple(value for value in own if value.scope is not VariableScope.GLOBAL)
    return local + tuple(row.archive.values()) + globals_of(tables, row)


def reset_variables(tables: Tables, row: SessionRow, values: Iterable[VariableValue]) -> None:
    """Let these be the session's variables, but for globals, which stay as they are."""
    own = row.variables.items()
    row.variables = {name: each for name, each in own if each.scope is VariableScope.GLOBAL}
    row.archive = {}
    write_variables(tables, row, values)


def write_variables(tables: Tables, row: SessionRow, values: Iterable[VariableValue]) -> None:
    """Put each value in place of the one of its scope and name, or of its name in the archive.

    Globals go to the user.
    """
    for value in values:
        stamped = replace(value, last_updated=value.last_updated or tables.now())
        if value.archived:
            row.archive[value.name] = stamped
        elif value.scope is VariableScope.GLOBAL and row.new.user_id:
            owner = (row.new.key.tenant, row.new.user_id, value.name)
            tables.globals[owner] = GlobalRow(stamped, row.new.key)
        else:
            row.variables[value.scope, value.scope_id, value.name] = stamped


def define(tables: Tables, row: SessionRow, definitions: Iterable[VariableDefinition]) -> None:
    """Keep the definitions that are new; a known one stays as it is."""
    for each in definitions:
        stamped = replace(each, create_time=each.create_time or tables.now())
        row.definitions.setdefault((each.scope, each.scope_id, each.name), stamped)
