"""Rows as the domain's values, and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import cast

from heartrule.domain.conversation import Completeness, IfBusy, Message, Part, Role
from heartrule.domain.input_request import InputRequested
from heartrule.domain.keys import SessionKey
from heartrule.domain.monitoring import DialogueLine
from heartrule.domain.position import EndReason, ExecutionPosition, ExecutionStatus
from heartrule.domain.problem import Problem
from heartrule.domain.replacement import ActionReplacement
from heartrule.domain.variables import VariableScope, VariableValue
from session_store.codec import dump, load, load_tuple, parse
from session_store.records import ActionInstance, InstanceState, SessionRecord
from session_store.sql.database.statements import Found

# The scope under which a session keeps the newest value of each name that left its scope.
ARCHIVE = "archive"
_ROLES = {role.value: role for role in Role}


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


def session_of(
    row: Found,
    *,
    last_ai_message: str,
    pending: tuple[str, ...],
    open_request: InputRequested | None,
    replacements: tuple[ActionReplacement, ...] = (),
) -> SessionRecord:
    """Return the session as callers see it."""
    return SessionRecord(
        key=key_of(row),
        script_id=row.script_id,
        script_version=row.script_version,
        user_id=row.user_id,
        locale=row.locale,
        time_zone=row.time_zone,
        strategy_engine=row.strategy_engine,
        status=ExecutionStatus(row.status),
        position=load(ExecutionPosition, row.position),
        plan_revision=row.plan_revision,
        last_sequence=row.next_seq - 1,
        opened=row.opened,
        opening_turn_id=row.opening_turn_id,
        running_turn_id=row.open_turn_id if row.lease_owner else "",
        last_ai_message=last_ai_message,
        pending_client_message_ids=pending,
        error=load(Problem, row.error) if row.error else None,
        open_request=open_request,
        create_time=row.create_time,
        update_time=row.update_time,
        end_reason=EndReason(row.end_reason) if row.end_reason else None,
        forked_from_session_id=row.forked_from_session_id,
        forked_from_turn_id=row.forked_from_turn_id,
        replacements=replacements,
    )


def message_of(row: Found) -> Message:
    """Return the message."""
    return Message(
        message_id=row.message_id,
        role=Role(row.role),
        parts=load_tuple(Part, row.parts),
        action_instance_id=row.action_instance_id,
        completeness=Completeness(row.completeness),
        action_id=row.action_id,
        turn_id=row.turn_id,
        sequence=row.sequence,
        create_time=row.create_time,
        client_message_id=row.client_message_id,
        input_request_id=row.input_request_id,
    )


def lines_of(rows: Sequence[Found]) -> tuple[DialogueLine, ...]:
    """Return messages as who spoke and what, of rows that need no more than `role` and `parts`.

    A turn reads thirty: they are parsed as one text and never become messages.
    """
    spoken = _spoken([row.parts for row in rows])
    roles = [_ROLES[row.role] for row in rows]
    return tuple([DialogueLine(role=role, text=text) for role, text in zip(roles, spoken)])  # noqa: B905  the hot path


def spoken_of(row: Found) -> str:
    """Return the whole of a message as text; see `Message.plain_text`."""
    return _spoken([row.parts])[0]


def _spoken(messages: Iterable[str]) -> list[str]:
    found = cast("list[list[Mapping[str, str]]]", parse(f"[{','.join(messages)}]"))
    return [
        parts[0]["text"]
        if len(parts) == 1 and "text" in parts[0]
        else "\n".join(map(_spoken_part, parts))
        for parts in found
    ]


def _spoken_part(part: Mapping[str, str]) -> str:
    return part["text"] if "text" in part else part.get("fallback_text", "")


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
    return {
        "sequence": message.sequence,
        "message_id": message.message_id,
        "role": message.role.value,
        "parts": dump(message.parts),
        "completeness": message.completeness.value,
        "action_id": message.action_id,
        "action_instance_id": message.action_instance_id,
        "turn_id": message.turn_id,
        "client_message_id": message.client_message_id,
        "input_request_id": message.input_request_id,
        "create_time": message.create_time,
    }


def instance_of(row: Found) -> ActionInstance:
    """Return the action instance."""
    return ActionInstance(
        action_instance_id=row.action_instance_id,
        phase_id=row.phase_id,
        topic_id=row.topic_id,
        action_id=row.action_id,
        action_type=row.action_type,
        ordinal=row.ordinal,
        state=InstanceState(row.state),
        round=row.round,
        memory=load(dict, row.memory),
        technique_id=row.technique_id,
        parent_instance_id=row.parent_instance_id,
        definition=load(dict, row.definition) if row.definition else {},
    )


def instance_row(instance: ActionInstance) -> dict[str, object]:
    """Return the columns of an action instance."""
    return {
        "action_instance_id": instance.action_instance_id,
        "phase_id": instance.phase_id,
        "topic_id": instance.topic_id,
        "action_id": instance.action_id,
        "action_type": instance.action_type,
        "ordinal": instance.ordinal,
        "state": instance.state.value,
        "round": instance.round,
        "memory": dump(instance.memory),
        "technique_id": instance.technique_id,
        "parent_instance_id": instance.parent_instance_id,
        "definition": dump(instance.definition) if instance.definition else "",
    }


def variable_of(row: Found) -> VariableValue:
    """Return the variable of a session; an archived one names the scope it lived in."""
    scope, _, scope_id = row.origin.partition("/") if row.origin else (row.scope, "", row.scope_id)
    return VariableValue(
        name=row.name,
        value=load(object, row.value),  # type: ignore[arg-type]  # JSON, whatever it is
        type=row.type,
        scope=VariableScope(scope),
        scope_id=scope_id,
        source=row.source,
        last_updated=row.last_updated,
        archived=bool(row.origin),
    )


def global_of(row: Found) -> VariableValue:
    """Return the variable of a user."""
    return VariableValue(
        name=row.name,
        value=load(object, row.value),  # type: ignore[arg-type]  # JSON, whatever it is
        type=row.type,
        scope=VariableScope.GLOBAL,
        source=row.source,
        last_updated=row.last_updated,
    )


def local_row(value: VariableValue) -> dict[str, object]:
    """Return where a session keeps a variable: in its scope, or by its name in the archive."""
    scope = value.scope.value
    if value.archived:
        return {"scope": ARCHIVE, "scope_id": "", "origin": f"{scope}/{value.scope_id}"}
    return {"scope": scope, "scope_id": value.scope_id, "origin": ""}


def variable_row(value: VariableValue, now: datetime) -> dict[str, object]:
    """Return the columns a session's and a user's variable share."""
    return {
        "name": value.name,
        "value": dump(value.value),
        "type": value.type,
        "source": value.source,
        "last_updated": value.last_updated or now,
    }
