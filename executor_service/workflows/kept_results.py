"""What a workflow that was planned anew keeps of an earlier run (RESOLUTIONS D10)."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from executor_service.workflows.graph import each_node
from executor_service.workflows.node_values import graph_values
from executor_service.workflows.references import Reference, ReferenceKind, references_of
from executor_service.workflows.schedule import step_order
from heartrule.domain.json_value import JsonValue
from heartrule.domain.runs import NodeRecord, NodeState, RunProgress
from heartrule.domain.workflows import Node, NodeType, Workflow


def kept_results(
    old: RunProgress,
    new: Workflow,
    new_inputs: Mapping[str, JsonValue],
    preserve: Collection[str],
) -> Mapping[str, NodeRecord]:
    """Return the records that a new run begins with, by path; what they name does not run again.

    A node is kept where it is preserved, completed in the old run, does what it did there, and
    reads what it read: kept nodes and equal inputs of the run. A loop is kept with its turns.
    """
    begun = RunProgress(workflow=new, inputs=new_inputs)
    before = {node.node_id: node for node in old.workflow.nodes}
    nodes = {node.node_id: node for node in new.nodes}
    kept: set[str] = set()
    for node_id in step_order(new):
        node = nodes[node_id]
        if (
            node_id in preserve
            and old.state(node_id) is NodeState.COMPLETED
            and node_id in before
            and _work(node, new) == _work(before[node_id], old.workflow)
            and _reads_the_same(node, kept, old, begun)
        ):
            kept.add(node_id)
    return {path: each for path, each in old.nodes.items() if path.split("/")[0] in kept}


def _work(node: Node, workflow: Workflow) -> tuple[JsonValue, ...]:
    """Return all that decides what a node does for given values."""
    env = workflow.global_config.get("env") if _runs_code(node) else None
    return (node.type.value, node.config, node.input_mapping, node.output_mapping, env)


def _runs_code(node: Node) -> bool:
    return any(each.type is NodeType.PYTHON for each, _ in each_node((node,)))


def _reads_the_same(node: Node, kept: set[str], old: RunProgress, new: RunProgress) -> bool:
    """Return whether every reference of a node has the value that it had."""
    itself = {each.node_id for each, _ in each_node((node,))}
    values, values_before = graph_values(new), graph_values(old)
    for reference in references_of((node,)):
        if reference.kind is ReferenceKind.NODE:
            if reference.name not in kept | itself:
                return False
        elif _input(reference, values.inputs) != _input(reference, values_before.inputs):
            return False
    return True


def _input(reference: Reference, inputs: Mapping[str, JsonValue]) -> tuple[bool, JsonValue]:
    """Return the run's input of this name, if it is one: a name may be another thing as well."""
    return reference.name in inputs, inputs.get(reference.name)
