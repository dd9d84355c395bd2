"""Section 4 of document 002: priorities, and what conflicts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from executor_service.decisions.queue import PRIORITIES, DecisionQueue, QueuedDecision
from heartrule.domain.decisions import DecisionState, DecisionType

RUNNING, HELD = DecisionState.RUNNING, DecisionState.HELD
PRINTED = [
    "error_recovery",
    "request_clarification",
    "replan_workflow",
    "spawn_subagent",
    "execute_workflow",
    "create_workflow_plan",
    "modify_node",
    "create_node",
    "respond",
    "continue",
]


def a_queue(*kinds: str) -> DecisionQueue:
    """Return a queue of decisions made in this order; each has its type as id, and its number."""
    return made(DecisionQueue(), *kinds)


def made(queue: DecisionQueue, *kinds: str) -> DecisionQueue:
    start = len(queue.decisions)
    return queue.with_made(
        QueuedDecision(decision_id=f"{kind}-{n}", decision_type=DecisionType(kind), place=n)
        for n, kind in enumerate(kinds, start)
    )


def states(queue: DecisionQueue) -> dict[str, DecisionState]:
    return {each.decision_id: each.state for each in queue.decisions}


def run(queue: DecisionQueue) -> list[str]:
    """Return the ids in the order in which they run, each to its end."""
    order = []
    while (each := queue.next()) is not None:
        order.append(each.decision_id)
        queue = queue.started(each.decision_id).ended(each.decision_id)
    return order


def test_the_priorities_are_those_of_section_4() -> None:
    """Ten types, one to ten."""
    assert [kind.value for kind in sorted(PRIORITIES, key=lambda kind: PRIORITIES[kind])] == PRINTED
    assert sorted(PRIORITIES.values()) == list(range(1, 11))


def test_decisions_of_a_batch_run_by_priority() -> None:
    """Ties in the order they were made (D15)."""
    queue = a_queue("respond", "create_node", "modify_node", "create_node")
    assert run(queue) == ["modify_node-2", "create_node-1", "create_node-3", "respond-0"]


def test_the_next_one_starts_when_the_one_before_has_ended() -> None:
    """A higher decision blocks the lower ones; a rejected one blocks nothing (D15)."""
    queue = a_queue("create_workflow_plan", "respond").started("create_workflow_plan-0")
    assert queue.next() is None
    after = queue.ended("create_workflow_plan-0").next()
    assert after is not None
    assert after.decision_id == "respond-1"


def test_a_recovery_interrupts_what_runs() -> None:
    """It starts at once; what it stopped is queued again when it has ended (D16)."""
    queue = made(
        a_queue("execute_workflow", "respond").started("execute_workflow-0"), "error_recovery"
    )
    recovery = queue.next()
    assert recovery is not None
    assert recovery.decision_id == "error_recovery-2"
    during = queue.started("error_recovery-2")
    assert states(during)["execute_workflow-0"] is DecisionState.INTERRUPTED
    assert during.next() is None
    assert run(during.ended("error_recovery-2")) == ["execute_workflow-0", "respond-1"]


def test_a_question_holds_what_is_lower() -> None:
    """Nothing starts before the answer (D17)."""
    queue = a_queue("request_clarification", "create_node", "respond")
    waiting = queue.started("request_clarification-0")
    assert waiting.next() is None
    assert states(waiting) == {
        "request_clarification-0": RUNNING,
        "create_node-1": HELD,
        "respond-2": HELD,
    }


def test_a_recovery_passes_a_question() -> None:
    """And the question goes on waiting (D17)."""
    queue = a_queue("request_clarification").started("request_clarification-0")
    queue = made(queue, "error_recovery", "create_node")
    recovery = queue.next()
    assert recovery is not None
    assert recovery.decision_id == "error_recovery-1"
    during = queue.started("error_recovery-1")
    assert states(during)["request_clarification-0"] is RUNNING
    assert states(during.ended("error_recovery-1"))["create_node-2"] is HELD


@pytest.mark.parametrize(
    ("emitted", "resumed", "superseded"),
    [
        ([], ["create_workflow_plan-1", "create_node-2"], []),
        (["create_node"], ["create_workflow_plan-1"], ["create_node-2"]),
    ],
)
def test_what_was_held_resumes_after_the_answer(
    emitted: list[str], resumed: list[str], superseded: list[str]
) -> None:
    """In order, unless the answering turn made a decision of the same type (D17)."""
    queue = a_queue("request_clarification", "create_workflow_plan", "create_node")
    answered = queue.started("request_clarification-0").answered(set(map(DecisionType, emitted)))
    assert run(answered) == resumed
    assert [each.decision_id for each in answered.superseded()] == superseded


@given(st.lists(st.sampled_from(PRINTED), max_size=12))
def test_whatever_is_made_ends_once(kinds: list[str]) -> None:
    """Each question is answered; no decision is lost, doubled or overtaken by a lower one."""
    queue, order = a_queue(*kinds), []
    while (each := queue.next()) is not None:
        order.append(each)
        queue = queue.started(each.decision_id)
        is_question = each.decision_type is DecisionType.REQUEST_CLARIFICATION
        queue = queue.answered(()) if is_question else queue.ended(each.decision_id)
    assert (len(order), queue.decisions) == (len(kinds), ())
    ranks = [(PRIORITIES[each.decision_type], each.place) for each in order]
    assert ranks == sorted(ranks)
