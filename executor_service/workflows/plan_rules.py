"""The rules of a plan: its graph, its references, and each of its nodes (document 002, 2 and 3)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from keyword import iskeyword

from executor_service.conditions.plan import LARGEST, compile_plan_condition
from executor_service.conditions.source import ConditionError
from executor_service.workflows.dangers import check_danger
from executor_service.workflows.graph import check_graph, each_node
from executor_service.workflows.payload_paths import below
from executor_service.workflows.plan_facts import PlanFacts
from executor_service.workflows.reference_rules import check_references
from executor_service.workflows.schema_findings import MOST_ERRORS, shortened
from heartrule.domain.decisions import FindingCode, RuleFinding
from heartrule.domain.json_value import JsonValue
from heartrule.domain.workflows import Node, NodeType, Workflow

CONDITIONS = "scenario 3, conditions"
ALLOWED_TYPES = "3.2.1 node types"
DATABASES = "scenario 3, connections"
INPUTS = "scenario 3, data between nodes"
_CONDITION_KEYS = {NodeType.CONDITION: "expression", NodeType.LOOP: "condition"}


def check_plan(
    workflow: Workflow, facts: PlanFacts, *, is_danger_known: bool = False
) -> tuple[RuleFinding, ...]:
    """Return everything a plan is objected to for.

    At most `MOST_ERRORS` are told. The nodes and edges have the form of their models. A workflow
    without findings is READY.

    Args:
        workflow: The plan.
        facts: What the rules may know beside it.
        is_danger_known: True: `check_danger` has judged all its nodes, and found nothing.

    Raises:
        KeyError, TypeError, ValueError: A node has not the form of its model.
    """
    found = chain(
        check_graph(workflow.nodes, workflow.edges),
        check_references(workflow, facts),
        *(_of_node(node, facts, place) for node, place in each_node(workflow.nodes)),
        () if is_danger_known else _dangers(workflow, facts),
        *(
            _condition(edge.condition, below("edges", number, "condition"))
            for number, edge in enumerate(workflow.edges)
            if edge.condition
        ),
    )
    return tuple(islice(found, MOST_ERRORS))


def _of_node(node: Node, facts: PlanFacts, path: str) -> Iterator[RuleFinding]:
    """Yield what a node is objected to for, whatever stands beside it."""
    yield from _type(node, facts, path)
    yield from _node_condition(node, path)
    if node.type is NodeType.PYTHON:
        yield from _input_names(node, path)
    elif node.type is NodeType.DATABASE:
        yield from _connection(node.config.get("connection"), facts, path)


def _dangers(workflow: Workflow, facts: PlanFacts) -> Iterator[RuleFinding]:
    for node, place in each_node(workflow.nodes):
        yield from check_danger(node.type, node.config, facts, below(place, "config"))


def _input_names(node: Node, path: str) -> Iterator[RuleFinding]:
    """Yield inputs of a PYTHON node that its code cannot name, or that replace what Python has."""
    for name in node.input_mapping:
        if name.isidentifier() and not iskeyword(name) and not name.startswith("__"):
            continue
        at = below(path, "input_mapping", name)
        message = f"{shortened(at)} is no name that Python code can give to a value"
        yield RuleFinding(code=FindingCode.WRONG_TYPE, path=at, message=message, rule=INPUTS)


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
    message = f"{at} is {shortened(str(name))!r}, which is no declared connection"
    yield RuleFinding(code=FindingCode.UNKNOWN_REFERENCE, path=at, message=message, rule=DATABASES)
