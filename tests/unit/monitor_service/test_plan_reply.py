"""A model's plan, read tolerantly (RESOLUTIONS C30)."""

from __future__ import annotations

import pytest

from heartrule.domain.json_value import JsonValue
from heartrule.domain.orchestration import (
    OrchestrationAction,
    OrchestrationPlan,
    QueuedAction,
    RelativePosition,
)
from heartrule.model.reply.prose import Skeleton
from monitor_service.plan_reply import read_plan

QUEUE = (
    QueuedAction(action_instance_id="act_2", action_id="job", action_type="ai_ask"),
    QueuedAction(action_instance_id="act_3", action_id="bye", action_type="ai_say"),
)


def read(**value: JsonValue) -> tuple[OrchestrationPlan | None, tuple[str, ...]]:
    """Read a reply against the queue above."""
    return read_plan(value, own_words=Skeleton({"reason": "一句话的理由"}), queue=QUEUE)


def planned(**value: JsonValue) -> OrchestrationPlan:
    """Read a reply that holds a plan and is faultless."""
    plan, warnings = read(**value)
    assert plan is not None
    assert warnings == ()
    return plan


def test_the_documents_own_example_is_read() -> None:
    """`type` means action_type and keys beside `config` belong to it, as document 000 prints."""
    new: JsonValue = {
        "type": "ai_say",
        "content_template": "不着急",
        "require_acknowledgment": True,
    }
    plan = planned(action="insert", target_position="after_current", new_action=new, reason="抗拒")
    assert (plan.action, plan.relative) == (
        OrchestrationAction.INSERT,
        RelativePosition.AFTER_CURRENT,
    )
    assert plan.new_action is not None
    assert (plan.new_action.action_type, plan.new_action.action_id) == ("ai_say", "")
    assert dict(plan.new_action.config) == {
        "content_template": "不着急",
        "require_acknowledgment": True,
    }


@pytest.mark.parametrize(
    ("written", "index", "relative"),
    [
        (1, 1, None),
        ("0", 0, None),
        (2.0, 2, None),
        ("Before Next", None, RelativePosition.BEFORE_NEXT),
        (None, None, None),
    ],
)
def test_positions(
    written: JsonValue, index: int | None, relative: RelativePosition | None
) -> None:
    """A place is an index into the remaining queue, or a word."""
    plan = planned(action="INSERT", target_position=written, new_action={"type": "ai_say"})
    assert (plan.index, plan.relative) == (index, relative)


def test_an_action_id_names_its_instance() -> None:
    """A model that writes the action's id where the instance is wanted is understood."""
    assert planned(action="skip", target_instance="job").target_instance == "act_2"
    assert planned(action="reorder", order=["bye", "act_2"]).order == ("act_3", "act_2")


def test_parts_of_another_action_are_dropped() -> None:
    """Only what the plan's own action uses is kept."""
    plan = planned(action="skip", target_instance="act_2", new_action={"type": "ai_say"})
    assert plan == OrchestrationPlan(action=OrchestrationAction.SKIP, target_instance="act_2")


@pytest.mark.parametrize("word", ["none", "", "无", None])
def test_no_plan_is_a_good_answer(word: JsonValue) -> None:
    """Nothing is proposed, and nothing is wrong."""
    assert read(action=word) == (None, ())


def test_oddities_are_warned_of() -> None:
    """An unknown word gives no plan; a copied description and a wrong shape are named."""
    assert read(action="delete") == (None, ("action is none of the known words",))
    _, warnings = read(action="insert", new_action="ai_say", reason="一句话的理由", order="x")
    assert warnings == (
        "new_action is no object",
        "reason copies the template",
        "order is no list",
    )
