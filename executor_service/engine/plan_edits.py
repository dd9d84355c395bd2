"""Edits of the plan, decided once at a turn's beginning, before its first step (C29)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from executor_service.engine.deps import EngineDeps, Sink
from executor_service.engine.plan import next_open
from executor_service.orchestration.decide import Decided, Now, decide
from executor_service.orchestration.rules import Ground
from executor_service.orchestration.topics import ground_of, topic_named
from executor_service.scripts.model import Script
from heartrule.domain.events import DraftDelta
from session_store.records import CommittedStep, InstanceState, StepCommit, TurnSnapshot


def with_edits(
    snapshot: TurnSnapshot, script: Script, deps: EngineDeps, sink: Sink
) -> tuple[TurnSnapshot, Sink]:
    """Return the snapshot with the plan as edited, and a sink whose first commit says so.

    What a turn decides is written with its first step, or with none.
    """
    decided = decided_edits(snapshot, script, deps.new_id)
    if not decided.edits:
        return snapshot, sink
    return replace(snapshot, plan=decided.plan), _FirstStep(sink, decided)


class _FirstStep:
    """A sink that adds to the first step what was decided before it."""

    def __init__(self, sink: Sink, decided: Decided) -> None:
        self._sink = sink
        self._decided: Decided | None = decided
        self.calls = sink.calls
        self.stop = sink.stop
        self.words_until = sink.words_until

    def emit(self, draft: DraftDelta) -> None:
        """Tell a draft; never blocks."""
        self._sink.emit(draft)

    async def commit(self, step: StepCommit) -> CommittedStep:
        """Make a step durable; the first with the edits and the instances they changed."""
        decided, self._decided = self._decided, None
        if decided is not None:
            by_id = {each.action_instance_id: each for each in (*decided.changed, *step.instances)}
            step = replace(step, edits=decided.edits, instances=tuple(by_id.values()))
        return await self._sink.commit(step)


def decided_edits(snapshot: TurnSnapshot, script: Script, new_id: Callable[[str], str]) -> Decided:
    """Return the plan the turn runs, and what became of the edits that waited.

    Nothing is decided in a turn that is under way, or while no action runs: then the edits go on
    waiting.
    """
    waiting = snapshot.edits.waiting
    current = next_open(snapshot.plan)
    idle = current is None or current.state is not InstanceState.RUNNING
    if not waiting or snapshot.steps or idle:
        return Decided(plan=snapshot.plan)
    position = snapshot.position
    now = Now(
        phase_id=position.phase_id,
        topic_id=position.topic_id,
        turn_id=snapshot.turn_id,
        turn_no=snapshot.turn_no,
        plan_revision=snapshot.plan_revision,
    )
    return decide(waiting, _ground(snapshot, script), now, new_id=new_id)


def _ground(snapshot: TurnSnapshot, script: Script) -> Ground:
    position = snapshot.position
    topic = topic_named(script, position.phase_id, position.topic_id)
    assert topic is not None, "the session stands in it"
    return ground_of(script, topic, snapshot.plan, snapshot.edits.past)
