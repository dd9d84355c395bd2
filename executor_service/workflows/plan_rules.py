"""The rules of a plan: its graph, its references, and each of its nodes (document 002, 2 and 3)."""

from __future__ import annotations

from collections.abc import Iterator

from executor_service.conditions.plan import LARGEST, compile_plan_condition
from executor_service.conditions.source import ConditionError
from executor_service.workflows.dangers import check_danger
from executor_service.workflows.graph import body_nodes, check_graph
from executor_service.workflows.payload_paths import below
from executor_service.workflows.plan_facts import PlanFacts
from executor_service.workflows.reference_rules import check_references
from heartrule.domain.decisions import FindingCode, RuleFinding
from heartrule.domain.json_value import JsonValue
from heartrule.domain.workflows import Node, NodeType, Workflow

CONDITIONS = "scenario 3, conditions"
ALLOWED_TYPES = "3.2.1 node types"
DATABASES = "scenario 3, connections"
_CONDITION_KEYS = {NodeType.CONDITION: "expression", NodeType.LOOP: "condition"}


def check_plan(workflow: Workflow, facts: PlanFacts, path: str = "") -> tuple[RuleFinding, ...]:
    """Return everything a plan is objected to for; paths begin with `path`.

    Its nodes and edges have the form of their models. A workflow without findings is READY.
    """
    findings = [
        *check_graph(workflow.nodes, workflow.edges, path),
        *check_references(workflow, facts, path),
    ]
    for number, node in enumerate(workflow.nodes):
        findings += check_node(node, facts, below(path, "nodes", number))
    for number, edge in enumerate(workflow.edges):
        if edge.condition:
            findings += _condition(edge.condition, below(path, "edges", number, "condition"))
    return tuple(findings)


def check_node(node: Node, facts: PlanFacts, path: str = "") -> tuple[RuleFinding, ...]:
    """Return what a node is objected to for, whatever stands beside it; its loop's body too.

    Its references are judged with the plan, by `check_references`.
    """
    findings = [
        *_type(node, facts, path),
        *check_danger(node.type, node.config, facts, below(path, "config")),
        *_node_condition(node, path),
    ]
    if node.type is NodeType.DATABASE:
        findings += _connection(node.config.get("connection"), facts, path)
    for number, each in enumerate(body_nodes(node)):
        findings += check_node(each, facts, below(path, "config.body", number))
    return tuple(findings)


def _type(node: Node, facts: PlanFacts, path: str) -> Iterator[RuleFinding]:
    if facts.node_types is None or node.type in facts.node_types | {NodeType.START, NodeType.END}:
        return
    at = below(path, "type")
    allowed = ", ".join(sorted(facts.node_types))
    message = f"{at} is {node.type}, which is not allowed here; allowed are {allowed}"
    yield RuleFinding(code=FindingCode.BAD_ENUM, path=at, message=message, rule=ALLOWED_TYPES)


def _node_condition(node: Node, path: str) -> Iterator[RuleFinding]:
    key = _CONDITION_KEYS.get(node.type, "")
    value = node.config.get(key)
    if isinstance(value, str):
        yield from _condition(value, below(path, "config", key))


def _condition(text: str, path: str) -> Iterator[RuleFinding]:
    try:
        compile_plan_condition(text)
    except ConditionError as refused:
        code = FindingCode.WRONG_TYPE
        if not text.strip():
            code = FindingCode.EMPTY_VALUE
        elif len(text.encode("utf-8", "surrogatepass")) > LARGEST:
            code = FindingCode.TOO_LARGE
        message = f"{path} is no condition, at character {refused.offset + 1}: {refused.message}"
        yield RuleFinding(code=code, path=path, message=message, rule=CONDITIONS)


def _connection(name: JsonValue, facts: PlanFacts, path: str) -> Iterator[RuleFinding]:
    """Yield a connection that nobody declared; a node may leave it to the policy (D10)."""
    if facts.connections is None or name is None or name in facts.connections:
        return
    at = below(path, "config.connection")
    message = f"{at} is {name!r}, which is no declared connection"
    yield RuleFinding(code=FindingCode.UNKNOWN_REFERENCE, path=at, message=message, rule=DATABASES)
