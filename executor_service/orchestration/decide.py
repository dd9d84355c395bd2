"""Applies or rejects one waiting edit; pure (RESOLUTIONS C29).

The coordinator is its only caller: `executor_service.decisions.plan_edit_gate`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from executor_service.orchestration.edit_rules import (
    EditConstraints,
    EditMoment,
    EditRefused,
    EditRule,
    check_latest,
    check_limits,
    check_loop,
    check_order,
    check_words,
    checked_config,
    needs,
    target,
)
from executor_service.orchestration.queues import (
    is_inserted,
    queue_entries,
    remaining,
    restored,
    running,
    tail,
    with_tail,
)
from heartrule.domain.json_value import JsonValue
from heartrule.domain.orchestration import (
    OrchestrationAction,
    OrchestrationPlan,
    PlanEdit,
    PlanEditState,
    RelativePosition,
)
from session_store.records import ActionInstance, InstanceState, KeptEdit, Plan


def edited(
    plan: OrchestrationPlan, constraints: EditConstraints, new_id: Callable[[str], str]
) -> Plan:
    """Return the plan with the edit in it.

    Raises:
        EditRefused: It breaks a rule; nothing of it counts then.
    """
    needs(plan)
    check_limits(plan, constraints)
    match plan.action:
        case OrchestrationAction.INSERT:
            return _with_inserted(plan, constraints, new_id)
        case OrchestrationAction.MODIFY:
            return _with_modified(plan, constraints)
        case OrchestrationAction.SKIP:
            skipped = replace(target(plan, constraints), state=InstanceState.SKIPPED)
            return _put(constraints.plan, skipped)
        case OrchestrationAction.REORDER:
            return _reordered(plan, constraints)


def undone(edit: PlanEdit, plan: Plan) -> Plan:
    """Return the plan as it was before the latest edit; the actions it inserted are skipped.

    Actions of a skill that was opened since are first: that skill runs.

    Raises:
        EditRefused: Something the edit touched has started since.
    """
    left = {each.action_instance_id: each for each in tail(plan)}
    for at, entry in enumerate(edit.after):
        name = entry.action_instance_id
        same = at < len(edit.before) and edit.before[at] == entry
        if name not in left and not same:
            raise EditRefused(
                EditRule.TARGET_STARTED, f"undoes: {entry.action_id!r} has started since"
            )
    back = [
        restored(left[each.action_instance_id], each)
        for each in edit.before
        if each.action_instance_id in left
    ]
    known = {each.action_instance_id for each in edit.before}
    new = [each.action_instance_id for each in edit.after if each.action_instance_id not in known]
    gone = [replace(left[name], state=InstanceState.SKIPPED) for name in new]
    opened = [each for name, each in left.items() if name not in known and name not in new]
    return with_tail(plan, (*opened, *back, *gone))


def _with_inserted(
    plan: OrchestrationPlan, constraints: EditConstraints, new_id: Callable[[str], str]
) -> Plan:
    new = plan.new_action
    assert new is not None, "checked by `needs`"
    check_loop(plan, constraints)
    check_words(new.config, where="new_action")
    action_id = _free_id(new.action_id, constraints)
    action = checked_config(new.action_type, action_id, new.config, where="new_action")
    at, beside = _place(plan, constraints)
    made = ActionInstance(
        action_instance_id=new_id("act"),
        phase_id=constraints.plan[0].phase_id,
        topic_id=constraints.plan[0].topic_id,
        action_id=action.action_id,
        action_type=new.action_type,
        ordinal=0,
        technique_id=beside.technique_id if beside else "",
        parent_instance_id=beside.parent_instance_id if beside else "",
        definition={"config": dict(new.config), "inserted": True},
    )
    rest = tail(constraints.plan)
    return with_tail(constraints.plan, (*rest[:at], made, *rest[at:]))


def _place(
    plan: OrchestrationPlan, constraints: EditConstraints
) -> tuple[int, ActionInstance | None]:
    """Return where in the tail a new action goes, and the one whose skill it joins."""
    rest, left = tail(constraints.plan), remaining(constraints.plan)
    current = running(constraints.plan)
    if plan.index is None and plan.relative is not RelativePosition.BEFORE_NEXT and current:
        return 0, current
    index = plan.index or 0
    if not 0 <= index <= len(left):
        raise EditRefused(
            EditRule.POSITION_UNKNOWN, f"target_position: {index} of {len(left)} remaining"
        )
    if index == len(left):
        return len(rest), None
    return rest.index(left[index]), left[index]


def _free_id(wanted: str, constraints: EditConstraints) -> str:
    """Return an action id that is unique in the topic."""
    taken = constraints.taken | {each.action_id for each in constraints.plan}
    if wanted and wanted not in taken:
        return wanted
    base = wanted or "inserted"
    return next(name for n in range(1, 10_000) if (name := f"{base}_{n}") not in taken)


def _with_modified(plan: OrchestrationPlan, constraints: EditConstraints) -> Plan:
    instance = target(plan, constraints)
    check_words(plan.modifications, where="modifications")
    before = constraints.actions(instance)
    config = {**before.written, **plan.modifications}
    if config == dict(before.written):
        raise EditRefused(EditRule.NO_CHANGE, "modifications: say what is there already")
    checked_config(instance.action_type, instance.action_id, config, where="modifications")
    definition: dict[str, JsonValue] = {"config": config, "inserted": is_inserted(instance)}
    return _put(constraints.plan, replace(instance, definition=definition))


def _reordered(plan: OrchestrationPlan, constraints: EditConstraints) -> Plan:
    left = remaining(constraints.plan)
    check_order(plan.order, left)
    by_id = {each.action_instance_id: each for each in left}
    moved = iter(plan.order)
    pending = InstanceState.PENDING
    rest = [
        by_id[next(moved)] if each.state is pending else each for each in tail(constraints.plan)
    ]
    return with_tail(constraints.plan, rest)


def _put(plan: Plan, instance: ActionInstance) -> Plan:
    name = instance.action_instance_id
    return tuple(instance if each.action_instance_id == name else each for each in plan)


def decide(
    waiting: KeptEdit, constraints: EditConstraints, now: EditMoment, new_id: Callable[[str], str]
) -> tuple[tuple[PlanEdit, ...], EditConstraints]:
    """Return an edit in the state it takes on, and the topic as it leaves it.

    An undo comes after the edit that it takes back. A rule that fails raises whatever it raises:
    the coordinator makes a rejection of it.
    """
    edit = replace(waiting.edit, decided_turn_id=now.turn_id)
    late = _late(waiting, now)
    if late is not None:
        rule, problem = late
        state = PlanEditState.EXPIRED
        return (replace(edit, state=state, rule=rule.value, problem=problem),), constraints
    try:
        return _applied(edit, constraints, now, new_id)
    except EditRefused as refused:
        return (rejected(edit, refused.rule, refused.problem, now),), constraints


def rejected(edit: PlanEdit, rule: EditRule, problem: str, now: EditMoment) -> PlanEdit:
    """Return an edit as this turn rejects it."""
    return replace(
        edit,
        state=PlanEditState.REJECTED,
        rule=rule.value,
        problem=problem,
        decided_turn_id=now.turn_id,
    )


def _applied(
    edit: PlanEdit, constraints: EditConstraints, now: EditMoment, new_id: Callable[[str], str]
) -> tuple[tuple[PlanEdit, ...], EditConstraints]:
    new, taken_back = _tried(edit, constraints, new_id)
    applied = replace(
        edit,
        state=PlanEditState.APPLIED,
        plan_revision=now.plan_revision + 1,
        before=queue_entries(tail(constraints.plan), constraints.actions),
        after=queue_entries(tail(new), constraints.actions),
    )
    changed = [applied]
    past = [*constraints.past, applied]
    if taken_back is not None:
        gone = replace(taken_back, state=PlanEditState.UNDONE)
        changed.insert(0, gone)
        past = [gone if each.edit_id == gone.edit_id else each for each in past]
    return tuple(changed), replace(constraints, plan=new, past=tuple(past))


def _tried(
    edit: PlanEdit, constraints: EditConstraints, new_id: Callable[[str], str]
) -> tuple[Plan, PlanEdit | None]:
    """Return the plan after an edit, and the edit that it undoes, if it is an undo."""
    if edit.plan is not None:
        return edited(edit.plan, constraints, new_id), None
    meant = check_latest(edit.undoes, constraints.past)
    return undone(meant, constraints.plan), meant


def _late(waiting: KeptEdit, now: EditMoment) -> tuple[EditRule, str] | None:
    """Return why the edit is too late; None where it is not."""
    edit = waiting.edit
    if (edit.phase_id, edit.topic_id) != (now.phase_id, now.topic_id):
        return EditRule.TOPIC_LEFT, f"topic {edit.topic_id!r} was left"
    turns = now.turn_no - waiting.judged_turn_no
    if edit.plan is not None and turns > edit.ttl_turns:
        return EditRule.TOO_LATE, f"{turns} turns after the one it judged, of {edit.ttl_turns}"
    return None
