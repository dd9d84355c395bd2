"""How a session ends by time (RESOLUTIONS C31): what one step writes, decided without rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from heartrule.domain.errors import SessionFinished
from heartrule.domain.position import EndReason, ExecutionPosition, ExecutionStatus
from heartrule.domain.variables import (
    ScopeSnapshot,
    VariableOperation,
    VariableOperationKind,
    VariableScope,
    VariableValue,
    later_of,
)
from session_store.records import StepCommit

_LEAVING = (VariableScope.TOPIC, VariableScope.PHASE, VariableScope.SESSION)


def idle_end(values: Sequence[VariableValue], position: ExecutionPosition) -> StepCommit:
    """Return the step that leaves every scope of a session and completes it; globals survive.

    Args:
        values: What the session keeps itself, its archive too.
        position: The position of the session, which it keeps.
    """
    archive = {each.name: each for each in values if each.archived}
    live = [v for v in values if not v.archived and v.scope is not VariableScope.GLOBAL]
    moved: dict[str, VariableValue] = {}
    for scope in _LEAVING:
        for value in live:
            left = replace(value, archived=True)
            known = archive.get(value.name)
            if value.scope is scope and (known is None or later_of(known, left) is left):
                archive[value.name] = moved[value.name] = left
    scopes = _scopes(live, position)
    return StepCommit(
        turn_id="",
        attempt=0,
        status=ExecutionStatus.COMPLETED,
        position=position,
        variables=tuple(moved.values()),
        operations=tuple(_deletion(v) for at in scopes for v in live if _place(v) == at),
        scopes_left=tuple(
            ScopeSnapshot(
                scope=at[0],
                scope_id=at[1],
                variables={v.name: v.value for v in live if _place(v) == at},
            )
            for at in scopes
        ),
    )


def finished(end_reason: EndReason | None) -> SessionFinished:
    """Return the refusal of an input to a session at its end."""
    by_time = end_reason is EndReason.IDLE_TIMEOUT
    return SessionFinished(
        "the session was idle for too long" if by_time else "the script has ended",
        reason="SESSION_COMPLETED",
        metadata={"end_reason": end_reason.value} if end_reason else None,
    )


def _scopes(
    live: Sequence[VariableValue], position: ExecutionPosition
) -> list[tuple[VariableScope, str]]:
    """Return the scopes left: a skill's before its topic's, the session's last."""
    held = {_place(value) for value in live}
    entered = {(VariableScope.SESSION, "")}
    if position.phase_id:
        entered |= {
            (VariableScope.TOPIC, position.topic_id),
            (VariableScope.PHASE, position.phase_id),
        }
    return sorted(held | entered, key=lambda at: (_LEAVING.index(at[0]), -len(at[1]), at[1]))


def _place(value: VariableValue) -> tuple[VariableScope, str]:
    return value.scope, value.scope_id


def _deletion(value: VariableValue) -> VariableOperation:
    return VariableOperation(
        action_id="",
        operation=VariableOperationKind.DELETE,
        variable_name=value.name,
        scope=value.scope,
        scope_id=value.scope_id,
    )
