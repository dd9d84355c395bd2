"""ListVariables: the values of a session, and those they had before where they are asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from grpc import aio

from executor_service.ports import ScriptLibrary
from executor_service.sensitive_lookup import SensitiveLookup
from heartrule.domain.keys import DEFAULT_TENANT, SessionKey
from heartrule.domain.sensitive import SensitiveVariables
from heartrule.domain.variables import (
    VariableHistoryEntry,
    VariableOperation,
    VariableOperationKind,
    VariableValue,
)
from heartrule.v1 import session_pb2
from heartrule.wire.message_mapping import fill_message
from heartrule.wire.request_parsing import page_size, require
from session_store.ports import Store

Context: TypeAlias = "aio.ServicerContext[Any, Any]"
#: Earlier values listed of one variable.
LONGEST_HISTORY = 20
#: Operations read for each value wanted: some are another scope's, or deletions.
_SPARE = 4


class VariableRpcs:
    """ListVariables."""

    def __init__(self, store: Store, scripts: ScriptLibrary) -> None:
        """Read values from `store`; `scripts` name which of them are sensitive."""
        self._values = store
        self._scripts = scripts

    async def ListVariables(  # noqa: N802  the contract's name
        self, request: session_pb2.ListVariablesRequest, _context: Context
    ) -> session_pb2.ListVariablesResponse:
        """Return live and archived variables, by scope and name; sensitive ones where revealed."""
        require(session_id=request.session_id)
        key = SessionKey(DEFAULT_TENANT, request.session_id)
        values = sorted(
            await self._values.list_variables(key),
            key=lambda v: (v.archived, v.scope, v.scope_id, v.name),
        )
        size, start = page_size(request.page_size), _offset(request.page_token)
        rest = "" if start + size >= len(values) else str(start + size)
        history = min(page_size(request.history_size, at="history_size"), LONGEST_HISTORY)
        wanted = history if request.history_size else 0
        response = session_pb2.ListVariablesResponse(next_page_token=rest)
        hidden = SensitiveVariables()
        if not request.reveal:
            hidden = await SensitiveLookup(self._values, self._scripts, key).found()
        for value in await self._with_history(key, values[start : start + size], wanted):
            fill_message(hidden.in_variable(value), response.variables.add())
        return response

    async def _with_history(
        self, key: SessionKey, values: Sequence[VariableValue], wanted: int
    ) -> Sequence[VariableValue]:
        if not wanted or not values:
            return values
        names = list(dict.fromkeys(value.name for value in values))
        done = await self._values.latest_operations(key, names, most=_SPARE * (wanted + 1))
        return [replace(value, history=history_of(value, done, wanted)) for value in values]


def history_of(
    value: VariableValue, operations: Iterable[VariableOperation], most: int
) -> tuple[VariableHistoryEntry, ...]:
    """Return the values a variable had before, newest first, from its session's operations.

    Args:
        value: The variable as it is.
        operations: Operations on its name, newest first; other scopes' are passed over.
        most: Entries wanted.
    """
    own = [
        done
        for done in operations
        if (done.variable_name, done.scope, done.scope_id)
        == (value.name, value.scope, value.scope_id)
        and done.operation is not VariableOperationKind.DELETE
    ]
    if own and own[0].timestamp == value.last_updated:
        del own[0]
    return tuple(
        VariableHistoryEntry(value=e.value, source=e.action_id, last_updated=e.timestamp)
        for e in own[:most]
    )


def _offset(token: str) -> int:
    """Return where a page begins; a token that is none of ours begins at the start."""
    return int(token) if token.isdecimal() else 0
