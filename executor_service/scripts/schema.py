"""JSON Schema (2020-12) of a script, a technique file and global.yaml, for editors.

It is made from the loader's own tables and accepts what the loader accepts, except for what
`BEYOND` names.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from enum import StrEnum
from types import MappingProxyType

from executor_service.scripts import schema_parts as parts
from executor_service.scripts import schema_words as say
from executor_service.scripts.keys import CRITERIA, GLOBALS, PHASE, ROOT, SESSION, TECHNIQUE, TOPIC
from executor_service.scripts.model import OnError
from executor_service.scripts.rules import Rule
from executor_service.scripts.schema_actions import action_definitions
from executor_service.scripts.schema_values import (
    Schema,
    free_variable,
    identifier,
    integer,
    items,
    ref,
    text,
    variable,
    words,
)
from heartrule.domain.orchestration import DEFAULT_EDIT_BUDGET
from heartrule.domain.variables import VariableScope

BEYOND = frozenset(
    {
        Rule.DUPLICATE_NAME,
        Rule.TYPE_CONFLICT,
        Rule.UNKNOWN_OUTPUT,
        Rule.UNKNOWN_SKILL,
        Rule.SKILL_NESTING,
        Rule.SKILL_INTERFACE,
        Rule.UNKNOWN_SCHEME,
        Rule.MISSING_FILE,
        Rule.NEEDS_ASSESSMENT,
        Rule.NO_EXIT,
        Rule.BAD_BOUNDS,
        Rule.BAD_CONDITION,
        Rule.TOO_LARGE,
        Rule.UNSAFE_NUMBER,
    }
)
"""Errors a schema cannot see: they compare places, files or amounts.

Besides it cannot tell 3.0 from 3, which days a month has, and which signs of rare scripts are
letters; and it wants `action_type` and a picture's address without white space around them.
"""
_DIALECT = "https://json-schema.org/draft/2020-12/schema"


class SchemaOf(StrEnum):
    """The files that have a schema."""

    SCRIPT = "script"
    TECHNIQUE = "technique"
    GLOBAL = "global"


def make_schema(kind: SchemaOf) -> Schema:
    """Return the schema of one kind of file."""
    return _MAKERS[kind]()


def schema_text(kind: SchemaOf) -> str:
    """Return the schema as it is shipped: readable JSON that ends with a line feed."""
    return json.dumps(make_schema(kind), ensure_ascii=False, indent=1) + "\n"


def file_name(kind: SchemaOf) -> str:
    """Return the name of the shipped file."""
    return f"{kind.value}.schema.json"


def _script() -> Schema:
    values: dict[str, Schema] = {"metadata": {"type": ["object", "null"]}, "session": _session()}
    root = parts.mapping(ROOT, values, say.SCRIPT, required=("session",))
    everywhere = tuple(VariableScope)
    return _document(
        "HeartRule script", root, {"topic": _topic(), "phase": _phase(), **_shared(everywhere)}
    )


def _technique() -> Schema:
    values: dict[str, Schema] = {
        "technique_id": identifier(bare=True),
        "technique_name": text(),
        "input_parameters": items(parts.input_parameter()),
        "output_variables": items(variable(blank=True)),
        "topic": ref("topic"),
    }
    needed = ("technique_id", "topic")
    root = parts.mapping(TECHNIQUE, values, say.TECHNIQUE, required=needed)
    own = (VariableScope.TOPIC,)  # a technique keeps its variables to itself
    return _document("HeartRule technique", root, {"topic": _topic(), **_shared(own)})


def _global() -> Schema:
    declared = items(parts.declaration((VariableScope.GLOBAL,)))
    root = parts.mapping(GLOBALS, {"global": declared}, say.SCRIPT)
    return _document("HeartRule global.yaml", root, {"variable": variable()})


_MAKERS: Mapping[SchemaOf, Callable[[], Schema]] = MappingProxyType(
    {
        SchemaOf.SCRIPT: _script,
        SchemaOf.TECHNIQUE: _technique,
        SchemaOf.GLOBAL: _global,
    }
)


def _document(title: str, root: Schema, definitions: Mapping[str, Schema]) -> Schema:
    found: Schema = {"$schema": _DIALECT, "title": title, **root}
    return {**found, "$defs": definitions}


def _shared(scopes: tuple[VariableScope, ...]) -> dict[str, Schema]:
    criteria = {f"exit_criteria_{kind.value}": parts.exit_criteria(kind) for kind in CRITERIA}
    return {
        **action_definitions(),
        "variable": variable(),
        "free_variable": free_variable(),
        "declaration": parts.declaration(scopes),
        "on_error": words(OnError, says=say.NOTHING),
        "exit_policy": parts.exit_policy(),
        "monitor": parts.monitor(),
        **criteria,
        "custom_condition": parts.custom_condition(),
        "output": parts.output(),
        "form": parts.form(),
        "form_field": parts.form_field(),
        "skill_input": parts.skill_input(),
        "skill_output": parts.skill_output(),
    }


def _session() -> Schema:
    values: dict[str, Schema] = {
        "session_id": identifier(),
        "session_name": text(),
        "description": text(),
        "template_scheme": identifier(required=False),
        "roles": items(parts.role()),
        "strategy_engine": parts.switch(),
        "monitor": ref("monitor"),
        "input": parts.session_input(),
        "declare": items(ref("declaration")),
        "phases": items(ref("phase"), least=1),
    }
    return parts.mapping(SESSION, values, say.SESSION, required=("session_id", "phases"))


def _phase() -> Schema:
    values: dict[str, Schema] = {
        "phase_id": identifier(),
        "phase_name": text(),
        "phase_goal": text(),
        "description": text(),
        "entry_condition": text(),
        "on_error": ref("on_error"),
        "declare": items(ref("declaration")),
        "topics": items(ref("topic"), least=1),
    }
    rules = (parts.on_error_needs("entry_condition"),)
    return parts.mapping(PHASE, values, say.PHASE, required=("phase_id", "topics"), rules=rules)


def _topic() -> Schema:
    values: dict[str, Schema] = {
        "topic_id": identifier(),
        "topic_name": text(),
        "topic_goal": text(),
        "description": text(),
        "strategy": parts.strategy(),
        "monitor": ref("monitor"),
        "edit_budget": integer(least=0, default=DEFAULT_EDIT_BUDGET),
        "declare": items(ref("declaration")),
        "actions": items(ref("action"), least=1),
    }
    return parts.mapping(TOPIC, values, say.TOPIC, required=("topic_id", "actions"))
