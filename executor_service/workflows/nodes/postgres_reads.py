"""Reads from PostgreSQL: in a transaction that cannot write, with a time limit of the server's."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

from executor_service.workflows.node_failed import NodeFailed, failed
from executor_service.workflows.nodes.database_rows import (
    MOST_BYTES,
    MOST_ROWS,
    DatabaseQuery,
    WrittenRows,
    bound_value,
    written_rows,
)
from heartrule.domain.runs import RunErrorCode

if TYPE_CHECKING:
    import psycopg

# The server writes the rows as JSON and leaves out what is too much, so that no row, however large,
# is ever sent here.
_BOUNDED = """\
SELECT CASE WHEN sum(octet_length(j)) OVER (ROWS UNBOUNDED PRECEDING) <= {bytes} THEN j END
FROM (SELECT row_to_json(q)::text AS j FROM (
{query}
) AS q LIMIT {rows}) AS r"""
_LAST_SEMICOLON = re.compile(r";\s*\Z")
_CONNECT_S = 10
# Beginnings of SQLSTATE: no write in this transaction, no right to it, nothing of that kind here.
_REFUSED = ("25", "42501", "0A")
_CLOSED = ("08", "28", "3D", "53300", "57P")
_TOO_MUCH = ("53", "54")
_CANCELLED = "57014"


async def read_postgres(address: str, query: DatabaseQuery) -> WrittenRows:
    """Return the rows of a query; where the caller is cancelled, so is the query.

    Raises:
        NodeFailed: REFUSED, TIMEOUT, LIMIT, CONNECTION or CODE_ERROR.
    """
    import psycopg

    try:
        connection = await psycopg.AsyncConnection.connect(
            address, connect_timeout=_CONNECT_S, application_name="heartrule node"
        )
        try:
            written = await _written(connection, query)
        finally:
            # Its own `async with` rolls back first, and leaves it open if that is cancelled.
            await connection.close()
    except psycopg.Error as error:
        raise _failure(error) from None
    return await asyncio.to_thread(written_rows, map(_encoded, written))


async def _written(connection: psycopg.AsyncConnection, query: DatabaseQuery) -> list[str | None]:
    """Return the rows as JSON, None for one that was too much."""
    import psycopg

    # The rules of a query let an empty second statement pass.
    inner = _LAST_SEMICOLON.sub("", query.text)
    text = _BOUNDED.format(query=inner, bytes=MOST_BYTES, rows=MOST_ROWS + 1)
    await connection.set_read_only(True)
    async with psycopg.AsyncRawCursor(connection) as cursor:
        milliseconds = max(1, int(query.timeout_s * 1000))
        await cursor.execute(f"SET LOCAL statement_timeout = {milliseconds}".encode())
        # Binary results take the protocol that refuses a second statement.
        await cursor.execute(text.encode(), [*map(bound_value, query.values)], binary=True)
        return [row[0] async for row in cursor]


def _encoded(row: str | None) -> bytes:
    return row.encode() if row else b""


def _failure(error: psycopg.Error) -> NodeFailed:
    state = error.sqlstate or ""
    if state == _CANCELLED:
        return failed(RunErrorCode.TIMEOUT, "the query took longer than its node may")
    if not state or state.startswith(_CLOSED):
        return failed(RunErrorCode.CONNECTION, "the database cannot be reached, or let nobody in")
    if state.startswith(_REFUSED):
        return failed(RunErrorCode.REFUSED, f"the database refused more than reading ({state})")
    if state.startswith(_TOO_MUCH):
        return failed(RunErrorCode.LIMIT, f"the query needs more than the database gives ({state})")
    return failed(RunErrorCode.CODE_ERROR, f"the database: {error.diag.message_primary or state}")
