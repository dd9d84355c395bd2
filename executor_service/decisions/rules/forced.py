"""What no decision may do, whatever its shape (document 002, section 3.1; RESOLUTIONS D4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from executor_service.decisions.decision_case import DecisionCase, Findings
from executor_service.decisions.sizes import SIZE_LIMITS
from executor_service.workflows.dangers import check_danger
from heartrule.domain.decisions import FindingCode, RuleFinding
from heartrule.domain.json_value import JsonValue
from heartrule.domain.workflows import MOST_NODES, NodeType

ACTION_TYPE = "3.1.1 action_type"
DANGER = "3.1.2 dangerous operations"
HOLD_NODES = frozenset({"config", "nodes", "suggested_changes"})
"""The fields of any payload in which nodes are looked for, also where its type has none."""
_NodeAt = tuple[JsonValue, Mapping[str, JsonValue], str]


def action_type_findings(case: DecisionCase) -> Findings:
    """Find an action_type of another decision; one that is missing is the schema's matter (D1)."""
    stated = case.payload.get("action_type", case.decision_type.value)
    if stated == case.decision_type or not isinstance(stated, str):
        return ()
    message = f"action_type must be {case.decision_type.value!r}, as the decision is of this type"
    return (RuleFinding(FindingCode.TYPE_MISMATCH, "action_type", message, ACTION_TYPE),)


def node_count_findings(case: DecisionCase) -> Findings:
    """Find a plan with more nodes than a workflow may have, loop bodies counted (D11)."""
    count = sum(1 for _ in _nodes(case.payload.get("nodes"), "nodes"))
    if count <= MOST_NODES:
        return ()
    message = f"nodes has {count} nodes, those of loops counted; at most {MOST_NODES} are allowed"
    return (RuleFinding(FindingCode.TOO_MANY_NODES, "nodes", message, SIZE_LIMITS),)


def danger_findings(case: DecisionCase) -> Findings:
    """Find code, SQL and addresses that never run, in every node of any shape."""
    facts = case.facts
    return tuple(
        finding
        for node_type, config, path in _nodes_of(case.payload)
        for finding in check_danger(node_type, config, facts, path)
    )


def _nodes_of(payload: Mapping[str, JsonValue]) -> Iterator[_NodeAt]:
    """Yield type, configuration and the configuration's path of each node that is proposed."""
    config = payload.get("config")
    if isinstance(config, Mapping):
        yield payload.get("node_type"), config, "config"
        if payload.get("node_type") == NodeType.LOOP:
            yield from _nodes(config.get("body"), "config.body")
    yield from _nodes(payload.get("nodes"), "nodes")
    changes = payload.get("suggested_changes")
    if isinstance(changes, Mapping):
        yield from _nodes(changes.get("add_nodes"), "suggested_changes.add_nodes")


def _nodes(value: JsonValue, path: str) -> Iterator[_NodeAt]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        return
    # A longer list is refused whole, by the count or by its schema.
    for index, each in enumerate(value[: MOST_NODES + 1]):
        node = each if isinstance(each, Mapping) else {}
        config = node.get("config")
        config = config if isinstance(config, Mapping) else {}
        place = f"{path}.{index}.config"
        yield node.get("type"), config, place
        if node.get("type") == NodeType.LOOP:
            yield from _nodes(config.get("body"), f"{place}.body")
