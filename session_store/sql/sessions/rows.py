"""Rows as the domain's values, and back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from pydantic_core import from_json

from heartrule.domain.conversation import (
    IfBusy,
    Message,
    Part,
    Role,
    joined_text,
)
from heartrule.domain.keys import SessionKey
from heartrule.domain.monitoring import DialogueLine
from heartrule.domain.variables import VariableScope, VariableValue
from session_store.codec import dump, load, load_tuple
from session_store.records import ActionInstance
from session_store.sql.database.statements import Found
from session_store.sql.database.tables import messages
from session_store.sql.database.tables_beside import action_instances, user_variables
from session_store.sql.rows_of import RowsOf

# The scope under which a session keeps the newest value of each name that left its scope.
ARCHIVE = "archive"
_MESSAGES = RowsOf(Message, messages, replaces_message_id="replaces")
# Of what a session's and a user's variable share; null is a value.
_VARIABLES = RowsOf(VariableValue, user_variables, but="value")
_INSTANCES = RowsOf(ActionInstance, action_instances)


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """A client's message as a turn takes it up."""

    message: Message
    if_busy: IfBusy
    digest: str
    turn_timeout: timedelta | None = None
    traceparent: str = ""
    fresh: bool = False
    """True where this transaction accepted it, and has not written it yet."""

    def of_turn(self, turn_id: str) -> Message:
        """Return the message as one of that turn."""
        return self.message if self.message.turn_id else replace(self.message, turn_id=turn_id)


def key_of(row: Found) -> SessionKey:
    """Return the session a row belongs to."""
    return SessionKey(row.tenant, row.session_id)


def message_of(row: Found) -> Message:
    """Return the message."""
    return _MESSAGES.value(row)


def lines_of(rows: Iterable[Found]) -> tuple[DialogueLine, ...]:
    """Return messages as roles and texts, of rows that need no more than `role` and `parts`."""
    return tuple(DialogueLine(role=Role(row.role), text=plain_text_of(row)) for row in rows)


def plain_text_of(row: Found) -> str:
    """Return the whole of a message as text; see `Message.plain_text`."""
    parts = from_json(row.parts)
    if len(parts) == 1 and "text" in parts[0]:  # nearly every one of a window: no object is made
        return str(parts[0]["text"])
    return joined_text(load_tuple(Part, row.parts))


def input_of(row: Found) -> Input:
    """Return the input that a message's row holds."""
    return Input(
        message=message_of(row),
        if_busy=IfBusy(row.if_busy),
        digest=row.digest,
        turn_timeout=row.turn_timeout,
        traceparent=row.traceparent,
    )


def message_row(message: Message) -> dict[str, object]:
    """Return the columns of a message that has its number and time."""
    return _MESSAGES.new_row(message)


def instance_of(row: Found) -> ActionInstance:
    """Return the action instance."""
    return _INSTANCES.value(row)


def instance_row(instance: ActionInstance) -> dict[str, object]:
    """Return the columns of an action instance."""
    return _INSTANCES.columns(instance)


def variable_of(row: Found) -> VariableValue:
    """Return the variable of a session; an archived one names the scope it lived in."""
    scope, _, scope_id = row.origin.partition("/") if row.origin else (row.scope, "", row.scope_id)
    return _VARIABLES.value(
        row,
        value=load(object, row.value),
        scope=VariableScope(scope),
        scope_id=scope_id,
        archived=bool(row.origin),
    )


def global_of(row: Found, session_id: str) -> VariableValue:
    """Return the variable of a user; what another session gave it rests on nothing in this one."""
    value = load(object, row.value)
    found = _VARIABLES.value(row, value=value, scope=VariableScope.GLOBAL)
    return found if row.writer == session_id else replace(found, support=None, quote="")


def local_row(value: VariableValue) -> dict[str, object]:
    """Return where a session keeps a variable: in its scope, or by its name in the archive."""
    scope = value.scope.value
    if value.archived:
        return {"scope": ARCHIVE, "scope_id": "", "origin": f"{scope}/{value.scope_id}"}
    return {"scope": scope, "scope_id": value.scope_id, "origin": ""}


def variable_row(value: VariableValue, now: datetime) -> dict[str, object]:
    """Return the columns a session's and a user's variable share."""
    written = value.last_updated or now
    return _VARIABLES.columns(value, value=dump(value.value), last_updated=written)
