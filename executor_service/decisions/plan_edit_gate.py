"""The gate of plan edits: what waits is decided at a turn's beginning; pure (One product, 3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from executor_service.decisions.fail_closed import fail_closed
from executor_service.orchestration.decide import decide, rejected
from executor_service.orchestration.edit_rules import EditConstraints, EditMoment, EditRule
from heartrule.domain.decisions import RuleFinding
from heartrule.domain.orchestration import PlanEdit
from session_store.records import ActionInstance, KeptEdit, Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class DecidedEdits:
    """The plan after the waiting edits, and each edit's new state."""

    plan: Plan
    changed: tuple[ActionInstance, ...] = ()
    """Instances made or changed."""
    edits: tuple[PlanEdit, ...] = ()
    """Edits in the state they took on, in order; one that was undone besides its undo."""


def decide_edits(
    waiting: Sequence[KeptEdit],
    constraints: EditConstraints,
    now: EditMoment,
    *,
    new_id: Callable[[str], str],
) -> DecidedEdits:
    """Return the plan after the waiting edits, and the new state of each.

    An edit id has one outcome: one that comes again, or was applied before, changes nothing.

    Args:
        waiting: Edits that wait, in the order in which they were made.
        constraints: The session's current topic.
        now: Where and when.
        new_id: Makes an id of a kind.
    """
    first = {each.action_instance_id: each for each in constraints.plan}
    outcomes = {each.edit_id: each for each in constraints.past}
    found: list[PlanEdit] = []
    for each in waiting:
        if each.edit.edit_id in outcomes:
            continue
        made, constraints = _judged(each, constraints, now, new_id)
        found.extend(made)
        outcomes |= {one.edit_id: one for one in made}
        now = replace(now, plan_revision=max(now.plan_revision, made[-1].plan_revision))
    changed = (each for each in constraints.plan if first.get(each.action_instance_id) != each)
    return DecidedEdits(plan=constraints.plan, changed=tuple(changed), edits=tuple(found))


def _judged(
    waiting: KeptEdit, constraints: EditConstraints, now: EditMoment, new_id: Callable[[str], str]
) -> tuple[tuple[PlanEdit, ...], EditConstraints]:
    # Raised further, it would fail this turn and each after it: the edit would still wait.
    name = f"plan edit {waiting.edit.edit_id}"
    outcome = fail_closed(name, partial(decide, waiting, constraints, now, new_id))
    if isinstance(outcome, RuleFinding):
        edit = rejected(waiting.edit, EditRule.VALIDATOR_ERROR, outcome.message, now)
        return (edit,), constraints
    return outcome
