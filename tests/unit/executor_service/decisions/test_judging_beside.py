"""Decisions are judged beside the event loop, small ones of a talk aside."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from executor_service.decisions.ground import Ground
from executor_service.decisions.judging import judged
from executor_service.decisions.judging_beside import JudgingBeside
from executor_service.decisions.policy import NO_POLICY, DecisionPolicy
from executor_service.decisions.sizes import FEW_CHARACTERS
from heartrule.domain.decisions import DecisionType, FindingCode
from heartrule.domain.errors import HeartRuleError, QuotaSpent
from heartrule.domain.json_value import JsonValue
from heartrule.domain.workflows import NodeType, WorkflowStatus
from tests.support.decision_examples import example, examples
from tests.support.gate_ground import GROUND, SALES, a_decision, a_new_node, printed
from tests.support.judges import BUSY, LATE, LOST, DistantPool, FailingPool
from tests.support.workflow_builders import a_node, a_plan

WRITER = a_new_node("LLM", model="m", prompt="p", timeout=900)
THOUGHT = {"action_type": "continue", "thought": "hm"}
LONG_THOUGHT = {"action_type": "continue", "thought": "h" * (FEW_CHARACTERS + 1)}
# A field that a thought does not have; what is dangerous in it is looked for all the same.
HIDDEN_QUERY = {**THOUGHT, "nodes": [{"type": "DATABASE", "config": {"query": "SELECT 1"}}]}
POLICY = DecisionPolicy(node_types=frozenset(NodeType), secrets=frozenset({"KEY"}))


@pytest.mark.parametrize(
    "payload", [THOUGHT, {"action_type": "continue"}, {"action_type": "dance"}]
)
async def test_a_small_decision_of_a_talk_needs_no_worker(payload: dict[str, JsonValue]) -> None:
    """What an agent says, asks and thinks waits for no other process; nor does an unknown type."""
    judging, decision = JudgingBeside(FailingPool(BUSY)), a_decision(payload)
    assert await judging.judged(decision, GROUND, NO_POLICY) == judged(decision, GROUND, NO_POLICY)


@pytest.mark.parametrize(
    "payload", [WRITER, LONG_THOUGHT, HIDDEN_QUERY], ids=["plan", "long", "query"]
)
async def test_busy_workers_are_no_verdict(payload: dict[str, JsonValue]) -> None:
    """The caller hears of it, and the same decision is judged the next time."""
    judging, decision = JudgingBeside(FailingPool(BUSY)), a_decision(payload)
    with pytest.raises(QuotaSpent):
        await judging.judged(decision, GROUND, NO_POLICY)
    assert (await judging.judged(decision, GROUND, NO_POLICY)).verdict.is_valid


@pytest.mark.parametrize("error", [LATE, LOST], ids=["late", "lost"])
async def test_what_cannot_be_judged_is_rejected(error: HeartRuleError) -> None:
    """Too long, or the end of each process that tried: it may be the decision's doing (D21)."""
    judging, decision = JudgingBeside(FailingPool(error, times=2)), a_decision(WRITER)
    found = await judging.judged(decision, GROUND, NO_POLICY)
    assert (found.verdict.is_valid, found.effect) == (False, None)
    assert [each.code for each in found.verdict.errors] == [FindingCode.VALIDATOR_ERROR]
    assert found.verdict.payload is decision.payload


@pytest.mark.parametrize("name", examples())
async def test_another_process_finds_the_same(name: str) -> None:
    """Of each type: verdict, corrections, and what comes of it."""
    decision = a_decision(printed(name), confidence=0.5)
    judging = JudgingBeside(DistantPool())
    assert await judging.judged(decision, GROUND, POLICY) == judged(decision, GROUND, POLICY)


async def test_a_payload_that_nothing_corrected_is_the_proposed_one() -> None:
    """It does not travel back."""
    judging, decision = JudgingBeside(DistantPool()), a_decision(LONG_THOUGHT)
    found = await judging.judged(decision, GROUND, NO_POLICY)
    assert found.verdict.payload is decision.payload


@pytest.mark.parametrize(
    "payload",
    [WRITER, example("002-03-create-workflow-plan"), example("002-07-modify-node")],
    ids=["node", "plan", "change"],
)
async def test_of_other_workflows_only_their_names_travel(payload: dict[str, Any]) -> None:
    """A session may have a hundred of a megabyte each; the verdict is the same."""
    large = a_plan(*(a_node(f"x{n}", prompt="x" * 20_000) for n in range(40)))
    others = [
        replace(large, workflow_id=f"o{n}", status=WorkflowStatus.COMPLETED) for n in range(5)
    ]
    full, pool = Ground(workflows=(*others, SALES)), DistantPool()
    decision = a_decision(payload)
    found = await JudgingBeside(pool).judged(decision, full, NO_POLICY)
    assert found == judged(decision, full, NO_POLICY)
    assert max(pool.sent) < 20_000


def test_a_decision_that_nothing_executes_is_judged_all_the_same() -> None:
    """It has a verdict, and no effect."""
    decision = a_decision(example("002-04-execute-workflow"))
    found = judged(decision, GROUND, NO_POLICY)
    assert decision.decision_type == DecisionType.EXECUTE_WORKFLOW
    assert (found.verdict.is_valid, found.effect) == (True, None)
