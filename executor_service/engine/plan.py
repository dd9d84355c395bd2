"""The queue of a topic's action instances: functions over its rows, and what a turn changed.

An instance is known by its id; its ordinal is its place and may change. The actions of a skill
stand behind its use_skill instance, which runs as long as any of them is open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TypeAlias

from executor_service.scripts.model.actions import ActionType
from executor_service.scripts.model.script import Action
from session_store.records import ActionInstance, InstanceState

#: All instances of one topic, in the order in which they run.
Plan: TypeAlias = tuple[ActionInstance, ...]

#: States of an instance that lies behind.
ENDED = frozenset({InstanceState.COMPLETED, InstanceState.SKIPPED})


def planned(
    actions: Iterable[Action],
    new_id: Callable[[str], str],
    *,
    phase_id: str,
    topic_id: str,
    technique_id: str = "",
    parent_instance_id: str = "",
) -> Plan:
    """Return one pending instance for each action, in order.

    Args:
        actions: Of a topic, or of a technique's.
        new_id: Makes an id of a kind.
        phase_id: The phase the session stands in.
        topic_id: The topic the session stands in.
        technique_id: What defines the actions; empty: the topic.
        parent_instance_id: The use_skill they run inside; empty: none.
    """
    return tuple(
        ActionInstance(
            action_instance_id=new_id("act"),
            phase_id=phase_id,
            topic_id=topic_id,
            action_id=action.action_id,
            action_type=action.action_type.value,
            ordinal=ordinal,
            technique_id=technique_id,
            parent_instance_id=parent_instance_id,
        )
        for ordinal, action in enumerate(actions)
    )


def next_open(plan: Plan) -> ActionInstance | None:
    """Return the instance that runs now or is next to start; None when all have ended.

    A running use_skill is not meant: its actions are.
    """
    return next((one for one in plan if one.state not in ENDED and not is_open_skill(one)), None)


def is_open_skill(instance: ActionInstance) -> bool:
    """Return whether this is a use_skill whose actions stand in the queue."""
    skill = instance.action_type == ActionType.USE_SKILL
    return skill and instance.state is InstanceState.RUNNING


def skills_around(plan: Plan, instance: ActionInstance | None) -> Plan:
    """Return the use_skill instances an instance runs inside, the outermost first."""
    found: list[ActionInstance] = []
    by_id = {one.action_instance_id: one for one in plan}
    while instance is not None and instance.parent_instance_id:
        instance = by_id[instance.parent_instance_id]
        found.append(instance)
    return tuple(reversed(found))


def put(plan: Plan, instance: ActionInstance) -> Plan:
    """Return the plan with an instance in place of the one of its id."""
    name = instance.action_instance_id
    return tuple(instance if one.action_instance_id == name else one for one in plan)


def inserted(plan: Plan, made: Sequence[ActionInstance], *, after: ActionInstance) -> Plan:
    """Return the plan with instances behind the one of `after`'s id, all numbered anew."""
    ids = [one.action_instance_id for one in plan]
    at = ids.index(after.action_instance_id) + 1
    return renumbered((*plan[:at], *made, *plan[at:]))


def renumbered(plan: Iterable[ActionInstance]) -> Plan:
    """Return the plan with each instance's ordinal set to its index."""
    return tuple(
        one if one.ordinal == ordinal else replace(one, ordinal=ordinal)
        for ordinal, one in enumerate(plan)
    )


class Queue:
    """The plan of the topic the turn stands in; rows of topics left since count as changed too."""

    def __init__(self, plan: Plan) -> None:
        """Take up a plan as it is stored."""
        self.plan = plan
        self._changed: dict[str, ActionInstance] = {}

    def next_open(self) -> ActionInstance | None:
        """Return the instance that runs now or is next to start."""
        return next_open(self.plan)

    def get(self, instance: ActionInstance) -> ActionInstance:
        """Return an instance as the plan has it now."""
        name = instance.action_instance_id
        return next(one for one in self.plan if one.action_instance_id == name)

    def begin(self, plan: Plan) -> None:
        """Go over to the plan of another topic, none of which is stored yet."""
        self.plan = ()
        self._become(plan)

    def put(self, instance: ActionInstance) -> None:
        """Give an instance its new state."""
        self.plan = put(self.plan, instance)
        self._changed[instance.action_instance_id] = instance

    def insert(self, made: Sequence[ActionInstance], *, after: ActionInstance) -> None:
        """Put instances behind another; those after them move on."""
        self._become(inserted(self.plan, made, after=after))

    def take(self) -> tuple[ActionInstance, ...]:
        """Return the rows made or changed since this was last asked."""
        changed = tuple(self._changed.values())
        self._changed.clear()
        return changed

    def _become(self, plan: Plan) -> None:
        known = {one.action_instance_id: one for one in self.plan}
        for one in plan:
            if known.get(one.action_instance_id) is not one:
                self._changed[one.action_instance_id] = one
        self.plan = plan
