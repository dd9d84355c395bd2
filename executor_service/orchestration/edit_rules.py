"""The rules that a proposed edit must keep; pure (RESOLUTIONS C30; One product, 3)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from executor_service.orchestration.edited_definitions import ACTION_TYPES, load_definition
from executor_service.orchestration.queues import Actions, is_inserted, tail
from executor_service.scripts.model.script import Action
from heartrule.domain.json_value import JsonValue
from heartrule.domain.orchestration import (
    DEFAULT_EDIT_BUDGET,
    OrchestrationAction,
    OrchestrationPlan,
    PlanEdit,
    PlanEditState,
)
from heartrule.model.template_filling import placeholders
from session_store.records import ActionInstance, InstanceState, Plan

# Actions that edits may insert into one topic, whatever its budget: a monitor that goes on
# inserting would never let the topic end.
MOST_INSERTED = 5
# Rounds of an action that an edit defines: no author has checked how it ends.
MOST_ROUNDS = 10
# Bytes of an edit's configuration as JSON: the definition is stored in the plan's row.
MOST_BYTES = 16_384
# Entries of a queue that may be edited: an applied edit stores them twice, before and after.
MOST_REMAINING = 200


class EditRule(StrEnum):
    """Why an edit was not applied."""

    EDIT_BUDGET = "EDIT_BUDGET"
    TOO_LARGE = "TOO_LARGE"
    INCOMPLETE = "INCOMPLETE"
    TYPE_NOT_ALLOWED = "TYPE_NOT_ALLOWED"
    DEFINITION_INVALID = "DEFINITION_INVALID"
    PLACEHOLDER = "PLACEHOLDER"
    TARGET_UNKNOWN = "TARGET_UNKNOWN"
    TARGET_STARTED = "TARGET_STARTED"
    MANDATORY = "MANDATORY"
    POSITION_UNKNOWN = "POSITION_UNKNOWN"
    NOT_A_PERMUTATION = "NOT_A_PERMUTATION"
    ACROSS_SKILLS = "ACROSS_SKILLS"
    NO_CHANGE = "NO_CHANGE"
    LOOP = "LOOP"
    UNDO_NOT_LATEST = "UNDO_NOT_LATEST"
    TOPIC_LEFT = "TOPIC_LEFT"
    TOO_LATE = "TOO_LATE"
    VALIDATOR_ERROR = "VALIDATOR_ERROR"


class EditRefused(Exception):
    """An edit breaks a rule."""

    def __init__(self, rule: EditRule, problem: str) -> None:
        """Keep the rule and a sentence on what is wrong and where."""
        super().__init__(problem)
        self.rule = rule
        self.problem = problem


@dataclass(frozen=True, slots=True, kw_only=True)
class EditConstraints:
    """The state of a topic that an edit is checked against."""

    plan: Plan
    actions: Actions
    """Returns what defines an instance now."""
    taken: frozenset[str] = frozenset()
    """Ids of the topic's actions."""
    budget: int = DEFAULT_EDIT_BUDGET
    past: tuple[PlanEdit, ...] = ()
    """Edits of this topic that were applied, undone ones and undos too, oldest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EditMoment:
    """Where and when edits are decided."""

    phase_id: str
    topic_id: str
    turn_id: str
    turn_no: int
    plan_revision: int


def check_limits(plan: OrchestrationPlan, constraints: EditConstraints) -> None:
    """Refuse an edit of a topic that takes none any more, or one that is too large."""
    spent = sum(each.plan is not None for each in constraints.past)
    if spent >= constraints.budget:
        problem = f"the topic takes {constraints.budget} edits, and had {spent}"
        raise EditRefused(EditRule.EDIT_BUDGET, problem)
    if len(tail(constraints.plan)) > MOST_REMAINING:
        raise EditRefused(EditRule.TOO_LARGE, f"more than {MOST_REMAINING} actions remain")
    given = plan.new_action.config if plan.new_action else plan.modifications
    size = len(json.dumps(given, ensure_ascii=False, default=dict).encode())
    if size > MOST_BYTES:
        raise EditRefused(EditRule.TOO_LARGE, f"the configuration has {size} bytes of {MOST_BYTES}")


def check_loop(plan: OrchestrationPlan, constraints: EditConstraints) -> None:
    """Refuse an insertion that was made before, and more than a topic takes."""
    inserted = sum(is_inserted(each) for each in constraints.plan)
    if inserted >= MOST_INSERTED:
        raise EditRefused(
            EditRule.LOOP, f"{inserted} actions were inserted into this topic already"
        )
    assert plan.new_action is not None, "an insertion"
    wanted = _essence(plan.new_action.action_type, plan.new_action.config)
    for edit in constraints.past:
        made = edit.plan.new_action if edit.plan else None
        if made is not None and _essence(made.action_type, made.config) == wanted:
            raise EditRefused(EditRule.LOOP, f"edit {edit.edit_id} inserted the same action before")


def checked_config(
    action_type: str, action_id: str, config: Mapping[str, JsonValue], *, where: str
) -> Action:
    """Return the action of a definition; every check of the loader holds for it.

    Args:
        action_type: Its type, one that an edit may define.
        action_id: Its id.
        config: All of its configuration.
        where: The part of the plan that gives it, for the problem.

    Raises:
        EditRefused: The rule, and the place of the first mistake.
    """
    if action_type not in ACTION_TYPES:
        known = ", ".join(ACTION_TYPES)
        raise EditRefused(
            EditRule.TYPE_NOT_ALLOWED, f"{where}: an edit defines {known}, not {action_type!r}"
        )
    loaded = load_definition(action_type, action_id, config)
    if loaded.action is None:
        raise EditRefused(EditRule.DEFINITION_INVALID, f"{where}: {loaded.problem}")
    rounds = getattr(loaded.action.config, "max_rounds", 0)
    if rounds > MOST_ROUNDS:
        raise EditRefused(
            EditRule.TOO_LARGE, f"{where}.max_rounds: {rounds} of at most {MOST_ROUNDS}"
        )
    return loaded.action


def check_words(config: Mapping[str, JsonValue], *, where: str) -> None:
    """Refuse placeholders: a model's text is data and is never filled with a client's values."""
    for path, text in _texts(config, where):
        if placeholders(text):
            raise EditRefused(EditRule.PLACEHOLDER, f"{path}: holds a placeholder")


def target(plan: OrchestrationPlan, constraints: EditConstraints) -> ActionInstance:
    """Return the instance that the plan names: known, not begun, and not mandatory."""
    name = plan.target_instance
    if not name:
        raise EditRefused(EditRule.INCOMPLETE, "target_instance: is absent")
    found = [each for each in constraints.plan if each.action_instance_id == name]
    if not found:
        raise EditRefused(EditRule.TARGET_UNKNOWN, f"target_instance: the queue has no {name!r}")
    instance = found[0]
    if instance not in tail(constraints.plan) or instance.state is not InstanceState.PENDING:
        raise EditRefused(EditRule.TARGET_STARTED, f"target_instance: {name!r} is {instance.state}")
    if constraints.actions(instance).mandatory:
        raise EditRefused(EditRule.MANDATORY, f"target_instance: {name!r} is mandatory")
    return instance


def check_order(order: Sequence[str], left: Plan) -> None:
    """Refuse an order that loses, invents or repeats an action, or moves one across skills."""
    known = {each.action_instance_id: each for each in left}
    if sorted(order) != sorted(known):
        lost = sorted(set(known) - set(order))
        unknown = sorted(set(order) - set(known))
        problem = f"order: lacks {lost}, has unknown {unknown}, names {len(order)} of {len(known)}"
        raise EditRefused(EditRule.NOT_A_PERMUTATION, problem)
    if list(order) == list(known):
        raise EditRefused(EditRule.NO_CHANGE, "order: is the order it has")
    for old, name in zip(left, order, strict=True):
        if known[name].parent_instance_id != old.parent_instance_id:
            raise EditRefused(EditRule.ACROSS_SKILLS, f"order: {name!r} would leave its skill")


def check_latest(edit_id: str, past: Sequence[PlanEdit]) -> PlanEdit:
    """Return the edit that an undo names: the latest that is applied and not undone."""
    standing = [
        each for each in past if each.state is PlanEditState.APPLIED and each.plan is not None
    ]
    latest = max(standing, key=lambda each: each.plan_revision, default=None)
    if latest is None or latest.edit_id != edit_id:
        name = latest.edit_id if latest else "none"
        raise EditRefused(EditRule.UNDO_NOT_LATEST, f"undoes: the latest applied edit is {name}")
    return latest


def needs(plan: OrchestrationPlan) -> None:
    """Refuse a plan without the part that its action needs."""
    if plan.action is OrchestrationAction.INSERT and plan.new_action is None:
        raise EditRefused(EditRule.INCOMPLETE, "new_action: is absent")
    if plan.action is OrchestrationAction.MODIFY and not plan.modifications:
        raise EditRefused(EditRule.INCOMPLETE, "modifications: are absent")


def _texts(value: JsonValue, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Mapping):
        for name, each in value.items():
            yield from _texts(each, f"{path}.{name}")
    elif isinstance(value, Sequence):
        for at, each in enumerate(value):
            yield from _texts(each, f"{path}[{at}]")


def _essence(action_type: str, config: Mapping[str, JsonValue]) -> str:
    """Return the type and text of an insertion without white space; equal ones are repeats."""
    text = json.dumps([action_type, config], ensure_ascii=False, sort_keys=True, default=dict)
    return "".join(text.split())
