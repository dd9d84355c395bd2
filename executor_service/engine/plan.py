"""The queue of a topic's action instances, and which of its rows a turn changed.

An instance is known by its id; its ordinal is its place and may change. The actions of a skill
follow its use_skill instance, which runs as long as any of them is open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from executor_service.scripts.model.actions import ActionType
from executor_service.scripts.model.script import Action
from session_store.records import ENDED, ActionInstance, InstanceState, Plan


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
        phase_id: The current phase.
        topic_id: The current topic.
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

    Of a running use_skill it is one of its actions.
    """
    return next((one for one in plan if one.state not in ENDED and not _is_open_skill(one)), None)


def _is_open_skill(instance: ActionInstance) -> bool:
    """Return whether this is a use_skill whose actions are in the queue."""
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


class Queue:
    """The plan of the current topic; changed rows of topics left since are kept, too."""

    def __init__(self, plan: Plan) -> None:
        """Start with a plan as it is stored."""
        self.plan = plan
        self._changed: dict[str, ActionInstance] = {}

    def next_open(self) -> ActionInstance | None:
        """Return the instance that runs now or is next to start."""
        return next_open(self.plan)

    def get(self, instance: ActionInstance) -> ActionInstance:
        """Return an instance as the plan has it now."""
        name = instance.action_instance_id
        return next(one for one in self.plan if one.action_instance_id == name)

    def put(self, instance: ActionInstance) -> None:
        """Replace the instance of the same id."""
        name = instance.action_instance_id
        self.plan = tuple(instance if one.action_instance_id == name else one for one in self.plan)
        self._changed[name] = instance

    def insert(self, made: Sequence[ActionInstance], *, after: ActionInstance) -> None:
        """Insert instances behind the one of `after`'s id, and number all anew."""
        ids = [one.action_instance_id for one in self.plan]
        at = ids.index(after.action_instance_id) + 1
        plan = (*self.plan[:at], *made, *self.plan[at:])
        self.become(
            tuple(
                one if one.ordinal == ordinal else replace(one, ordinal=ordinal)
                for ordinal, one in enumerate(plan)
            )
        )

    def take(self) -> tuple[ActionInstance, ...]:
        """Return the rows made or changed since the last call."""
        changed = tuple(self._changed.values())
        self._changed.clear()
        return changed

    def become(self, plan: Plan) -> None:
        """Replace the plan; what was not in it, or not so, is to be stored."""
        stored = {one.action_instance_id: one for one in self.plan}
        for one in plan:
            if stored.get(one.action_instance_id) is not one:
                self._changed[one.action_instance_id] = one
        self.plan = plan
