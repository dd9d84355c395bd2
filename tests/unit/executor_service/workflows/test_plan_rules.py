"""The rules of a plan, together and node by node."""

from __future__ import annotations

from dataclasses import replace

import pytest

from executor_service.workflows.plan_facts import PlanFacts
from executor_service.workflows.plan_rules import check_plan
from executor_service.workflows.schema_findings import MOST_ERRORS
from heartrule.domain.decisions import FindingCode
from heartrule.domain.workflows import Edge, NodeType, SandboxTier
from tests.support.workflow_builders import a_loop, a_node, a_plan

FACTS = PlanFacts(sandboxes=frozenset(SandboxTier))
SALES = (
    a_node(
        "node_1",
        NodeType.DATABASE,
        query="SELECT * FROM sales WHERE date >= DATE_SUB(NOW(), INTERVAL 3 MONTH)",
        connection="sales_db",
    ),
    a_node(
        "node_2",
        NodeType.PYTHON,
        code="import pandas as pd\ndf = pd.DataFrame(input_data)\n"
        "trend = df.groupby('month')['amount'].sum()\nreturn {'trend': trend.to_dict()}",
        inputs={"input_data": "${node_1.output.data}"},
    ),
    a_node(
        "node_3",
        NodeType.PYTHON,
        code="import matplotlib.pyplot as plt\nplt.plot(trend.keys(), trend.values())\n"
        "plt.savefig('trend.png')\nreturn {'chart_path': 'trend.png'}",
        inputs={"trend": "${node_2.output.trend}"},
    ),
    a_node(
        "node_4",
        NodeType.HTTP,
        url="https://api.email.com/send",
        method="POST",
        body={"to": "user@example.com", "attachments": ["${node_3.output.chart_path}"]},
    ),
)


def test_all_that_is_wrong_is_told_together() -> None:
    """A client's agent mends a plan once, and not finding by finding."""
    plan = a_plan(
        a_node("a", prompt="${b.output}"),
        a_node("b", NodeType.CONDITION, expression="1 +"),
        a_node("c"),
        edges=[Edge(source="a", target="b", condition="nonsense")],
    )
    assert [(each.code, each.path) for each in check_plan(plan, FACTS)] == [
        (FindingCode.ORPHAN_NODE, "nodes.2"),
        (FindingCode.UNKNOWN_REFERENCE, "nodes.0.config.prompt"),
        (FindingCode.WRONG_TYPE, "nodes.1.config.expression"),
        (FindingCode.WRONG_TYPE, "edges.0.condition"),
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
    (found,) = check_plan(a_plan(named), facts)
    assert (found.code, found.path) == (FindingCode.UNKNOWN_REFERENCE, "nodes.0.config.connection")
    assert check_plan(a_plan(a_node("d", NodeType.DATABASE)), facts) == ()
    assert check_plan(a_plan(named), FACTS) == ()


@pytest.mark.parametrize(
    ("type_", "config"),
    [
        (NodeType.PYTHON, {"code": "import os\nreturn {}"}),
        (NodeType.DATABASE, {"query": "DELETE FROM sales"}),
        (NodeType.HTTP, {"url": "https://elsewhere.example.org/"}),
    ],
)
def test_what_a_node_may_not_do_is_told_in_a_loop_too(
    type_: NodeType, config: dict[str, str]
) -> None:
    """Code, SQL and addresses are judged wherever they stand."""
    (key,) = config
    facts = replace(FACTS, domains=("example.com",))
    bad = replace(a_node("x", type_), config=config)
    plan = a_plan(a_loop("l", bad, items=[1]))
    found = {(each.code, each.path) for each in check_plan(plan, facts)}
    assert found == {(FindingCode.FORBIDDEN_OPERATION, f"nodes.0.config.body.0.config.{key}")}
    plan = a_plan(a_loop("l", a_node("x", type_), items=[1]))
    assert check_plan(plan, facts) == ()


@pytest.mark.parametrize("name", ["my value", "class", "__builtins__", "1st", ""])
def test_an_input_of_code_is_a_name_of_python(name: str) -> None:
    """One that Python has a meaning for is none."""
    plan = a_plan(a_node("p", NodeType.PYTHON, inputs={name: 1, "数据": 2}))
    (found,) = check_plan(plan, FACTS)
    assert (found.code, found.path) == (
        FindingCode.WRONG_TYPE,
        f"nodes.0.input_mapping.{name}",
    )


def test_a_plan_of_nothing_but_faults_has_a_report_of_bounded_size() -> None:
    """However many references a legal payload holds."""
    prompt = " ".join(f"${{n{number}.output}}" for number in range(50_000))
    assert len(check_plan(a_plan(a_node("a", prompt=prompt)), FACTS)) == MOST_ERRORS


def test_the_printed_plan_of_scenario_3_is_no_objection() -> None:
    """The sales workflow, as document 002 prints it."""
    edges = ["node_1>node_2", "node_2>node_3", "node_3>node_4"]
    assert check_plan(a_plan(*SALES, edges=edges), FACTS) == ()
