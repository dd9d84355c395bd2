"""A run played through the schedule, the loops and the recoveries as they are, in ticks.

It does what an engine does, without a store: a tick is a second, and `Fate` is the outside.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from executor_service.conditions.plan import compile_plan_condition
from executor_service.workflows.graph import node_at
from executor_service.workflows.loops import next_in_loop, values_at
from executor_service.workflows.node_failed import NodeFailed
from executor_service.workflows.recovery import apply_recovery, recovery_decision, retry_delay
from executor_service.workflows.recovery_plan import RecoveryPlan
from executor_service.workflows.resolving import output_values, own_values, resolved_config
from executor_service.workflows.schedule import next_steps, step_order
from heartrule.domain.json_value import JsonValue
from heartrule.domain.runs import (
    BEGUN_NODES,
    NodeFailure,
    NodeRecord,
    NodeState,
    RunProgress,
    RunState,
)
from heartrule.domain.workflows import NodeType, Workflow
from tests.support.run_fates import Fate


class PlayedRun:
    """One run; `play` brings it to its end, and `progress`, `outcome` and `log` tell of it."""

    def __init__(self, plan: Workflow, fate: Fate, default: RecoveryPlan) -> None:
        self.progress = RunProgress(workflow=plan)
        self.fate = fate
        self.default = default
        self.order = step_order(plan)
        self.due: dict[str, float] = {}
        self.log: list[tuple[int, str, str, int]] = []
        self.outcome: RunState | None = None
        self.tick = 0

    def play(self) -> PlayedRun:
        """Let time pass until the run is over."""
        self._go_on()
        while self.outcome is None:
            self.tick += 1
            for path in self._paths(NodeState.RUNNING):
                if self.due.get(path) == self.tick and not self._is_lost():
                    self._attempt_ends(path)
            for path in self._paths(NodeState.RETRYING):
                if self.due[path] <= self.tick and not self._is_lost():
                    self._begin(path)
            self._go_on()
        return self

    def _paths(self, state: NodeState) -> list[str]:
        found = [path for path, each in self.progress.nodes.items() if each.state is state]
        return sorted(found, key=lambda path: (self.order.index(path.split("/")[0]), path))

    def _is_lost(self) -> bool:
        return any(each.state is NodeState.FAILED for each in self.progress.nodes.values())

    def _put(self, record: NodeRecord) -> None:
        nodes = {**self.progress.nodes, record.path: record}
        self.progress = replace(self.progress, nodes=nodes)

    def _note(self, what: str, path: str) -> None:
        self.log.append((self.tick, what, path, self.progress.nodes[path].attempt))

    def _go_on(self) -> None:
        """Do what the schedule says until it says nothing new."""
        changed = True
        while changed:
            schedule = next_steps(self.progress)
            for path in schedule.ready:
                self._begin(path, failed_conditions=schedule.failed_conditions.get(path, ()))
            for path, reason in schedule.skipped.items():
                failed = schedule.failed_conditions.get(path, ())
                skipped = NodeRecord(path=path, state=NodeState.SKIPPED, attempt=0)
                self._put(replace(skipped, skip_reason=reason, failed_conditions=failed))
            if schedule.outcome is not None:
                for path in schedule.cancelled:
                    blank = NodeRecord(path=path, state=NodeState.PENDING, attempt=0)
                    before = self.progress.nodes.get(path, blank)
                    self._put(replace(before, state=NodeState.CANCELLED))
                self.outcome = schedule.outcome
                return
            moved = [self._turn(path) for path in self._loops() if not self._is_lost()]
            changed = bool(schedule.ready or schedule.skipped) or any(moved)

    def _loops(self) -> list[str]:
        running = [path for path in self._paths(NodeState.RUNNING) if "/" not in path]
        return [path for path in running if self._type(path) is NodeType.LOOP]

    def _type(self, path: str) -> NodeType:
        return node_at(self.progress.workflow, path).type

    def _turn(self, loop_id: str) -> bool:
        """Go on with a loop; return whether anything changed."""
        try:
            step = next_in_loop(self.progress, loop_id)
        except NodeFailed as unresolved:
            self._fails(loop_id, unresolved.failure)
            return True
        if not step.path:
            failure = self.fate.failure(loop_id, self.progress.nodes[loop_id].attempt)
            if failure:
                self._fails(loop_id, failure)
            else:
                self._completes(loop_id, step.output)
            return True
        if self.progress.state(step.path) in BEGUN_NODES:
            return False
        self._begin(step.path)
        return True

    def _begin(self, path: str, failed_conditions: tuple[str, ...] = ()) -> None:
        fresh = NodeRecord(path=path, state=NodeState.PENDING, attempt=0)
        before = self.progress.nodes.get(path, fresh)
        attempt = before.attempt + 1
        known = before.failed_conditions or failed_conditions
        self._put(
            replace(before, state=NodeState.RUNNING, attempt=attempt, failed_conditions=known)
        )
        self._note("begins", path)
        self.due[path] = self.tick + self.fate.ticks(path, attempt)
        if self._type(path) is NodeType.LOOP:
            del self.due[path]

    def _attempt_ends(self, path: str) -> None:
        node = node_at(self.progress.workflow, path)
        if node.type in {NodeType.START, NodeType.END}:
            self._completes(path, None)
            return
        try:
            values = own_values(node, values_at(self.progress, path))
            config = resolved_config(node, values)
        except NodeFailed as unresolved:
            self._fails(path, unresolved.failure)
            return
        if failure := self.fate.failure(path, self.progress.nodes[path].attempt):
            self._fails(path, failure)
            return
        output: dict[str, Any] = self.fate.output(path, values.own)
        if node.type is NodeType.CONDITION:
            condition = compile_plan_condition(str(config["expression"]))
            found = config["values"]
            assert isinstance(found, Mapping)
            output = {"result": bool(condition.evaluate(found).value)}
        self._completes(path, output_values(node, output, values))

    def _completes(self, path: str, output: JsonValue) -> None:
        self._put(replace(self.progress.nodes[path], state=NodeState.COMPLETED, output=output))
        self._note("completed", path)

    def _fails(self, path: str, failure: NodeFailure) -> None:
        self._note(f"failed {failure.code}", path)
        node = node_at(self.progress.workflow, path)
        record = replace(
            self.progress.nodes[path], state=NodeState.WAITING_DECISION, failure=failure
        )
        self._put(record)
        delay = retry_delay(node, record)
        if delay is not None:
            self._put(replace(record, state=NodeState.RETRYING))
            self.due[path] = self.tick + delay
            return
        payload = recovery_decision(self.progress, record, self.default)
        plan = RecoveryPlan.model_validate(payload["recovery_plan"])
        self._note(f"recovery {plan.action}", path)
        self.progress = apply_recovery(self.progress, payload)
        after = self.progress.nodes[path]
        if after.state is NodeState.RETRYING:
            self.due[path] = self.tick + after.delay_s
        elif after.state is NodeState.COMPLETED:
            self._note("completed", path)
