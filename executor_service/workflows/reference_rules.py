"""What a plan's references may name, and where (RESOLUTIONS D8, D24, D30)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from graphlib import CycleError
from itertools import chain, islice
from typing import TypeAlias

from executor_service.workflows.graph import body_nodes, each_node, runs_before
from executor_service.workflows.payload_paths import below
from executor_service.workflows.plan_facts import PlanFacts
from executor_service.workflows.references import (
    LOOP_NAMES,
    RESERVED,
    Reference,
    ReferenceKind,
    config_values,
    references_in,
)
from executor_service.workflows.schema_findings import MOST_ERRORS, shortened
from heartrule.domain.decisions import FindingCode, RuleFinding
from heartrule.domain.json_value import JsonValue
from heartrule.domain.workflows import Node, NodeType, Workflow

RULE = "scenario 3, data between nodes"
DANGER = "3.1.2 dangerous operations"
# A prompt goes to a model's provider and code to a sandbox: neither is shown a secret.
_WITH_SECRETS = frozenset({NodeType.HTTP, NodeType.DATABASE})
_PROMPTS = frozenset({"prompt", "messages"})
_FORMS = "a reference is ${node.output.x}, ${input.x} or ${NAME}, in a value, never in a key"


@dataclass(frozen=True, slots=True)
class _Scope:
    """What can be named at one place of a plan, beside the workflow's inputs and the secrets."""

    nodes: frozenset[str]
    """Nodes that have run when the place is read."""
    names: frozenset[str] = frozenset()
    """Inputs of the node, and what a loop gives."""
    takes_secrets: bool = False
    takes_unmapped: bool = False
    """A name that is nothing else is an input that is mapped later."""


_Place: TypeAlias = tuple[JsonValue, str, _Scope]
"""A value, the payload's path of it, and what references in it may name."""


def check_references(workflow: Workflow, facts: PlanFacts) -> tuple[RuleFinding, ...]:
    """Return the references that name nothing, or nothing that has run, or what is kept secret.

    At most `MOST_ERRORS` are told. Where the graph has a cycle no order is known, and a reference
    may name any node.
    """
    known = frozenset(node.node_id for node, _ in each_node(workflow.nodes))
    used = [
        (reference, scope)
        for value, at, scope in _places(workflow, known)
        for reference in references_in(value, at)
    ]
    inputs = frozenset(workflow.inputs).union(
        each.name for each, _ in used if each.kind is ReferenceKind.INPUT
    )
    found = chain(
        _reserved(workflow),
        _literals(workflow),
        chain.from_iterable(
            _judged(reference, scope, known, facts)
            for reference, scope in used
            if reference.kind is not ReferenceKind.NAME or reference.name not in inputs
        ),
    )
    return tuple(islice(found, MOST_ERRORS))


def _places(workflow: Workflow, known: frozenset[str]) -> Iterator[_Place]:
    try:
        before = runs_before(workflow.nodes, workflow.edges)
    except CycleError:
        before = {node.node_id: known for node in workflow.nodes}
    for number, node in enumerate(workflow.nodes):
        yield from _of_node(node, _Scope(before[node.node_id]), below("nodes", number))
    for number, edge in enumerate(workflow.edges):
        if edge.condition:
            scope = _Scope(before.get(edge.source, known) | {edge.source})
            yield edge.condition, below("edges", number, "condition"), scope


def _of_node(node: Node, scope: _Scope, path: str) -> Iterator[_Place]:
    """Yield the places of a node, whose own inputs the scope does not hold; its body's too."""
    if node.type in _WITH_SECRETS:
        scope = replace(scope, takes_secrets=True)
    if node.input_mapping:
        yield node.input_mapping, below(path, "input_mapping"), scope
        scope = replace(scope, names=scope.names.union(node.input_mapping))
    body = body_nodes(node)
    special = _special(node, scope, body)
    for key, value, at in config_values(node, path):
        yield value, at, special.get(key, scope)
    if node.output_mapping:
        after = replace(scope, nodes=scope.nodes | {node.node_id}, takes_secrets=False)
        yield node.output_mapping, below(path, "output_mapping"), after
    # Each node has its own inputs: those of the loop are none of its body's.
    given = LOOP_NAMES if node.config.get("items") is not None else LOOP_NAMES - {"item"}
    for number, each in enumerate(body):
        nodes = scope.nodes.union(earlier.node_id for earlier in body[:number])
        inner = _Scope(nodes, given)
        yield from _of_node(each, inner, below(path, "config.body", number))


def _special(node: Node, scope: _Scope, body: tuple[Node, ...]) -> Mapping[str, _Scope]:
    """Return the keys of a configuration in which other things may be named."""
    if node.type is NodeType.LLM:
        return dict.fromkeys(_PROMPTS, replace(scope, takes_unmapped=True))
    if node.type is NodeType.LOOP:
        # It is read before each turn of the loop, with what the turn before left.
        nodes = scope.nodes.union(each.node_id for each in body)
        return {"condition": replace(scope, nodes=nodes, names=scope.names | {"index"})}
    return {}


def _reserved(workflow: Workflow) -> Iterator[RuleFinding]:
    for node, place in each_node(workflow.nodes):
        is_word = node.node_id in RESERVED
        if is_word or "/" in node.node_id:
            at = below(place, "node_id")
            why = "a word of references" if is_word else "and a slash parts the paths of runs"
            message = f"{at} is {shortened(node.node_id)!r}, {why}: give the node another id"
            yield RuleFinding(code=FindingCode.CONFLICT, path=at, message=message, rule=RULE)


def _literals(workflow: Workflow) -> Iterator[RuleFinding]:
    """Yield references where a plan holds literals: nobody fills them in (RESOLUTIONS D30)."""
    defaults = {name: {"default": each.default} for name, each in workflow.inputs.items()}
    for key, value in (("global_config", workflow.global_config), ("inputs", defaults)):
        for each in references_in(value, key):
            at = shortened(each.path)
            message = f"{at} holds literals: map {shortened(each.text)} to an input of its node"
            yield RuleFinding(
                code=FindingCode.FORBIDDEN_OPERATION, path=each.path, message=message, rule=DANGER
            )


def _judged(
    reference: Reference, scope: _Scope, known: frozenset[str], facts: PlanFacts
) -> Iterator[RuleFinding]:
    if reference.kind is ReferenceKind.UNREADABLE:
        yield _unknown(reference, f"{_shown(reference)} cannot be read: {_FORMS}")
    elif reference.kind is ReferenceKind.NODE and reference.name not in scope.nodes:
        is_late = reference.name in known
        what = "does not run before this place" if is_late else "this workflow does not have"
        yield _unknown(reference, f"{_shown(reference)} names a node that {what}")
    elif reference.kind is ReferenceKind.NAME and reference.name not in scope.names:
        yield from _name(reference, scope, facts)


def _shown(reference: Reference) -> str:
    return f"{shortened(reference.path)}: ${{{shortened(reference.text)}}}"


def _unknown(reference: Reference, message: str) -> RuleFinding:
    code = FindingCode.UNKNOWN_REFERENCE
    return RuleFinding(code=code, path=reference.path, message=message, rule=RULE)


def _name(reference: Reference, scope: _Scope, facts: PlanFacts) -> Iterator[RuleFinding]:
    """Yield a name that is no input and none of a loop, unless it is a secret in its place (D8)."""
    shown = _shown(reference)
    if reference.name in facts.secrets:
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
