"""What the references of a node find while its run goes on (RESOLUTIONS D8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from executor_service.conditions.plan import PlanExpression
from executor_service.workflows.references import Reference, ReferenceKind, read_reference
from heartrule.domain.json_value import JsonValue
from heartrule.domain.runs import (
    NodeRecord,
    NodeState,
    RunProgress,
    SkipReason,
    body_path,
)
from heartrule.domain.workflows import Workflow


class ValueMissing(LookupError):
    """A reference has no value here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeValues:
    """The values that can be named at one place of a run."""

    outputs: Mapping[str, JsonValue] = field(default_factory=dict)
    """Of nodes that completed, by id."""
    left_out: frozenset[str] = frozenset()
    """Nodes that a recovery skipped: whatever is read of them is null."""
    inputs: Mapping[str, JsonValue] = field(default_factory=dict)
    """Of the run; a declared one without a value has its default, or null."""
    loop: Mapping[str, JsonValue] = field(default_factory=dict)
    """`item` and `index` of a turn."""
    own: Mapping[str, JsonValue] = field(default_factory=dict)
    """Inputs of the node itself."""
    secrets: Mapping[str, str] = field(default_factory=dict)
    """By name, where the node is given any."""

    def find(self, reference: Reference) -> JsonValue:
        """Return the value of a reference.

        Raises:
            ValueMissing: It has none.
        """
        if reference.kind is ReferenceKind.NODE and reference.name in self.left_out:
            return None
        value = self._named(reference)
        for part in reference.fields:
            value = _within(value, part)
        return value

    def _named(self, reference: Reference) -> JsonValue:
        sources: Sequence[Mapping[str, JsonValue]] = ()
        if reference.kind is ReferenceKind.NODE:
            sources = (self.outputs,)
        elif reference.kind is ReferenceKind.INPUT:
            sources = (self.inputs,)
        elif reference.kind is ReferenceKind.NAME:
            sources = (self.own, self.loop, self.inputs, self.secrets)
        for each in sources:
            if reference.name in each:
                return each[reference.name]
        raise ValueMissing(reference.text)


def graph_values(progress: RunProgress) -> NodeValues:
    """Return what the nodes and edges of a run's graph can name, secrets and own inputs aside."""
    records = {
        node.node_id: progress.nodes[node.node_id]
        for node in progress.workflow.nodes
        if node.node_id in progress.nodes
    }
    inputs = run_inputs(progress.workflow, progress.inputs)
    return replace(_of_records(records), inputs=inputs)


def with_turn(values: NodeValues, progress: RunProgress, loop_id: str, index: int) -> NodeValues:
    """Return values with what the nodes of a loop's body gave in one turn."""
    start = body_path(loop_id, index, "")
    turn = _of_records(
        {
            path.removeprefix(start): record
            for path, record in progress.nodes.items()
            if path.startswith(start)
        }
    )
    return replace(
        values,
        outputs={**values.outputs, **turn.outputs},
        left_out=values.left_out | turn.left_out,
    )


def run_inputs(workflow: Workflow, given: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    """Return a run's inputs: those that are given, else the defaults of the declared ones."""
    return {**{name: each.default for name, each in workflow.inputs.items()}, **given}


def condition_values(condition: PlanExpression, values: NodeValues) -> Mapping[str, JsonValue]:
    """Return the values of a condition's references, by their text; what is absent is left out."""
    found: dict[str, JsonValue] = {}
    for text in condition.references:
        try:
            found[text] = values.find(read_reference(text))
        except ValueMissing:
            continue
    return found


def _of_records(records: Mapping[str, NodeRecord]) -> NodeValues:
    return NodeValues(
        outputs={
            node_id: record.output
            for node_id, record in records.items()
            if record.state is NodeState.COMPLETED
        },
        left_out=frozenset(
            node_id
            for node_id, record in records.items()
            if record.state is NodeState.SKIPPED and record.skip_reason is SkipReason.RECOVERY
        ),
    )


def _within(value: JsonValue, part: str) -> JsonValue:
    """Return a field of an object, or what stands at a place of a list, counted from 0."""
    if isinstance(value, Mapping) and part in value:
        return value[part]
    if isinstance(value, list | tuple) and part.isdecimal() and int(part) < len(value):
        found: JsonValue = value[int(part)]
        return found
    raise ValueMissing(part)
