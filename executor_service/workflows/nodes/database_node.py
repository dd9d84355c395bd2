"""DATABASE nodes: one query that reads, over a connection that the policy names."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from executor_service.workflows.configs import MOST_SECONDS
from executor_service.workflows.node_failed import NodeFailed, failed
from executor_service.workflows.nodes.database_rows import DatabaseQuery, WrittenRows
from executor_service.workflows.nodes.node_port import NodeCall, NodeResult
from executor_service.workflows.nodes.postgres_reads import read_postgres
from executor_service.workflows.nodes.secrets_file import SQLITE_ADDRESS
from executor_service.workflows.nodes.sqlite_reads import read_file
from heartrule.chassis.worker_pool import WorkerLimits, WorkerPool
from heartrule.domain.errors import DeadlinePassed, QuotaSpent
from heartrule.domain.json_value import JsonValue
from heartrule.domain.runs import NodeFailure, RunErrorCode

_READERS = WorkerLimits(limit_s=MOST_SECONDS + 1, wait_s=MOST_SECONDS, at_once=4)
_STOPPING_S = 0.5


class DatabaseNode:
    """Reads from a database; the output is {data, row_count, truncated}."""

    def __init__(self) -> None:
        """Files are read in worker processes; none runs before the first query."""
        self._readers = WorkerPool(_READERS)
        self._left: set[asyncio.Task[WrittenRows]] = set()

    async def run(self, call: NodeCall) -> NodeResult:
        """Return the rows; 10,000 at most, and 4 MB.

        Raises:
            NodeFailed: REFUSED where the policy has no such connection or the query does more than
                read, TIMEOUT, LIMIT, CONNECTION, CODE_ERROR or UNREADABLE.
        """
        address = _address(call)
        query = DatabaseQuery(
            text=str(call.config["query"]),
            values=_values(call.config.get("params")),
            timeout_s=call.timeout_s,
        )
        if address.startswith(SQLITE_ADDRESS):
            rows = await self._read_file(address.removeprefix(SQLITE_ADDRESS), query)
        else:
            rows = await self._read_server(address, query)
        return NodeResult(output=await asyncio.to_thread(rows.output))

    async def aclose(self) -> None:
        """Read no more."""
        if self._left:
            await asyncio.wait(self._left)

    async def _read_server(self, address: str, query: DatabaseQuery) -> WrittenRows:
        reading = asyncio.create_task(read_postgres(address, query))
        self._left.add(reading)
        reading.add_done_callback(self._ended)
        try:
            return await asyncio.shield(reading)
        except asyncio.CancelledError:
            # It asks the server to stop; one that is out of reach is waited for by nobody.
            reading.cancel()
            await asyncio.wait({reading}, timeout=_STOPPING_S)
            raise

    def _ended(self, reading: asyncio.Task[WrittenRows]) -> None:
        self._left.discard(reading)
        if not reading.cancelled():
            reading.exception()  # one that nobody waits for is no error of ours

    async def _read_file(self, path: str, query: DatabaseQuery) -> WrittenRows:
        """Read in a process, which is killed where the caller is cancelled."""
        try:
            found = await self._readers.run(read_file, path, query)
        except (QuotaSpent, DeadlinePassed):
            text = "no process was free to read the file, or it was lost"
            raise failed(RunErrorCode.CONNECTION, text) from None
        if isinstance(found, NodeFailure):
            raise NodeFailed(found)
        return found


def _address(call: NodeCall) -> str:
    """Return the address of the connection that a node names; of the only one, if it names none."""
    named, known = call.config.get("connection"), call.access.connections
    if named is None and len(known) == 1:
        return next(iter(known.values()))
    if address := known.get(str(named)):
        return address
    text = f"the policy has no connection {named}" if named else "the node names no connection"
    raise failed(RunErrorCode.REFUSED, text)


def _values(params: JsonValue) -> tuple[JsonValue, ...]:
    """Return the values of `$1`, `$2` and so on."""
    given = params if isinstance(params, Mapping) else {}
    return tuple(given[number] for number in sorted(given, key=int))
