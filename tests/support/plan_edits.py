"""Builders for edits of plans: a topic, its queue, proposals and a session that runs them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

from executor_service.decisions.plan_edit_gate import DecidedEdits, decide_edits
from executor_service.orchestration.edit_rules import EditConstraints, EditMoment
from executor_service.orchestration.edited_definitions import action_of_edit, load_definition
from executor_service.orchestration.queues import queue_entries, remaining
from executor_service.scripts.model.script import Action
from heartrule.domain.json_value import JsonValue
from heartrule.domain.orchestration import (
    ActionDefinition,
    OrchestrationAction,
    OrchestrationPlan,
    PlanEdit,
    QueuedAction,
)
from session_store.records import ActionInstance, InstanceState, KeptEdit, Plan


def script_action(action_id: str, *, mandatory: bool = False, content: str = "说说近况") -> Action:
    """Return an ai_say as the loader reads it."""
    action = load_definition("ai_say", action_id, {"content": content}).action
    assert action is not None
    return replace(action, mandatory=mandatory)


def insert(
    content: str = "我们不着急", action_type: str = "ai_say", **where: Any
) -> OrchestrationPlan:
    """Return a plan that inserts an action."""
    config: dict[str, JsonValue] = {"content": content}
    return OrchestrationPlan(
        action=OrchestrationAction.INSERT,
        new_action=ActionDefinition(action_type=action_type, config=config),
        reason="先安抚",
        **where,
    )


def modify(instance: str, **modifications: JsonValue) -> OrchestrationPlan:
    """Return a plan that changes an action's configuration."""
    return OrchestrationPlan(
        action=OrchestrationAction.MODIFY,
        target_instance=instance,
        modifications=modifications,
        reason="换个问法",
    )


def skip(instance: str) -> OrchestrationPlan:
    """Return a plan that leaves an action out."""
    kind = OrchestrationAction.SKIP
    return OrchestrationPlan(action=kind, target_instance=instance, reason="没有必要了")


def reorder(*order: str) -> OrchestrationPlan:
    """Return a plan that changes the order."""
    return OrchestrationPlan(action=OrchestrationAction.REORDER, order=order, reason="先易后难")


@dataclass(slots=True)
class EditedTopic:
    """A topic that runs while edits come: pure, and without a store."""

    actions: tuple[Action, ...]
    budget: int = 3
    plan: Plan = ()
    turn_no: int = 1
    revision: int = 0
    rows: dict[str, PlanEdit] = field(default_factory=dict)
    first: tuple[QueuedAction, ...] = ()
    _numbers: Callable[[], int] = field(default_factory=lambda: count(1).__next__)

    def __post_init__(self) -> None:
        """Begin with the first action running."""
        made = [
            ActionInstance(
                action_instance_id=f"act_{each.action_id}",
                phase_id="p",
                topic_id="t",
                action_id=each.action_id,
                action_type=each.action_type.value,
                ordinal=at,
                state=InstanceState.PENDING if at else InstanceState.RUNNING,
            )
            for at, each in enumerate(self.actions)
        ]
        self.plan = tuple(made)
        self.first = queue_entries(self.plan, self.action)

    def action(self, instance: ActionInstance) -> Action:
        """Return what defines an instance now."""
        by_id: Mapping[str, Action] = {each.action_id: each for each in self.actions}
        known = by_id.get(instance.action_id)
        if instance.definition:
            return action_of_edit(instance, known)
        assert known is not None
        return known

    def decide(
        self, plan: OrchestrationPlan | None, *, undoes: str = "", judged: int = 0
    ) -> DecidedEdits:
        """Let one edit be decided at the beginning of the next turn, and keep its rows."""
        edit = PlanEdit(
            edit_id=f"edit_{self._numbers()}",
            session_id="s",
            cause_id="adv_1",
            phase_id="p",
            topic_id="t",
            plan=plan,
            undoes=undoes,
        )
        waiting = KeptEdit(edit=edit, judged_turn_no=judged or self.turn_no)
        self.turn_no += 1
        decided = decide_edits(
            (waiting,),
            self.constraints(),
            self.now(),
            new_id=lambda kind: f"{kind}_{self._numbers()}",
        )
        self.plan = decided.plan
        self.rows |= {each.edit_id: each for each in decided.edits}
        self.revision = max((self.revision, *(each.plan_revision for each in decided.edits)))
        return decided

    def now(self) -> EditMoment:
        """Return where and when edits are decided."""
        return EditMoment(
            phase_id="p",
            topic_id="t",
            turn_id=f"turn_{self.turn_no}",
            turn_no=self.turn_no,
            plan_revision=self.revision,
        )

    def constraints(self) -> EditConstraints:
        """Return what an edit is judged against."""
        past = [each for each in self.rows.values() if each.plan_revision]
        return EditConstraints(
            plan=self.plan,
            actions=self.action,
            taken=frozenset(each.action_id for each in self.actions),
            budget=self.budget,
            past=tuple(sorted(past, key=lambda each: each.plan_revision)),
        )

    def go_on(self) -> bool:
        """End what runs and begin the next; False once all has ended."""
        following = next(iter(remaining(self.plan)), None)

        def moved(each: ActionInstance) -> ActionInstance:
            if each.state is InstanceState.RUNNING:
                return replace(each, state=InstanceState.COMPLETED)
            return replace(each, state=InstanceState.RUNNING) if each is following else each

        self.plan = tuple(map(moved, self.plan))
        return following is not None


def replay(first: Iterable[QueuedAction], edits: Iterable[PlanEdit]) -> tuple[QueuedAction, ...]:
    """Return a topic's queue after the edits that were applied to it.

    Args:
        first: The queue as the script gave it; the actions of skills that were opened since come
            with the edits that saw them.
        edits: Rows of the topic in any order; those never applied change nothing.
    """
    queue = list(first)
    applied = (each for each in edits if each.plan_revision)
    for edit in sorted(applied, key=lambda each: each.plan_revision):
        seen = {each.action_instance_id for each in edit.before}
        started = [each for each in queue if each.action_instance_id not in seen]
        queue = [*started, *edit.after]
    return tuple(queue)
