"""The queue of a topic's action instances: pure functions over data an editor may rearrange.

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

Plan: TypeAlias = tuple[ActionInstance, ...]
"""All instances of one topic, in the order in which they run."""

ENDED = frozenset({InstanceState.COMPLETED, InstanceState.SKIPPED})
"""States of an instance that lies behind."""


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
    """Say whether this is a use_skill whose actions stand in the queue."""
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
    """Return the plan with each instance's ordinal as its place says."""
    return tuple(
        one if one.ordinal == ordinal else replace(one, ordinal=ordinal)
        for ordinal, one in enumerate(plan)
    )
