"""The tables of docs/reference/decisions.md, made from the published schemas.

`python -m tests.support.decisions_page` writes them into the page; a test compares.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from executor_service.decisions.payloads.published import decision_schema
from executor_service.workflows.strict_model import NAME, NOT_BLANK
from tests.support.documents import slug
from tests.support.source_tree import ROOT

PAGE = ROOT / "docs" / "reference" / "decisions.md"
REGENERATE = "python -m tests.support.decisions_page"
HEADINGS = {
    "RespondPayload": "respond",
    "CreateNodePayload": "create_node",
    "WorkflowPlanPayload": "create_workflow_plan",
    "ExecuteWorkflowPayload": "execute_workflow",
    "ClarificationPayload": "request_clarification",
    "ContinuePayload": "continue",
    "ModifyNodePayload": "modify_node",
    "ErrorRecoveryPayload": "error_recovery",
    "ReplanPayload": "replan_workflow",
    "SpawnSubagentPayload": "spawn_subagent",
    "RecoveryPlan": "A recovery plan",
    "SuggestedChanges": "Suggested changes",
    "NodeModel": "A node of a plan",
    "AddedNodeModel": "An added node",
    "BodyNodeModel": "A node of a loop",
    "EdgeModel": "An edge",
    "InputModel": "An input",
    "GlobalConfigModel": "What holds for a whole run",
    "RetryConfig": "Trying again",
    "LlmConfig": "LLM",
    "LlmMessage": "A message",
    "HttpConfig": "HTTP",
    "PythonConfig": "PYTHON",
    "DatabaseConfig": "DATABASE",
    "ConditionConfig": "CONDITION",
    "LoopConfig": "LOOP",
    "BoundaryConfig": "START and END",
}
"""Where each definition of the schema stands on the page; a type's heading is its name."""
_DEFINITIONS: dict[str, Any] = decision_schema()["$defs"]


def filled(text: str) -> str:
    """Return the page's text with each table as the code has it now."""
    for name in HEADINGS:
        begin, end = f"<!-- {name}: made by {REGENERATE} -->", f"<!-- end of {name} -->"
        block = re.compile(re.escape(begin) + r".*?" + re.escape(end), re.DOTALL)
        made = f"{begin}\n{_table(name)}\n{end}"
        text, count = block.subn(lambda _: made, text)  # noqa: B023 - used at once
        assert count == 1, f"{PAGE.name} has no place for {name}"
    return text


def definitions() -> frozenset[str]:
    """Return the names of everything that the schema of decisions defines."""
    return frozenset(_DEFINITIONS)


def _table(name: str) -> str:
    properties = _DEFINITIONS[name].get("properties", {})
    if not properties:
        return "No fields."
    head = ("| field | required | value | meaning |", "| --- | --- | --- | --- |")
    return "\n".join((*head, *_rows(properties, _DEFINITIONS[name].get("required", ()))))


def _rows(properties: dict[str, Any], required: list[str]) -> Iterator[str]:
    for field, schema in properties.items():
        default = schema.get("default")
        given = "no" if default in (None, []) else f"no: `{str(default).lower()}`"
        needed = "yes" if field in required else given
        yield f"| `{field}` | {needed} | {_value(schema)} | {schema.get('description', '')} |"


def _null(schema: dict[str, Any]) -> str:
    return str(schema["type"])


def _flag(_: dict[str, Any]) -> str:
    return "true or false"


def _value(schema: dict[str, Any]) -> str:
    """Return in words what a field may be."""
    if "anyOf" in schema:
        return " or ".join(_value(each) for each in schema["anyOf"])
    if "$ref" in schema:
        heading = HEADINGS[schema["$ref"].rpartition("/")[2]]
        return f"[{heading}](#{slug(heading)})"
    if "enum" in schema or "const" in schema:
        return ", ".join(f"`{each}`" for each in schema.get("enum", [schema.get("const")]))
    if isinstance(schema.get("type"), list):
        return " or ".join(_value({**schema, "type": each}) for each in schema["type"])
    return _OF_TYPE[schema["type"]](schema) if "type" in schema else "any JSON"


def _text(schema: dict[str, Any]) -> str:
    kind = {NOT_BLANK: "text (not empty)", NAME: "a name"}.get(schema.get("pattern", ""), "text")
    return f"{kind} of at most {schema['maxLength']} characters" if "maxLength" in schema else kind


def _number(schema: dict[str, Any]) -> str:
    word = "whole number" if schema["type"] == "integer" else "number"
    bounds = [
        *(f"from {schema[key]:g}" for key in ("minimum",) if key in schema),
        *(f"above {schema[key]:g}" for key in ("exclusiveMinimum",) if key in schema),
        *(f"to {schema[key]:,}" for key in ("maximum",) if key in schema),
    ]
    return " ".join((word, *bounds))


def _list(schema: dict[str, Any]) -> str:
    least = " (not empty)" if schema.get("minItems") else ""
    return f"list of {_value(schema['items'])}{least}" if "items" in schema else f"list{least}"


def _object(schema: dict[str, Any]) -> str:
    if "patternProperties" in schema:
        (inner,) = schema["patternProperties"].values()
        return f"object: names, each with {_value(inner)}"
    return "object (not empty)" if schema.get("minProperties") else "object"


_OF_TYPE: dict[str, Callable[[dict[str, Any]], str]] = {
    "string": _text,
    "number": _number,
    "integer": _number,
    "boolean": _flag,
    "array": _list,
    "object": _object,
    "null": _null,
}

if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
