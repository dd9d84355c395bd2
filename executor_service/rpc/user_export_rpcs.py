"""The rpc that exports what a person's erasure would take."""

from __future__ import annotations

import json
from asyncio import to_thread
from collections.abc import AsyncIterator, Iterable

from executor_service.ports import ScriptLibrary
from executor_service.rpc.requests import Context
from executor_service.rpc.session_rpcs import SessionServicerBase
from executor_service.sensitive_lookup import sensitive_of
from heartrule.domain.errors import NotFound
from heartrule.domain.json_value import JsonValue
from heartrule.domain.keys import DEFAULT_TENANT, SessionKey
from heartrule.domain.sensitive import SensitiveVariables
from heartrule.v1 import erasure_pb2
from heartrule.wire.request_parsing import require
from session_store.ports import Store
from session_store.records.exports import ExportedRow, ExportPlace

# Bytes of one piece: far below gRPC's limit of 4 MiB for a message.
PIECE = 262_144


class UserExportRpcs(SessionServicerBase):
    """ExportUserData."""

    async def ExportUserData(  # noqa: N802  the contract's name
        self, request: erasure_pb2.ExportUserDataRequest, context: Context
    ) -> None:
        """Write the lines of the export in pieces, a page of rows in memory at a time."""
        require(user_id=request.user_id)
        export = UserExport(self._deps.store, self._deps.scripts, reveal=request.reveal)
        async for lines in export.lines(request.user_id):
            for start in range(0, len(lines), PIECE):
                chunk = lines[start : start + PIECE]
                await context.write(erasure_pb2.ExportUserDataResponse(chunk=chunk))


class UserExport:
    """One export: reads sessions one after the other, then the globals of their person."""

    def __init__(self, store: Store, scripts: ScriptLibrary, *, reveal: bool) -> None:
        """`scripts` name which variables are sensitive; with `reveal` nothing is masked."""
        self._store = store
        self._scripts = scripts
        self._reveal = reveal
        self._sessions = 0
        self._rows = 0

    async def lines(self, user_id: str) -> AsyncIterator[bytes]:
        """Yield a page of rows after the other as lines, and the end.

        A global is masked where any of the person's scripts marks its name.
        """
        everywhere = SensitiveVariables()
        for session_id in await self._store.sessions_of_user(DEFAULT_TENANT, user_id):
            key = SessionKey(DEFAULT_TENANT, session_id)
            hidden = await self._hidden(key)
            everywhere = SensitiveVariables(
                everywhere.names | hidden.names, everywhere.unknown or hidden.unknown
            )
            self._sessions += 1
            async for lines in self._of_session(key, hidden):
                yield lines
        place: ExportPlace | None = ExportPlace()
        while place is not None:
            page = await self._store.export_globals(DEFAULT_TENANT, user_id, everywhere, place)
            yield await self._written(page.rows)
            place = page.next
        yield _line({"end": {"sessions": self._sessions, "rows": self._rows}})

    async def _of_session(
        self, key: SessionKey, hidden: SensitiveVariables
    ) -> AsyncIterator[bytes]:
        place: ExportPlace | None = ExportPlace()
        while place is not None:
            page = await self._store.export_session(key, hidden, place)
            yield await self._written(page.rows)
            place = page.next

    async def _hidden(self, key: SessionKey) -> SensitiveVariables:
        if self._reveal:
            return SensitiveVariables()
        try:
            return await sensitive_of(self._scripts, await self._store.get_session(key))
        except NotFound:  # erased meanwhile: it has no rows to mask
            return SensitiveVariables()

    async def _written(self, rows: Iterable[ExportedRow]) -> bytes:
        rows = tuple(rows)
        self._rows += len(rows)
        return await to_thread(_joined, rows)


def _joined(rows: Iterable[ExportedRow]) -> bytes:
    return b"".join(_line({"table": each.table, "row": each.row}) for each in rows)


def _line(value: JsonValue) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
