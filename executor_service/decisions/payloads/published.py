"""The JSON Schemas of payloads and of workflows (document 002, section 8)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, Any, TypeAlias, Union

from pydantic import Field, TypeAdapter
from pydantic.json_schema import models_json_schema

from executor_service.decisions.payloads.drafting import CreateNodePayload
from executor_service.decisions.payloads.payload_types import PAYLOAD_VERSION, PAYLOADS
from executor_service.workflows.configs import CONFIGS, BodyNodeModel
from executor_service.workflows.plan_models import AddedNodeModel, NodeModel, PlanModel
from executor_service.workflows.recovery_plan import RecoveryPlan
from executor_service.workflows.strict_model import ConditionalField, StrictModel
from heartrule.domain.workflows import NodeType

Schema: TypeAlias = dict[str, Any]
_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_REF = "#/$defs/{model}"
_TYPED: Mapping[type[StrictModel], str] = MappingProxyType(
    {
        NodeModel: "type",
        AddedNodeModel: "type",
        BodyNodeModel: "type",
        CreateNodePayload: "node_type",
    }
)
"""What has a configuration, with the field that says of which type."""


class SchemaOfDecisions(StrEnum):
    """What has a schema, besides the files of the script language."""

    DECISION = "decision"
    WORKFLOW = "workflow"


def decision_schema() -> Schema:
    """Return the schema of a payload of any type.

    It accepts what the models accept, except for what no schema can see: whether a number is
    finite, a default of its type, a node both preserved and removed, and a failure that is told.
    """
    union: Any = Annotated[Union[*PAYLOADS.values()], Field(discriminator="action_type")]
    chosen = TypeAdapter(union).json_schema(ref_template=_REF)
    return _document("Payload of a decision", {k: v for k, v in chosen.items() if k != "$defs"})


def workflow_schema() -> Schema:
    """Return the schema of a workflow as a plan writes it."""
    return _document("Workflow", {"$ref": _REF.format(model=PlanModel.__name__)})


def published_text(of: SchemaOfDecisions) -> str:
    """Return a schema as it is shipped: readable JSON that ends with a line feed."""
    made = decision_schema() if of is SchemaOfDecisions.DECISION else workflow_schema()
    return json.dumps(made, ensure_ascii=False, indent=1) + "\n"


def _document(title: str, chosen: Schema) -> Schema:
    models: set[type[StrictModel]] = {
        *PAYLOADS.values(),
        *CONFIGS.values(),
        *_TYPED,
        PlanModel,
        RecoveryPlan,
    }
    ordered = sorted(models, key=lambda model: model.__name__)
    _, made = models_json_schema([(one, "validation") for one in ordered], ref_template=_REF)
    definitions: Schema = made["$defs"]
    for model in ordered:
        rules = [*map(_condition, model.conditions), *_configurations(model)]
        if rules:
            definitions[model.__name__]["allOf"] = rules
    named: Schema = {}
    _gather(chosen, definitions, named)
    version = f"Payloads, version {PAYLOAD_VERSION}."
    return {
        "$schema": _DIALECT,
        "title": title,
        "$comment": version,
        **chosen,
        "$defs": dict(sorted(named.items())),
    }


def _condition(condition: ConditionalField) -> Schema:
    given: list[Schema] = [
        {"required": [name], "properties": {name: {"not": {"type": "null"}}}}
        for name in condition.names
    ]
    needed: Schema = {"anyOf": given}
    return needed if condition.when is None else _when(*condition.when, needed)


def _when(field: str, value: str, then: Schema) -> Schema:
    return {"if": {"properties": {field: {"const": value}}, "required": [field]}, "then": then}


def _configurations(model: type[StrictModel]) -> Iterable[Schema]:
    """Yield which configuration a node of each type has."""
    if model not in _TYPED:
        return
    field = _TYPED[model]
    legal = _legal(model, field)
    for node_type, config in CONFIGS.items():
        if node_type in legal:
            inside = {"properties": {"config": {"$ref": _REF.format(model=config.__name__)}}}
            yield _when(field, node_type.value, inside)


def _legal(model: type[StrictModel], field: str) -> Iterable[NodeType]:
    schema = model.model_json_schema()
    found = schema if "properties" in schema else schema["$defs"][model.__name__]
    return {NodeType(name) for name in found["properties"][field]["enum"]}


def _gather(part: object, definitions: Schema, named: Schema) -> None:
    """Put every definition that a part refers to, directly or not, into `named`."""
    if isinstance(part, dict):
        name = str(part.get("$ref", "")).rpartition("/")[2]
        if name and name not in named:
            named[name] = definitions[name]
            _gather(named[name], definitions, named)
        part = list(part.values())
    if isinstance(part, list):
        for each in part:
            _gather(each, definitions, named)
