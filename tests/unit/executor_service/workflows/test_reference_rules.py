"""What a reference may name, and where."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from executor_service.workflows.plan_facts import PlanFacts
from executor_service.workflows.reference_rules import check_references
from heartrule.domain.decisions import FindingCode
from heartrule.domain.json_value import JsonValue
from heartrule.domain.workflows import Edge, Node, NodeType, Workflow, WorkflowInput
from tests.support.workflow_builders import a_loop, a_node, a_plan

FACTS = PlanFacts(secrets=frozenset({"KEY"}))
UNKNOWN, FORBIDDEN = FindingCode.UNKNOWN_REFERENCE, FindingCode.FORBIDDEN_OPERATION


def judged(plan: Workflow) -> list[tuple[FindingCode, str]]:
    return [(each.code, each.path) for each in check_references(plan, FACTS)]


def test_a_node_reads_what_runs_before_it() -> None:
    """Directly or by way of others; a later one, a neighbour and itself are refused."""
    texts = {"b": "${a.output.x}", "c": "${a.output}", "d": "${b.output.y} ${c.output}"}
    nodes = [a_node(each, prompt=texts.get(each, "x")) for each in "abcd"]
    assert judged(a_plan(*nodes, edges=["a>b", "b>c", "c>d"])) == []
    assert judged(a_plan(*nodes, edges=["a>c", "b>d"])) == [
        (UNKNOWN, "nodes.1.config.prompt"),
        (UNKNOWN, "nodes.3.config.prompt"),
    ]
    own = a_plan(a_node("a", prompt="${a.output}", outputs={"o": "${a.output.x}"}))
    assert judged(own) == [(UNKNOWN, "nodes.0.config.prompt")]


def test_a_node_that_is_not_there_is_told_apart() -> None:
    """An unknown node is another mistake than one that runs too late."""
    plan = a_plan(a_node("h", NodeType.HTTP, body={"list": [{"deep": "${x.output.y}"}]}))
    (finding,) = check_references(plan, FACTS)
    assert finding.path == "nodes.0.config.body.list.0.deep"
    assert "does not have" in finding.message


def test_in_a_cycle_any_node_may_be_named() -> None:
    """Where no order is known, the cycle is told, and not each reference in it."""
    nodes = (a_node("a", prompt="${b.output}"), a_node("b", prompt="${x.output}"))
    assert judged(a_plan(*nodes, edges=["a>b", "b>a"])) == [(UNKNOWN, "nodes.1.config.prompt")]


@pytest.mark.parametrize("type_", [NodeType.HTTP, NodeType.DATABASE])
def test_a_name_is_an_input_of_the_node_of_the_workflow_or_a_secret(type_: NodeType) -> None:
    """Anything else reads no environment: it is refused (D8)."""
    node = a_node("h", type_, inputs={"mine": 1}, params=["${mine}", "${theirs}", "${KEY}"])
    plan = a_plan(node, inputs={"theirs": WorkflowInput()})
    assert judged(plan) == []
    assert judged(a_plan(node)) == [(FORBIDDEN, "nodes.0.config.params.1")]


def test_an_undeclared_name_in_a_prompt_is_still_to_be_mapped() -> None:
    """In prompt and messages of an LLM node alone; in its model or elsewhere it is refused."""
    messages: list[JsonValue] = [{"role": "user", "content": "${input_data}"}]
    node = a_node("a", prompt="${x}", messages=messages, model="${m}", outputs={"o": "${x}"})
    assert judged(a_plan(node)) == [
        (FORBIDDEN, "nodes.0.config.model"),
        (FORBIDDEN, "nodes.0.output_mapping.o"),
    ]


@pytest.mark.parametrize(
    "node",
    [
        a_node("a", prompt="${KEY}"),
        a_node("a", NodeType.PYTHON, inputs={"k": "${KEY}"}),
        a_node("a", NodeType.CONDITION, expression="${KEY} == 'x'"),
        a_loop("a", a_node("b"), items="${KEY}"),
        a_node("a", NodeType.HTTP, outputs={"k": "${KEY}"}),
    ],
)
def test_a_secret_goes_into_http_and_database_alone(node: Node) -> None:
    """No model, no code, no output and no condition is shown one."""
    assert [code for code, _ in judged(a_plan(node))] == [FORBIDDEN]


def test_an_input_of_the_name_of_a_secret_is_the_input() -> None:
    """The order of D8 decides."""
    assert judged(a_plan(a_node("a", prompt="${KEY}", inputs={"KEY": "hello"}))) == []


def test_an_input_is_not_mapped_from_inputs_of_its_node() -> None:
    """A mapping is read before the inputs that it makes."""
    node = a_node("a", NodeType.PYTHON, inputs={"x": "${y}", "y": 1})
    assert judged(a_plan(node)) == [(FORBIDDEN, "nodes.0.input_mapping.x")]


def test_an_edge_reads_its_source_and_what_ran_before() -> None:
    """Its target has not run when it is looked at."""
    nodes = tuple(map(a_node, "abc"))
    for seen, expected in (("a", []), ("b", []), ("c", [(UNKNOWN, "edges.1.condition")])):
        edge = Edge(source="b", target="c", condition=f"${{{seen}.output.x}} > 1")
        first = Edge(source="a", target="b")
        assert judged(a_plan(*nodes, edges=[first, edge])) == expected


def test_the_body_of_a_loop_runs_in_its_order() -> None:
    """A node there reads those before it, what runs before the loop, item and index."""
    body = (
        a_node("x", NodeType.PYTHON, inputs={"i": "${item.id}", "n": "${index}"}),
        a_node("y", NodeType.PYTHON, inputs={"x": "${x.output}", "a": "${a.output}"}),
        a_node("z", NodeType.PYTHON, inputs={"later": "${z.output}"}),
    )
    plan = a_plan(a_node("a"), a_loop("l", *body, items="${a.output}"), edges=["a>l"])
    assert judged(plan) == [(UNKNOWN, "nodes.1.config.body.2.input_mapping.later")]


def test_a_loop_without_items_has_no_item() -> None:
    """Its condition reads the turn before, and the index."""
    body = a_node("x", NodeType.PYTHON, inputs={"i": "${item}"})
    condition = "${x.output.more} != false && ${index} < 3"
    plan = a_plan(a_loop("l", body, condition=condition))
    assert judged(plan) == [(FORBIDDEN, "nodes.0.config.body.0.input_mapping.i")]


def test_inputs_of_a_loop_are_none_of_its_body() -> None:
    """Each node has its own."""
    body = a_node("x", NodeType.PYTHON, inputs={"i": "${mine}"})
    loop = a_loop("l", body, condition="${mine} > 0")
    plan = a_plan(replace(loop, input_mapping={"mine": 1}))
    assert judged(plan) == [(FORBIDDEN, "nodes.0.config.body.0.input_mapping.i")]


def test_nothing_outside_reads_the_body_of_a_loop() -> None:
    """Its nodes run many times; the loop's own output holds what they gave."""
    loop = a_loop("l", a_node("x"), items=[1])
    plan = a_plan(loop, a_node("b", prompt="${x.output}"), edges=["l>b"])
    assert judged(plan) == [(UNKNOWN, "nodes.1.config.prompt")]


@pytest.mark.parametrize("node_id", ["input", "item", "index", "a/b"])
def test_words_of_references_are_no_ids(node_id: str) -> None:
    """A node called input could not be told from the inputs."""
    assert judged(a_plan(a_node(node_id))) == [(FindingCode.CONFLICT, "nodes.0.node_id")]


def test_a_plan_holds_literals_where_nobody_fills_in() -> None:
    """`global_config.env` and defaults of inputs are no source of names (D30)."""
    plan = a_plan(
        a_node(),
        global_config={"timeout": 300, "env": {"URL": "postgresql://...", "K": "${KEY}"}},
        inputs={"x": WorkflowInput(default=["${KEY}"])},
    )
    assert judged(plan) == [
        (FORBIDDEN, "global_config.env.K"),
        (FORBIDDEN, "inputs.x.default.0"),
    ]


@pytest.mark.parametrize("text", ["${", "${}", "${HOME:-x}", "${a.outptu.x}", "${{KEY}}"])
def test_what_cannot_be_read_is_refused_in_prompts_too(text: str) -> None:
    """A slip of the pen never goes out as text."""
    assert judged(a_plan(a_node("a", prompt=text))) == [(UNKNOWN, "nodes.0.config.prompt")]


@given(st.permutations("abcd"), st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3))))
def test_a_reference_is_accepted_exactly_where_a_way_leads_from_its_node(
    ids: list[str], pairs: list[tuple[int, int]]
) -> None:
    """Every node names every other one: those without a way are objected to."""
    edges = {(ids[low], ids[high]) for low, high in pairs if low < high}
    ways = set(edges)
    for _ in ids:
        ways |= {(a, d) for a, b in ways for c, d in ways if b == c}
    nodes = [a_node(each, prompt={other: f"${{{other}.output}}" for other in ids}) for each in ids]
    plan = a_plan(*nodes, edges=[f"{source}>{target}" for source, target in sorted(edges)])
    refused = {path for _, path in judged(plan)}
    assert refused == {
        f"nodes.{n}.config.prompt.{other}"
        for n, each in enumerate(ids)
        for other in ids
        if (other, each) not in ways
    }
