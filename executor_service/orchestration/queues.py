"""The part of a plan that an edit may touch, as it is shown and as it is changed; pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TypeAlias

from executor_service.scripts.model.script import Action
from heartrule.domain.json_value import JsonValue
from heartrule.domain.orchestration import QueuedAction, QueueState
from session_store.records import ActionInstance, InstanceState, Plan

# Returns the action that defines an instance now.
Actions: TypeAlias = Callable[[ActionInstance], Action]

_STARTED = frozenset({InstanceState.RUNNING, InstanceState.COMPLETED})


def tail(plan: Plan) -> Plan:
    """Return the instances after the last that started: pending or skipped."""
    started = [at for at, each in enumerate(plan) if each.state in _STARTED]
    return plan[started[-1] + 1 :] if started else plan


def remaining(plan: Plan) -> Plan:
    """Return the instances that have not started and are not skipped, in order."""
    return tuple(each for each in tail(plan) if each.state is InstanceState.PENDING)


def running(plan: Plan) -> ActionInstance | None:
    """Return the innermost instance that runs."""
    found = [each for each in plan if each.state is InstanceState.RUNNING]
    return found[-1] if found else None


def with_tail(plan: Plan, new: Iterable[ActionInstance]) -> Plan:
    """Return the plan with another tail, all numbered anew."""
    whole = (*plan[: len(plan) - len(tail(plan))], *new)
    return tuple(
        each if each.ordinal == at else replace(each, ordinal=at) for at, each in enumerate(whole)
    )


def queue_entries(plan: Sequence[ActionInstance], actions: Actions) -> tuple[QueuedAction, ...]:
    """Return instances as an edit's row and GetPlan show them."""
    return tuple(queue_entry(each, actions(each)) for each in plan)


def queue_entry(instance: ActionInstance, action: Action) -> QueuedAction:
    """Return one instance as it is shown."""
    config = instance.definition.get("config")
    return QueuedAction(
        action_instance_id=instance.action_instance_id,
        action_id=instance.action_id,
        action_type=instance.action_type,
        state=QueueState(instance.state.value),
        mandatory=action.mandatory,
        inserted=is_inserted(instance),
        config=config if isinstance(config, dict) else {},
        parent_instance_id=instance.parent_instance_id,
    )


def restored(instance: ActionInstance, entry: QueuedAction) -> ActionInstance:
    """Return an instance in the state an entry records."""
    definition: dict[str, JsonValue] = {}
    if entry.config:
        definition = {"config": dict(entry.config), "inserted": entry.inserted}
    return replace(instance, state=InstanceState(entry.state.value), definition=definition)


def is_inserted(instance: ActionInstance) -> bool:
    """Return whether an edit inserted the instance."""
    return instance.definition.get("inserted") is True
