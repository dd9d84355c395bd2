"""A plan as it is written: nodes, edges and inputs, and the workflow that it makes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Annotated, Any, Literal

from pydantic import Field
from pydantic_core import InitErrorDetails

from executor_service.workflows.configs import NodesOf, WrittenNode
from executor_service.workflows.strict_model import (
    LONGEST_NAME,
    Free,
    Id,
    Json,
    Name,
    Several,
    StrictModel,
    Text,
    objection,
)
from heartrule.domain.decisions import FindingCode
from heartrule.domain.json_value import JsonValue
from heartrule.domain.workflows import Edge, Node, Workflow, WorkflowInput

MOST_RUN_SECONDS = 3_600
"""A run's time, its waiting for decisions included."""

_TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "number": (int, float),
    "integer": (int,),
    "boolean": (bool,),
    "array": (list, tuple),
    "object": (dict,),
}
# A schema of pydantic accepts keys that break the pattern or are too long.
_NAMES_ALONE = Field(
    json_schema_extra={
        "additionalProperties": False,
        "propertyNames": {"maxLength": LONGEST_NAME},
    }
)
_REQUIRED = frozenset({"node_id", "type", "name", "config"})
PlanNodeType = Literal["LLM", "HTTP", "PYTHON", "DATABASE", "CONDITION", "LOOP", "START", "END"]


class AddedNodeModel(WrittenNode):
    """A node that a new plan adds; without an id it is given one (RESOLUTIONS D10)."""

    type: PlanNodeType
    """What it does; START and END mark where a plan begins and ends."""


class NodeModel(AddedNodeModel):
    """A node of a plan."""

    node_id: Id
    """Unique in the plan, the nodes of loops counted."""


class EdgeModel(StrictModel):
    """The order of two nodes."""

    source: Id
    """The node that runs before."""
    target: Id
    """The node that runs after it."""
    condition: str | None = None
    """CEL, with `${node.output.name}` for values; empty: always taken."""

    def edge(self) -> Edge:
        """Return the edge."""
        return Edge(source=self.source, target=self.target, condition=self.condition or "")


class InputModel(StrictModel):
    """A parameter of a workflow's runs (RESOLUTIONS D24)."""

    type: Literal["string", "number", "integer", "boolean", "array", "object"] | None = None
    """What it must be; any JSON where nothing is said."""
    required: bool = True
    """Whether a run without it is refused, unless it has a default."""
    default: Json = None
    """Its value where a run gives none."""

    @classmethod
    def objections(cls, value: Mapping[str, Any]) -> Iterator[InitErrorDetails]:
        """Yield a default that is not of the input's type."""
        kind, default = value.get("type"), value.get("default")
        if default is not None and isinstance(kind, str) and not fits(default, kind):
            error = objection(FindingCode.WRONG_TYPE, f"must be of its type, {kind}.")
            yield InitErrorDetails(type=error, loc=("default",), input=default)

    def workflow_input(self) -> WorkflowInput:
        """Return the input."""
        return WorkflowInput(type=self.type or "", is_required=self.required, default=self.default)


class GlobalConfigModel(StrictModel):
    """What holds for a whole run."""

    timeout: Annotated[float, Field(gt=0, le=MOST_RUN_SECONDS)] | None = None
    """Seconds that a run may take, an hour at most, which it has where nothing is said."""
    env: Free | None = None
    """Literals that PYTHON nodes see as `env`; never a source for `${NAME}` (RESOLUTIONS D30)."""


class PlanModel(StrictModel):
    """A workflow as it is planned."""

    name: Text
    """For readers."""
    description: Text
    """What it is for."""
    nodes: NodesOf[NodeModel]
    """Its steps, at most 50 with those of loops."""
    edges: Several[EdgeModel]
    """Their order, without a cycle; empty for a single node."""
    inputs: Annotated[dict[Name, InputModel], _NAMES_ALONE] | None = None
    """Its parameters; each `${input.x}` in it is one too."""
    global_config: GlobalConfigModel | None = None
    """What holds for the whole run."""


def fits(value: JsonValue, kind: str) -> bool:
    """Return whether a value is of an input's type; empty or an unknown one: yes, any."""
    types = _TYPES.get(kind)
    if types is None:
        return True
    if isinstance(value, bool):
        return kind == "boolean"
    if kind == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, types)


def workflow_of(plan: PlanModel, workflow_id: str) -> Workflow:
    """Return the first revision of the workflow that a plan describes, as a draft."""
    shared = plan.global_config
    return Workflow(
        workflow_id=workflow_id,
        name=plan.name,
        description=plan.description,
        nodes=tuple(each.node(each.node_id) for each in plan.nodes),
        edges=tuple(each.edge() for each in plan.edges),
        inputs={name: each.workflow_input() for name, each in (plan.inputs or {}).items()},
        global_config=shared.given() if shared else {},
    )


def written_plan(workflow: Workflow) -> dict[str, JsonValue]:
    """Return a workflow as a plan writes it, without what is empty: `workflow_of` reads it again.

    A draft that CREATE_NODE began has no description, which a plan must have.
    """
    plan: dict[str, JsonValue] = {
        "name": workflow.name,
        "description": workflow.description,
        "nodes": [written_node(each) for each in workflow.nodes],
        "edges": [_written_edge(each) for each in workflow.edges],
    }
    if workflow.inputs:
        plan["inputs"] = {name: _written_input(each) for name, each in workflow.inputs.items()}
    if workflow.global_config:
        plan["global_config"] = dict(workflow.global_config)
    return plan


def written_node(node: Node) -> dict[str, JsonValue]:
    """Return a node as a plan writes it, without what is empty."""
    given: dict[str, JsonValue] = {each.name: getattr(node, each.name) for each in fields(node)}
    given["type"] = node.type.value
    return {name: value for name, value in given.items() if value or name in _REQUIRED}


def _written_edge(edge: Edge) -> dict[str, JsonValue]:
    condition: dict[str, JsonValue] = {"condition": edge.condition} if edge.condition else {}
    return {"source": edge.source, "target": edge.target, **condition}


def _written_input(taken: WorkflowInput) -> dict[str, JsonValue]:
    given: dict[str, JsonValue] = {"required": taken.is_required}
    if taken.type:
        given["type"] = taken.type
    if taken.default is not None:
        given["default"] = taken.default
    return given
