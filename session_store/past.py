"""A session as it stood after one of its turns, folded from what its steps wrote; pure.

No state is stored per turn: the plan comes from the instances each step changed, the variables from
its operations (ADR 25). Globals are the user's and never go back (RESOLUTIONS C32).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from heartrule.domain.errors import InvalidRequest, NotReady, SessionBusy
from heartrule.domain.replacement import ActionReplacement
from heartrule.domain.variables import (
    DefinitionOrigin,
    VariableDefinition,
    VariableOperation,
    VariableOperationKind,
    VariableScope,
    VariableValue,
    json_type,
    later_of,
)
from session_store.records import ActionInstance, InstanceState
from session_store.turn_rules import RETRY_AFTER

# Why turns were taken back.
RETRY = "retry"
# Why an analysis was dropped: no turn would use its advice.
TURN_TAKEN_BACK = "TURN_TAKEN_BACK"
# The place before the opening turn.
BEFORE_ALL = -1
_DECLARED = "declared"


class Pruned(StrEnum):
    """How much of a session's events retention has deleted."""

    NOTHING = ""
    METRICS = "metrics"
    EVENTS = "events"


@dataclass(frozen=True, slots=True, kw_only=True)
class PastStep:
    """What one committed step changed."""

    turn_no: int
    instances: tuple[ActionInstance, ...] = ()
    operations: tuple[VariableOperation, ...] = ()


def begun_with(values: Iterable[VariableValue], now: datetime) -> tuple[VariableValue, ...]:
    """Return what of a new session's variables is its own to go back to: all but globals."""
    return tuple(
        replace(each, last_updated=each.last_updated or now)
        for each in values
        if each.scope is not VariableScope.GLOBAL
    )


def plan_after(steps: Iterable[PastStep]) -> dict[str, ActionInstance]:
    """Return every action instance by id, as the steps left it."""
    return {each.action_instance_id: each for step in steps for each in step.instances}


def variables_after(
    first: Iterable[VariableValue], steps: Iterable[PastStep]
) -> tuple[VariableValue, ...]:
    """Return the variables but for globals, archived ones too, as the steps left them.

    `first` are those the session began with. A deletion is a scope that was left: the value goes
    to the archive, which keeps the newest of each name.
    """
    begun = [each for each in first if each.scope is not VariableScope.GLOBAL]
    live = {_place(each): each for each in begun if not each.archived}
    archive = {each.name: each for each in begun if each.archived}
    for operation in (each for step in steps for each in step.operations):
        place = (operation.scope, operation.scope_id, operation.variable_name)
        if operation.scope is VariableScope.GLOBAL:
            continue
        if operation.operation is not VariableOperationKind.DELETE:
            live[place] = _written(operation)
        elif (left := live.pop(place, None)) is not None:
            _archive(archive, left)
    return (*live.values(), *archive.values())


def known_after(
    definitions: Iterable[VariableDefinition], steps: Iterable[PastStep]
) -> tuple[VariableDefinition, ...]:
    """Return the definitions but for those that a later write registered."""
    written = {(each.scope, each.variable_name) for step in steps for each in step.operations}
    return tuple(
        each
        for each in definitions
        if each.origin is not DefinitionOrigin.REGISTERED or (each.scope, each.name) in written
    )


def globals_written(steps: Iterable[PastStep]) -> tuple[str, ...]:
    """Return the names of the globals the steps wrote, each once, in order."""
    written = (
        operation.variable_name
        for step in steps
        for operation in step.operations
        if operation.scope is VariableScope.GLOBAL
    )
    return tuple(dict.fromkeys(written))


def turn_before(steps: Iterable[PastStep], action: ActionReplacement, *, newest: int) -> int:
    """Return the number of the turn before the one in which an action opened last.

    BEFORE_ALL where it opened in the opening turn; `newest` where it has not opened yet.
    """
    found = newest
    known: dict[str, InstanceState] = {}
    wanted = (action.phase_id, action.topic_id, action.action_id)
    for step in steps:
        for each in step.instances:
            was = known.get(each.action_instance_id, InstanceState.PENDING)
            known[each.action_instance_id] = each.state
            opens = was is InstanceState.PENDING and each.state is not InstanceState.PENDING
            if (
                opens
                and not each.technique_id
                and (each.phase_id, each.topic_id, each.action_id) == wanted
            ):
                found = step.turn_no - 1
    return found


def nothing_to_retry() -> NotReady:
    """Return the error of a session without an answered message of the client."""
    return NotReady("there is no message to say again", reason="NOTHING_TO_RETRY")


def require_events(pruned: str) -> None:
    """Refuse a session whose events retention has deleted: nothing can be folded from them."""
    if pruned == Pruned.EVENTS:
        raise NotReady("the events of this session were deleted by age", reason="EVENTS_DELETED")


def taken_back(client_message_id: str) -> NotReady:
    """Return the error of an input whose turn was taken back: it neither replays nor runs again."""
    return NotReady(
        "the turn of this input was taken back; send it under another client_message_id",
        reason="INPUT_TAKEN_BACK",
        metadata={"client_message_id": client_message_id},
    )


def known_already(client_message_id: str) -> InvalidRequest:
    """Return the error of a retry whose client_message_id is that of an input before."""
    return InvalidRequest(
        "client_message_id is that of another input of this session",
        reason="CLIENT_MESSAGE_ID_REUSED",
        metadata={"client_message_id": client_message_id},
    )


def reused_request() -> InvalidRequest:
    """Return the error of a request_id that made a session of another kind or source."""
    return InvalidRequest("request_id made another session", reason="REQUEST_ID_REUSED")


def busy() -> SessionBusy:
    """Return the error of a session in which a turn runs or inputs wait."""
    return SessionBusy("a turn runs", reason="SESSION_BUSY", retry_after=RETRY_AFTER)


def not_a_place(turn_id: str) -> NotReady:
    """Return the error of a turn that a fork cannot begin with: failed, running, taken back."""
    return NotReady(
        f"turn {turn_id!r} has not ended, or was taken back",
        reason="TURN_NOT_ENDED",
        metadata={"turn_id": turn_id},
    )


def _archive(archive: dict[str, VariableValue], left: VariableValue) -> None:
    """Put a value of a scope that was left into the archive, unless that has a later one."""
    known = archive.get(left.name)
    if known is None or later_of(known, left) is left:
        archive[left.name] = replace(left, archived=True)


def _place(value: VariableValue) -> tuple[VariableScope, str, str]:
    return value.scope, value.scope_id, value.name


def _written(operation: VariableOperation) -> VariableValue:
    return VariableValue(
        name=operation.variable_name,
        value=operation.value,
        type=json_type(operation.value),
        scope=operation.scope,
        scope_id=operation.scope_id,
        source=operation.action_id or _DECLARED,
        last_updated=operation.timestamp,
        support=operation.support,
        quote=operation.quote,
    )
