"""Decides at a turn's beginning what becomes of the edits that wait; pure (RESOLUTIONS C29)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from executor_service.orchestration.edits import edited, undone
from executor_service.orchestration.queues import Plan, tail, told
from executor_service.orchestration.rules import Ground, Refused, Rule, check_latest
from heartrule.domain.orchestration import PlanEdit, PlanEditState
from session_store.records import ActionInstance, KeptEdit


@dataclass(frozen=True, slots=True, kw_only=True)
class Now:
    """Where and when edits are decided."""

    phase_id: str
    topic_id: str
    turn_id: str
    turn_no: int
    plan_revision: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """What came of the edits that waited."""

    plan: Plan
    changed: tuple[ActionInstance, ...] = ()
    """Instances made or changed."""
    edits: tuple[PlanEdit, ...] = ()
    """Edits in the state they took on, in order; one that was undone besides its undo."""


def decide(
    waiting: Sequence[KeptEdit], ground: Ground, now: Now, *, new_id: Callable[[str], str]
) -> Decided:
    """Return the plan after the edits that wait, and what became of each.

    Args:
        waiting: Edits that wait, in the order in which they were made.
        ground: The topic the session stands in.
        now: Where and when.
        new_id: Makes an id of a kind.
    """
    first = {each.action_instance_id: each for each in ground.plan}
    found: list[PlanEdit] = []
    revision = now.plan_revision
    for each in waiting:
        made, ground = _one(each, ground, replace(now, plan_revision=revision), new_id)
        found.extend(made)
        revision = max((revision, *(one.plan_revision for one in made)))
    changed = (each for each in ground.plan if first.get(each.action_instance_id) != each)
    return Decided(plan=ground.plan, changed=tuple(changed), edits=tuple(found))


def _one(
    waiting: KeptEdit, ground: Ground, now: Now, new_id: Callable[[str], str]
) -> tuple[tuple[PlanEdit, ...], Ground]:
    edit = replace(waiting.edit, decided_turn_id=now.turn_id)
    late = _late(waiting, now)
    if late is not None:
        rule, problem = late
        state = PlanEditState.EXPIRED
        return (replace(edit, state=state, rule=rule.value, problem=problem),), ground
    try:
        new, taken_back = _tried(edit, ground, new_id)
    except Refused as refused:
        rejected = replace(
            edit,
            state=PlanEditState.REJECTED,
            rule=refused.rule.value,
            problem=refused.problem,
        )
        return (rejected,), ground
    applied = replace(
        edit,
        state=PlanEditState.APPLIED,
        plan_revision=now.plan_revision + 1,
        before=told(tail(ground.plan), ground.actions),
        after=told(tail(new), ground.actions),
    )
    changed = [applied]
    past = [*ground.past, applied]
    if taken_back is not None:
        gone = replace(taken_back, state=PlanEditState.UNDONE)
        changed.insert(0, gone)
        past = [gone if each.edit_id == gone.edit_id else each for each in past]
    return tuple(changed), replace(ground, plan=new, past=tuple(past))


def _tried(
    edit: PlanEdit, ground: Ground, new_id: Callable[[str], str]
) -> tuple[Plan, PlanEdit | None]:
    """Return the plan after an edit, and the one it takes back, if it is an undo."""
    if edit.plan is not None:
        return edited(edit.plan, ground, new_id), None
    meant = check_latest(edit.undoes, ground.past)
    return undone(meant, ground.plan), meant


def _late(waiting: KeptEdit, now: Now) -> tuple[Rule, str] | None:
    """Return why nobody wants the edit any more."""
    edit = waiting.edit
    if (edit.phase_id, edit.topic_id) != (now.phase_id, now.topic_id):
        return Rule.TOPIC_LEFT, f"topic {edit.topic_id!r} was left"
    turns = now.turn_no - waiting.judged_turn_no
    if edit.plan is not None and turns > edit.ttl_turns:
        return Rule.TOO_LATE, f"{turns} turns after the one it judged, of {edit.ttl_turns}"
    return None
