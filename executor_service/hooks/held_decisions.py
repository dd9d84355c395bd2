"""Decisions that wait are held while a safety level freezes the session (RESOLUTIONS D17)."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace

from executor_service.decisions.agent_memory import AgentMemory
from executor_service.decisions.turn_reading import SessionReader
from executor_service.engine.running_turn import RunningTurn
from executor_service.engine.step_hook import StepHook
from executor_service.scripts.model.actions import ActionType
from heartrule.domain.decisions import DecisionState
from session_store.records import (
    ActionInstance,
    DecisionChange,
    InstanceState,
    KeptDecision,
    StepCommit,
)

LOG = logging.getLogger(__name__)
READ_S = 1.0
"""The longest that what follows, the answer to a client in danger, waits for the store."""


class HeldDecisions(StepHook):
    """Holds what an interrupted turn left to do; the agent takes it up after the path has ended."""

    def __init__(self, turn: RunningTurn, *, read_session: SessionReader) -> None:
        """Read only where an agent runs that was interrupted between two of its decisions."""
        super().__init__(turn)
        self._read = read_session
        self._queued: tuple[KeptDecision, ...] = ()

    async def before_turn(self) -> StepCommit | None:
        """Note what waits: whether the session is frozen, the crisis path says next."""
        running = next(filter(_is_interrupted, self.turn.snapshot.plan), None)
        if running is None:
            return None
        try:
            async with asyncio.timeout(READ_S):
                session = await self._read(self.turn.snapshot.lease.key, "")
        except Exception as error:  # noqa: BLE001  whatever it is, the crisis path comes next
            # The agent holds what is queued itself when its next turn begins.
            LOG.warning("what waits could not be read", extra={"error": type(error).__name__})
            return None
        self._queued = tuple(
            each
            for each in session.decisions
            if each.state is DecisionState.QUEUED
            and each.action_instance_id == running.action_instance_id
        )
        return None

    def before_commit(self, step: StepCommit) -> StepCommit:
        """Hold it with the step that freezes the session, or finds it frozen."""
        if not self._queued or step.safety is None or not step.safety.state.frozen:
            return step
        held = [
            DecisionChange(
                decision=each.decision,
                state=DecisionState.HELD,
                is_made=False,
                action_instance_id=each.action_instance_id,
            )
            for each in self._queued
        ]
        self._queued = ()
        return replace(step, decisions=(*step.decisions, *held))


def _is_interrupted(instance: ActionInstance) -> bool:
    is_agent = instance.action_type == ActionType.AI_AGENT
    running = is_agent and instance.state is InstanceState.RUNNING
    return running and AgentMemory.of(instance.memory).has_queued
