"""Edits of the plan, decided once at a turn's beginning and written with its first step (C29)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from executor_service.decisions.plan_edit_gate import DecidedEdits, decide_edits
from executor_service.engine.plan import next_open
from executor_service.engine.running_turn import RunningTurn
from executor_service.engine.step_hook import StepHook
from executor_service.orchestration.edit_rules import EditConstraints, EditMoment
from executor_service.orchestration.topics import constraints_of, topic_named
from executor_service.scripts.model.script import Script
from session_store.records import InstanceState, StepCommit, TurnSnapshot


class PlanEdits(StepHook):
    """Runs the turn on the edited plan; a turn that commits no step decides nothing."""

    def __init__(self, turn: RunningTurn) -> None:
        """Create the hook of one attempt."""
        super().__init__(turn)
        self._unwritten: DecidedEdits | None = None

    async def before_turn(self) -> None:
        """Replace the snapshot's plan by the plan as edited."""
        decided = decided_edits(self.turn.snapshot, self.turn.script, self.turn.new_id)
        if decided.edits:
            self._unwritten = decided
            self.turn.snapshot = replace(self.turn.snapshot, plan=decided.plan)

    def before_commit(self, step: StepCommit) -> StepCommit:
        """Add the edits and the instances they changed to the first step."""
        decided, self._unwritten = self._unwritten, None
        if decided is None:
            return step
        by_id = {each.action_instance_id: each for each in (*decided.changed, *step.instances)}
        return replace(step, edits=decided.edits, instances=tuple(by_id.values()))


def decided_edits(
    snapshot: TurnSnapshot, script: Script, new_id: Callable[[str], str]
) -> DecidedEdits:
    """Return the plan the turn runs, and the decisions on the edits that waited.

    Nothing is decided in a turn that has committed a step, or while no action runs: the edits go
    on waiting.
    """
    waiting = snapshot.edits.waiting
    current = next_open(snapshot.plan)
    idle = current is None or current.state is not InstanceState.RUNNING
    if not waiting or snapshot.steps or idle:
        return DecidedEdits(plan=snapshot.plan)
    position = snapshot.position
    now = EditMoment(
        phase_id=position.phase_id,
        topic_id=position.topic_id,
        turn_id=snapshot.turn_id,
        turn_no=snapshot.turn_no,
        plan_revision=snapshot.plan_revision,
    )
    return decide_edits(waiting, _constraints(snapshot, script), now, new_id=new_id)


def _constraints(snapshot: TurnSnapshot, script: Script) -> EditConstraints:
    position = snapshot.position
    topic = topic_named(script, position.phase_id, position.topic_id)
    assert topic is not None, "the session is in it"
    return constraints_of(script, topic, snapshot.plan, snapshot.edits.past)
