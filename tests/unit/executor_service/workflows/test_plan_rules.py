"""The rules of a plan, together and node by node."""

from __future__ import annotations

import pytest

from executor_service.workflows.plan_facts import PlanFacts
from executor_service.workflows.plan_rules import check_node, check_plan
from heartrule.domain.decisions import FindingCode
from heartrule.domain.workflows import Edge, NodeType, SandboxTier
from tests.support.workflow_builders import a_loop, a_node, a_plan

FACTS = PlanFacts(sandboxes=frozenset(SandboxTier))


def test_all_that_is_wrong_is_told_together() -> None:
    """A client's agent mends a plan once, and not finding by finding."""
    plan = a_plan(
        a_node("a", prompt="${b.output}"),
        a_node("b", NodeType.CONDITION, expression="1 +"),
        a_node("c"),
        edges=[Edge(source="a", target="b", condition="nonsense")],
    )
    assert [(each.code, each.path) for each in check_plan(plan, FACTS, "plan")] == [
        (FindingCode.ORPHAN_NODE, "plan.nodes.2"),
        (FindingCode.UNKNOWN_REFERENCE, "plan.nodes.0.config.prompt"),
        (FindingCode.WRONG_TYPE, "plan.nodes.1.config.expression"),
        (FindingCode.WRONG_TYPE, "plan.edges.0.condition"),
    ]


@pytest.mark.parametrize(
    ("condition", "code"),
    [
        ("'${a.output.x}' == 'y'", FindingCode.WRONG_TYPE),
        ("1 + 1", FindingCode.WRONG_TYPE),
        (" ", FindingCode.EMPTY_VALUE),
        ("true // " + "甲" * 400, FindingCode.TOO_LARGE),
    ],
)
def test_a_condition_that_does_not_compile_is_told_with_its_reason(
    condition: str, code: FindingCode
) -> None:
    """At an edge, in a LOOP and in a CONDITION alike."""
    edge = Edge(source="a", target="b", condition=condition)
    branch = a_node("b", NodeType.CONDITION, expression=condition)
    loop = a_loop("b", a_node("x"), condition=condition)
    for plan, path in (
        (a_plan(a_node("a"), a_node("b"), edges=[edge]), "edges.0.condition"),
        (a_plan(a_node("a"), branch, edges=["a>b"]), "nodes.1.config.expression"),
        (a_plan(a_node("a"), loop, edges=["a>b"]), "nodes.1.config.condition"),
    ):
        findings = check_plan(plan, FACTS)
        assert (code, path) in [(each.code, each.path) for each in findings]


def test_a_branch_is_written_true_or_false() -> None:
    """Edges from a CONDITION may say just that."""
    edges = [
        Edge(source="c", target="y", condition="true"),
        Edge(source="c", target="n", condition="false"),
    ]
    plan = a_plan(a_node("c", NodeType.CONDITION), a_node("y"), a_node("n"), edges=edges)
    assert check_plan(plan, FACTS) == ()


def test_a_policy_may_allow_some_types_alone() -> None:
    """START and END are always allowed, and the body of a loop is looked at too."""
    facts = PlanFacts(node_types=frozenset({NodeType.LLM, NodeType.LOOP}))
    loop = a_loop("l", a_node("b", NodeType.CONDITION), items=[1])
    found = check_plan(a_plan(loop, a_node("s", NodeType.START), edges=["s>l"]), facts)
    assert [(each.code, each.path) for each in found] == [
        (FindingCode.BAD_ENUM, "nodes.0.config.body.0.type")
    ]


def test_a_database_is_a_declared_connection() -> None:
    """Named, or left to the policy; without a list any name may stand."""
    named = a_node("d", NodeType.DATABASE, connection="sales_db")
    facts = PlanFacts(connections=frozenset({"other"}))
    (found,) = check_node(named, facts)
    assert (found.code, found.path) == (FindingCode.UNKNOWN_REFERENCE, "config.connection")
    assert check_node(a_node("d", NodeType.DATABASE), facts) == ()
    assert check_node(named, FACTS) == ()
