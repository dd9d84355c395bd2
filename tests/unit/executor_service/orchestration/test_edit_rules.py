"""Each rule of an edit, broken once (RESOLUTIONS C30)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from executor_service.decisions.plan_edit_gate import decide_edits
from executor_service.orchestration.edit_rules import MOST_INSERTED, EditRule
from executor_service.scripts.model.script import Action
from heartrule.domain.orchestration import (
    ActionDefinition,
    OrchestrationAction,
    OrchestrationPlan,
    PlanEdit,
    PlanEditState,
    RelativePosition,
)
from session_store.records import ActionInstance, KeptEdit
from tests.support.plan_edits import (
    EditedTopic,
    insert,
    modify,
    reorder,
    script_action,
    skip,
)

LONG = "长" * 6_000


def topic(*, budget: int = 3) -> EditedTopic:
    """Return a topic that runs `a`; `b` is mandatory, `c` and `d` are not."""
    names = ("a", "b", "c", "d")
    actions = tuple(script_action(each, mandatory=each == "b") for each in names)
    return EditedTopic(actions, budget=budget)


def last(running: EditedTopic) -> PlanEdit:
    """Return the newest row."""
    return list(running.rows.values())[-1]


@pytest.mark.parametrize(
    ("plan", "rule"),
    [
        (OrchestrationPlan(action=OrchestrationAction.INSERT), EditRule.INCOMPLETE),
        (insert(action_type="ai_dance"), EditRule.TYPE_NOT_ALLOWED),
        (insert(action_type="use_skill"), EditRule.TYPE_NOT_ALLOWED),
        (insert("你好 {secret}"), EditRule.PLACEHOLDER),
        (insert(LONG), EditRule.TOO_LARGE),
        (insert(index=9), EditRule.POSITION_UNKNOWN),
        (skip("act_b"), EditRule.MANDATORY),
        (modify("act_b", content="别的"), EditRule.MANDATORY),
        (skip("act_a"), EditRule.TARGET_STARTED),
        (skip("act_x"), EditRule.TARGET_UNKNOWN),
        (skip(""), EditRule.INCOMPLETE),
        (modify("act_c"), EditRule.INCOMPLETE),
        (modify("act_c", content="说说近况"), EditRule.NO_CHANGE),
        (modify("act_c", contents="别的"), EditRule.DEFINITION_INVALID),
        (modify("act_c", max_rounds=500), EditRule.TOO_LARGE),
        (modify("act_c", content="{x}"), EditRule.PLACEHOLDER),
        (reorder("act_d", "act_c"), EditRule.NOT_A_PERMUTATION),
        (reorder("act_b", "act_c", "act_c"), EditRule.NOT_A_PERMUTATION),
        (reorder("act_b", "act_c", "act_d"), EditRule.NO_CHANGE),
    ],
)
def test_a_rule_rejects(plan: OrchestrationPlan, rule: EditRule) -> None:
    """The edit is recorded as rejected with its rule and a problem; the plan stays."""
    running = topic()
    before = running.plan
    running.decide(plan)
    row = last(running)
    assert (row.state, row.rule) == (PlanEditState.REJECTED, rule.value)
    assert row.problem
    assert running.plan == before


def test_the_loaders_check_is_located() -> None:
    """A mistake in a new action is reported with the part and the place the loader names."""
    running = topic()
    bad = ActionDefinition(action_type="ai_say", config={"content": "嗯", "max_round": 2})
    running.decide(replace(insert(), new_action=bad))
    assert "new_action.yaml:" in last(running).problem
    assert "max_round" in last(running).problem


def test_the_edit_budget() -> None:
    """A topic takes as many edits as its budget allows, undone ones included."""
    running = topic(budget=1)
    made = running.decide(skip("act_c")).edits[-1]
    running.decide(None, undoes=made.edit_id)
    running.decide(skip("act_d"))
    assert last(running).rule == EditRule.EDIT_BUDGET


def test_the_same_insertion_again() -> None:
    """The same words are not inserted twice, and one topic takes a few insertions only."""
    running = topic(budget=50)
    running.decide(insert("不着急"))
    running.decide(insert(" 不着急 "))
    assert last(running).rule == EditRule.LOOP
    for number in range(MOST_INSERTED):
        running.decide(insert(f"第{number}句"))
    assert last(running).rule == EditRule.LOOP
    assert len(running.plan) == len(running.actions) + MOST_INSERTED


@pytest.mark.parametrize(
    ("where", "place"),
    [
        ({}, 1),
        ({"relative": RelativePosition.AFTER_CURRENT}, 1),
        ({"relative": RelativePosition.BEFORE_NEXT}, 1),
        ({"index": 1}, 2),
        ({"index": 3}, 4),
    ],
)
def test_places(where: dict[str, Any], place: int) -> None:
    """An action is inserted at an index of what remains, or beside what runs."""
    running = topic()
    running.decide(insert(**where))
    assert running.plan[place].action_id == "inserted_1"
    assert [each.ordinal for each in running.plan] == list(range(5))


def test_late_edits_expire() -> None:
    """An edit older than its turns allow is expired; so is one whose topic was left."""
    running = topic()
    running.turn_no = 9
    running.decide(skip("act_c"), judged=6)
    assert (last(running).state, last(running).rule) == (PlanEditState.EXPIRED, EditRule.TOO_LATE)


def test_only_the_latest_edit_is_undone() -> None:
    """An undo names the latest applied edit; one whose action has started is refused."""
    running = topic()
    first = running.decide(skip("act_c")).edits[-1]
    second = running.decide(insert()).edits[-1]
    running.decide(None, undoes=first.edit_id)
    assert last(running).rule == EditRule.UNDO_NOT_LATEST
    running.go_on()
    running.decide(None, undoes=second.edit_id)
    assert last(running).rule == EditRule.TARGET_STARTED


class _Unreadable(EditedTopic):
    """A topic whose action `c` cannot be read any more."""

    def action(self, instance: ActionInstance) -> Action:
        if instance.action_id == "c" and self.rows:
            raise KeyError("c")
        return super().action(instance)


@pytest.mark.parametrize("plan", [skip("act_c"), insert()])
def test_a_rule_that_raises_rejects_the_edit(plan: OrchestrationPlan) -> None:
    """Anything but a refusal is VALIDATOR_ERROR; the plan stays and the next edit is decided."""
    names = ("a", "b", "c", "d")
    running = _Unreadable(tuple(script_action(each) for each in names))
    running.decide(skip("act_b"))
    before = running.plan
    running.decide(plan)
    assert (last(running).state, last(running).rule) == (
        PlanEditState.REJECTED, EditRule.VALIDATOR_ERROR,
    )  # fmt: skip
    assert running.plan == before
    assert "KeyError" in last(running).problem


def test_an_edit_id_has_one_outcome() -> None:
    """An edit id that comes twice, or comes again after it was applied, changes nothing more."""
    running = topic()
    first = running.decide(insert())
    (applied,) = first.edits
    twice = KeptEdit(edit=replace(applied, edit_id="edit_again", plan=skip("act_c")))
    same = KeptEdit(edit=replace(applied, plan=skip("act_d")))
    decided = decide_edits(
        (twice, twice, same), running.constraints(), running.now(), new_id=lambda kind: kind
    )
    assert [(each.edit_id, each.plan_revision) for each in decided.edits] == [("edit_again", 2)]
    assert [each.action_id for each in decided.changed] == ["c"]
