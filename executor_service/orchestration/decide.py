"""Decides at a turn's beginning what becomes of the edits that wait; pure (RESOLUTIONS C29)."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from executor_service.orchestration.edits import edited, undone
from executor_service.orchestration.queues import Plan, queue_entries, tail
from executor_service.orchestration.rules import EditConstraints, Refused, Rule, check_latest
from heartrule.domain.orchestration import PlanEdit, PlanEditState
from session_store.records import ActionInstance, KeptEdit

LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class EditMoment:
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
    waiting: Sequence[KeptEdit],
    constraints: EditConstraints,
    now: EditMoment,
    *,
    new_id: Callable[[str], str],
) -> Decided:
    """Return the plan after the edits that wait, and what became of each.

    Args:
        waiting: Edits that wait, in the order in which they were made.
        constraints: The topic the session stands in.
        now: Where and when.
        new_id: Makes an id of a kind.
    """
    first = {each.action_instance_id: each for each in constraints.plan}
    found: list[PlanEdit] = []
    revision = now.plan_revision
    for each in waiting:
        made, constraints = _one(each, constraints, replace(now, plan_revision=revision), new_id)
        found.extend(made)
        revision = max((revision, *(one.plan_revision for one in made)))
    changed = (each for each in constraints.plan if first.get(each.action_instance_id) != each)
    return Decided(plan=constraints.plan, changed=tuple(changed), edits=tuple(found))


def _one(
    waiting: KeptEdit, constraints: EditConstraints, now: EditMoment, new_id: Callable[[str], str]
) -> tuple[tuple[PlanEdit, ...], EditConstraints]:
    edit = replace(waiting.edit, decided_turn_id=now.turn_id)
    late = _late(waiting, now)
    if late is not None:
        rule, problem = late
        state = PlanEditState.EXPIRED
        return (replace(edit, state=state, rule=rule.value, problem=problem),), constraints
    try:
        return _applied(edit, constraints, now, new_id)
    except Refused as refused:
        rule, problem = refused.rule, refused.problem
    except Exception as error:
        # Raised further, it would fail this turn and each after it: the edit would go on waiting.
        LOG.exception("an edit's rule failed", extra={"edit_id": edit.edit_id})
        rule, problem = Rule.VALIDATOR_ERROR, f"a rule failed: {type(error).__name__}"
    rejected = replace(edit, state=PlanEditState.REJECTED, rule=rule.value, problem=problem)
    return (rejected,), constraints


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
    """Return the plan after an edit, and the one it takes back, if it is an undo."""
    if edit.plan is not None:
        return edited(edit.plan, constraints, new_id), None
    meant = check_latest(edit.undoes, constraints.past)
    return undone(meant, constraints.plan), meant


def _late(waiting: KeptEdit, now: EditMoment) -> tuple[Rule, str] | None:
    """Return why the edit comes too late; None where it does not."""
    edit = waiting.edit
    if (edit.phase_id, edit.topic_id) != (now.phase_id, now.topic_id):
        return Rule.TOPIC_LEFT, f"topic {edit.topic_id!r} was left"
    turns = now.turn_no - waiting.judged_turn_no
    if edit.plan is not None and turns > edit.ttl_turns:
        return Rule.TOO_LATE, f"{turns} turns after the one it judged, of {edit.ttl_turns}"
    return None
