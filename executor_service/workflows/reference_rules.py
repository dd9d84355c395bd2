"""What a plan's references may name, and where (RESOLUTIONS D8, D24, D30)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from graphlib import CycleError

from executor_service.workflows.graph import body_nodes, each_node, runs_before
from executor_service.workflows.payload_paths import below
from executor_service.workflows.plan_facts import PlanFacts
from executor_service.workflows.references import (
    LOOP_NAMES,
    RESERVED,
    Reference,
    ReferenceKind,
    config_values,
    input_names,
    references_in,
)
from heartrule.domain.decisions import FindingCode, RuleFinding
from heartrule.domain.json_value import JsonValue
from heartrule.domain.workflows import Node, NodeType, Workflow

RULE = "scenario 3, data between nodes"
DANGER = "3.1.2 dangerous operations"
# A prompt goes to a model's provider and code to a sandbox: neither is shown a secret.
_WITH_SECRETS = frozenset({NodeType.HTTP, NodeType.DATABASE})
_PROMPTS = frozenset({"prompt", "messages"})
_FORMS = "a reference is ${node.output.x}, ${input.x} or ${NAME}, in a value, never in a key"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceScope:
    """What can be named at one place of a plan."""

    nodes: frozenset[str]
    """Nodes that have run when the place is read."""
    known: frozenset[str]
    """All nodes that there are."""
    names: frozenset[str]
    """Inputs of the node, what a loop gives, inputs of the workflow."""
    secrets: frozenset[str]
    """Secrets that are declared."""
    takes_secrets: bool = False
    takes_unmapped: bool = False
    """A name that is none of them is an input that is mapped later."""


def check_references(
    workflow: Workflow, facts: PlanFacts, path: str = ""
) -> tuple[RuleFinding, ...]:
    """Return the references that name nothing, or nothing that has run, or what is kept secret.

    Where the graph has a cycle no order is known, and a reference may name any node.
    """
    known = frozenset(node.node_id for node, _ in each_node(workflow.nodes))
    try:
        before = runs_before(workflow.nodes, workflow.edges)
    except CycleError:
        before = {node.node_id: known for node in workflow.nodes}
    scope = ReferenceScope(
        nodes=frozenset(), known=known, names=input_names(workflow), secrets=facts.secrets
    )
    return (
        *_reserved(workflow, path),
        *_literals(workflow, path),
        *(
            finding
            for number, node in enumerate(workflow.nodes)
            for finding in check_node_references(
                node,
                replace(scope, nodes=before[node.node_id]),
                below(path, "nodes", number),
            )
        ),
        *(
            finding
            for number, edge in enumerate(workflow.edges)
            for finding in _check(
                edge.condition,
                below(path, "edges", number, "condition"),
                replace(scope, nodes=before.get(edge.source, known) | {edge.source}),
            )
        ),
    )


def check_node_references(node: Node, scope: ReferenceScope, path: str) -> tuple[RuleFinding, ...]:
    """Return what is wrong with the references of one node, its loop's body too.

    Args:
        node: The node.
        scope: What can be named before it runs, its own inputs left out.
        path: The payload's path of the node.
    """
    findings = [
        finding
        for value, at, place in _places(node, scope, path)
        for finding in _check(value, at, place)
    ]
    body = body_nodes(node)
    if body:
        given = LOOP_NAMES if "items" in node.config else LOOP_NAMES - {"item"}
        inner = replace(scope, names=scope.names | given)
        for number, each in enumerate(body):
            findings += check_node_references(each, inner, below(path, "config.body", number))
            inner = replace(inner, nodes=inner.nodes | {each.node_id})
    return tuple(findings)


def _places(
    node: Node, scope: ReferenceScope, path: str
) -> Iterator[tuple[JsonValue, str, ReferenceScope]]:
    """Yield the values of a node that references stand in, with what each may name."""
    secrets = node.type in _WITH_SECRETS
    inside = replace(scope, names=scope.names | frozenset(node.input_mapping))
    for key, value, at in config_values(node, path):
        place = replace(
            inside,
            takes_secrets=secrets,
            takes_unmapped=node.type is NodeType.LLM and key in _PROMPTS,
        )
        if node.type is NodeType.LOOP and key == "condition":
            # It is read before each turn of the loop, with what the turn before left.
            body = frozenset(each.node_id for each in body_nodes(node))
            place = replace(place, nodes=place.nodes | body, names=place.names | {"index"})
        yield value, at, place
    yield node.input_mapping, below(path, "input_mapping"), replace(scope, takes_secrets=secrets)
    after = replace(inside, nodes=scope.nodes | {node.node_id})
    yield node.output_mapping, below(path, "output_mapping"), after


def _reserved(workflow: Workflow, path: str) -> Iterator[RuleFinding]:
    for node, place in each_node(workflow.nodes, path):
        if node.node_id in RESERVED:
            at = below(place, "node_id")
            message = f"{at} is {node.node_id!r}, a word of references: give the node another id"
            yield RuleFinding(code=FindingCode.CONFLICT, path=at, message=message, rule=RULE)


def _literals(workflow: Workflow, path: str) -> Iterator[RuleFinding]:
    """Yield references where a plan holds literals: nobody fills them in (RESOLUTIONS D30)."""
    defaults = {name: {"default": each.default} for name, each in workflow.inputs.items()}
    for key, value in (("global_config", workflow.global_config), ("inputs", defaults)):
        for each in references_in(value, below(path, key)):
            message = f"{each.path} holds literals: map ${{{each.text}}} to an input of its node"
            yield RuleFinding(
                code=FindingCode.FORBIDDEN_OPERATION, path=each.path, message=message, rule=DANGER
            )


def _check(value: JsonValue, path: str, scope: ReferenceScope) -> Iterator[RuleFinding]:
    for reference in references_in(value, path):
        if reference.kind is ReferenceKind.UNREADABLE:
            message = f"{reference.path}: ${{{reference.text}}} cannot be read: {_FORMS}"
            yield _unknown(reference, message)
        elif reference.kind is ReferenceKind.NODE:
            yield from _node(reference, scope)
        elif reference.kind is ReferenceKind.NAME:
            yield from _name(reference, scope)


def _node(reference: Reference, scope: ReferenceScope) -> Iterator[RuleFinding]:
    if reference.name in scope.nodes:
        return
    shown = f"{reference.path}: ${{{reference.text}}} names {reference.name!r}"
    if reference.name in scope.known:
        message = f"{shown}, which does not run before this place"
    else:
        message = f"{shown}, which is no node of this workflow"
    yield _unknown(reference, message)


def _unknown(reference: Reference, message: str) -> RuleFinding:
    code = FindingCode.UNKNOWN_REFERENCE
    return RuleFinding(code=code, path=reference.path, message=message, rule=RULE)


def _name(reference: Reference, scope: ReferenceScope) -> Iterator[RuleFinding]:
    """Yield a name that is no input, none of a loop and no secret, in the order of D8."""
    if reference.name in scope.names:
        return
    shown = f"{reference.path}: ${{{reference.text}}}"
    if reference.name in scope.secrets:
        if scope.takes_secrets:
            return
        message = f"{shown} is a secret, which only HTTP and DATABASE nodes are given"
    elif scope.takes_unmapped:
        return
    else:
        message = f"{shown} is no input of its node or workflow, and no declared secret"
    yield RuleFinding(
        code=FindingCode.FORBIDDEN_OPERATION, path=reference.path, message=message, rule=DANGER
    )
