"""The graph of a plan: ends, ids, cycles, orphans and size."""

from __future__ import annotations

from graphlib import CycleError
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from executor_service.workflows.graph import check_graph, node_count, runs_before
from heartrule.domain.decisions import FindingCode, RuleFinding
from heartrule.domain.workflows import MOST_NODES, Edge, NodeType, Workflow
from tests.support.workflow_builders import a_loop, a_node, a_plan

IDS = "abcdef"
EDGES = st.lists(
    st.builds(Edge, source=st.sampled_from(IDS), target=st.sampled_from(IDS)), max_size=9
)
NODES = st.lists(st.sampled_from(IDS[:5]), min_size=1, max_size=6).map(
    lambda ids: tuple(a_node(each) for each in ids)
)


def judged(plan: Workflow) -> list[tuple[FindingCode, str]]:
    return [(each.code, each.path) for each in check_graph(plan.nodes, plan.edges)]


def reached(plan: Workflow) -> dict[str, set[str]]:
    """Return, by repetition until nothing is added, what every node has before it."""
    known = {node.node_id for node in plan.nodes}
    before: dict[str, set[str]] = {node_id: set() for node_id in known}
    for _ in known:
        for edge in plan.edges:
            if {edge.source, edge.target} <= known:
                before[edge.target] |= {edge.source} | before[edge.source]
    return before


def found(plan: Workflow, code: FindingCode) -> list[RuleFinding]:
    return [each for each in check_graph(plan.nodes, plan.edges) if each.code is code]


def test_a_linked_plan_is_no_objection() -> None:
    """A chain, a fork and a join are a workflow."""
    plan = a_plan(*map(a_node, "abcd"), edges=["a>b", "a>c", "b>d", "c>d"])
    assert judged(plan) == []


def test_the_ends_of_an_edge_are_nodes_of_the_plan() -> None:
    """Each unknown end is told at its own path."""
    plan = a_plan(a_node("a"), a_node("b"), edges=["a>b", "x>y"])
    assert judged(plan) == [
        (FindingCode.UNKNOWN_REFERENCE, "edges.1.source"),
        (FindingCode.UNKNOWN_REFERENCE, "edges.1.target"),
    ]


def test_no_edge_leads_into_the_body_of_a_loop() -> None:
    """Nodes in a body run in their order, and the message says so."""
    plan = a_plan(a_node("a"), a_loop("l", a_node("inner"), items=[1]), edges=["a>l", "a>inner"])
    (finding,) = check_graph(plan.nodes, plan.edges)
    assert (finding.path, "body of a loop" in finding.message) == ("edges.1.target", True)


def test_an_id_is_given_once_also_within_loops() -> None:
    """The second node of an id is the one objected to."""
    loop = a_loop("l", a_node("a"), items=[1])
    plan = a_plan(a_node("a"), loop, a_node("a"), edges=["a>l"])
    assert judged(plan) == [
        (FindingCode.DUPLICATE_ID, "nodes.1.config.body.0.node_id"),
        (FindingCode.DUPLICATE_ID, "nodes.2.node_id"),
    ]


def test_a_cycle_is_named_by_its_nodes_at_the_edge_that_closes_it() -> None:
    """The nodes stand in the order in which they would run."""
    plan = a_plan(*map(a_node, "abcd"), edges=["a>b", "b>c", "c>d", "d>b"])
    (finding,) = check_graph(plan.nodes, plan.edges)
    assert (finding.code, finding.path) == (FindingCode.CYCLE, "edges.3")
    assert any(f"{way}:" in finding.message for way in ("b → c → d → b", "c → d → b → c"))


def test_an_edge_from_a_node_to_itself_is_a_cycle() -> None:
    """Each one is told, beside a longer cycle."""
    plan = a_plan(*map(a_node, "ab"), edges=["a>a", "a>b", "b>a", "b>b"])
    assert judged(plan) == [
        (FindingCode.CYCLE, "edges.0"),
        (FindingCode.CYCLE, "edges.3"),
        (FindingCode.CYCLE, "edges.2"),
    ]


def test_a_node_without_any_edge_is_an_orphan() -> None:
    """START, END and a node that is alone are none; several linked parts are allowed (D7)."""
    start, end = a_node("s", NodeType.START), a_node("e", NodeType.END)
    parts = a_plan(start, *map(a_node, "abcdx"), end, edges=["a>b", "c>d"])
    assert judged(parts) == [(FindingCode.ORPHAN_NODE, "nodes.5")]
    assert judged(a_plan(a_node("a"))) == []


@pytest.mark.parametrize(("inner", "codes"), [(2, []), (3, [FindingCode.TOO_MANY_NODES])])
def test_fifty_nodes_are_allowed_bodies_counted(inner: int, codes: list[FindingCode]) -> None:
    """START, END and the bodies of loops count (D11)."""
    loop = a_loop("n46", *(a_node(f"inner{n}") for n in range(inner)), items=[1])
    ends = a_node("start", NodeType.START), a_node("end", NodeType.END)
    chain = [a_node(f"n{n}") for n in range(MOST_NODES - 5)]
    edges = [f"{left.node_id}>{right.node_id}" for left, right in pairwise([*chain, loop])]
    plan = a_plan(*chain, loop, *ends, edges=edges)
    assert node_count(plan.nodes) == 48 + inner
    assert [each.code for each in check_graph(plan.nodes, plan.edges)] == codes


def test_a_plan_without_nodes_is_empty() -> None:
    """A workflow from which all nodes were taken is none."""
    assert judged(a_plan()) == [(FindingCode.EMPTY_VALUE, "nodes")]


def test_a_body_that_is_no_list_of_nodes_raises() -> None:
    """What the schema let through against its word fails closed."""
    plan = a_plan(a_loop("l", items=[1], body=[{"type": "LOOP?", "node_id": "x"}]))
    with pytest.raises(ValueError, match="LOOP"):
        check_graph(plan.nodes, plan.edges)


@given(NODES, EDGES)
def test_a_cycle_is_found_where_a_node_comes_before_itself(
    nodes: tuple[object, ...], edges: list[Edge]
) -> None:
    """Found exactly then, and each step of the cycle that is named is an edge."""
    plan = a_plan(*nodes, edges=edges)  # type: ignore[arg-type]
    before = reached(plan)
    cycles = found(plan, FindingCode.CYCLE)
    loops = {edge for edge in plan.edges if edge.source == edge.target}
    known = any(node_id in nodes_before for node_id, nodes_before in before.items())
    assert bool(cycles) is (known or bool(loops))
    steps = {(edge.source, edge.target) for edge in plan.edges}
    for cycle in cycles:
        named = cycle.message.split(", ")[-1].split(":")[0].split(" → ")
        assert " itself" in cycle.message or set(pairwise(named)) <= steps


@given(NODES, EDGES)
def test_what_runs_before_is_what_leads_there(nodes: tuple[object, ...], edges: list[Edge]) -> None:
    """The order holds every node once, behind all that run before it."""
    plan = a_plan(*nodes, edges=edges)  # type: ignore[arg-type]
    expected = reached(plan)
    try:
        before = runs_before(plan.nodes, plan.edges)
    except CycleError:
        assert any(node_id in sources for node_id, sources in expected.items())
        return
    assert before == expected
    order = list(before)
    assert all(order.index(each) < order.index(key) for key in order for each in before[key])


@given(NODES, EDGES)
def test_ends_ids_and_orphans_are_as_counted(nodes: tuple[object, ...], edges: list[Edge]) -> None:
    """As many unknown ends, repeated ids and nodes without an edge as a count finds."""
    plan = a_plan(*nodes, edges=edges)  # type: ignore[arg-type]
    ids = [node.node_id for node in plan.nodes]
    ends = [end for edge in plan.edges for end in (edge.source, edge.target)]
    assert len(found(plan, FindingCode.UNKNOWN_REFERENCE)) == sum(e not in ids for e in ends)
    assert len(found(plan, FindingCode.DUPLICATE_ID)) == len(ids) - len(set(ids))
    alone = [each for each in ids if each not in ends] if len(ids) > 1 else []
    assert len(found(plan, FindingCode.ORPHAN_NODE)) == len(alone)
