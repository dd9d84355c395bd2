"""What is said before any model speaks, where the client names suicide or self-harm."""

from __future__ import annotations

from executor_service.actions.context import Said
from executor_service.engine.deps import EngineDeps
from executor_service.engine.words import message_of, written_in
from heartrule.domain.position import ExecutionStatus
from session_store.records import SafetyRecord, StepCommit, TurnSnapshot


def crisis_answer(
    reply: str, snapshot: TurnSnapshot, deps: EngineDeps
) -> tuple[Said, StepCommit] | None:
    """Return the resources and the step that says them; None where nothing of the kind was said."""
    match = deps.crisis.find("\n".join((reply, *written_in(snapshot))))
    if match is None:
        return None
    said = Said(message_id=deps.new_id("msg"), text=deps.crisis.message(snapshot.locale))
    step = StepCommit(
        turn_id=snapshot.turn_id,
        attempt=snapshot.attempt,
        status=ExecutionStatus.RUNNING,
        position=snapshot.position,
        messages=(message_of(said, None, snapshot.turn_id),),
        safety=SafetyRecord(category=match.category, rule=match.rule),
    )
    return said, step
