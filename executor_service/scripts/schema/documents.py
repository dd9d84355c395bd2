"""JSON Schema (2020-12) of a script, a technique file and global.yaml, for editors.

It is made from the models of the language and accepts what the loader accepts, except for what
`BEYOND` names.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from enum import StrEnum
from types import MappingProxyType

from executor_service.scripts.model.actions import SkillInput, SkillOutput
from executor_service.scripts.model.exits import (
    CustomCondition,
    ExitCriteria,
    ExitPolicyKeys,
    FormCriteria,
)
from executor_service.scripts.model.fields import Form, FormField, Output
from executor_service.scripts.model.kinds import variable_schema
from executor_service.scripts.model.mapping import shape_of
from executor_service.scripts.model.rules import CheckRule
from executor_service.scripts.model.script import GlobalsFile, Phase, ScriptFile, Technique, Topic
from executor_service.scripts.model.settings import Declaration, MonitorRule
from executor_service.scripts.schema.action_schema import action_definitions
from executor_service.scripts.schema.mapping_schema import Schema, mapping_schema
from heartrule.domain.variables import VariableScope

BEYOND = frozenset(
    {
        CheckRule.DUPLICATE_NAME,
        CheckRule.TYPE_CONFLICT,
        CheckRule.UNKNOWN_OUTPUT,
        CheckRule.UNKNOWN_SKILL,
        CheckRule.SKILL_NESTING,
        CheckRule.SKILL_INTERFACE,
        CheckRule.UNKNOWN_SCHEME,
        CheckRule.MISSING_FILE,
        CheckRule.NEEDS_ASSESSMENT,
        CheckRule.NO_EXIT,
        CheckRule.BAD_BOUNDS,
        CheckRule.BAD_CONDITION,
        CheckRule.TOO_LARGE,
        CheckRule.UNSAFE_NUMBER,
    }
)
"""Errors a schema cannot see: they compare places, files or amounts.

Nor can it distinguish 3.0 from 3, count the days of a month, or know the letters of rare scripts;
and it accepts no white space around `action_type` and a picture's address.
"""
_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_DEFINED = (
    *(Topic, Phase, Declaration, ExitPolicyKeys, MonitorRule, ExitCriteria, FormCriteria),
    *(CustomCondition, Output, Form, FormField, SkillInput, SkillOutput),
)
"""The mappings that have a definition, besides actions."""


class SchemaOf(StrEnum):
    """The files that have a schema."""

    SCRIPT = "script"
    TECHNIQUE = "technique"
    GLOBAL = "global"


def make_schema(kind: SchemaOf) -> Schema:
    """Return the schema of one kind of file."""
    return {"$schema": _DIALECT, "title": _TITLES[kind], **_MAKERS[kind]()}


def schema_text(kind: SchemaOf) -> str:
    """Return the schema as it is shipped: readable JSON that ends with a line feed."""
    return json.dumps(make_schema(kind), ensure_ascii=False, indent=1) + "\n"


def file_name(kind: SchemaOf) -> str:
    """Return the name of the shipped file."""
    return f"{kind.value}.schema.json"


def _script() -> Schema:
    names: dict[str, Schema] = {
        "variable": variable_schema(),
        "free_variable": variable_schema(free=True),
    }
    made = {shape_of(model).definition: mapping_schema(model) for model in _DEFINED}
    return {**mapping_schema(ScriptFile), "$defs": {**made, **action_definitions(), **names}}


def _technique() -> Schema:
    """Return the schema of a technique, whose topic is a script's that keeps its variables."""
    inside: Schema = {"properties": {"declare": _declared_only(VariableScope.TOPIC)}}
    root = mapping_schema(Technique, rules=[{"properties": {"topic": inside}}])
    return _from_script(root)


def _global() -> Schema:
    only: Schema = {"properties": {"global": _declared_only(VariableScope.GLOBAL)}}
    return _from_script(mapping_schema(GlobalsFile, rules=[only]))


def _declared_only(scope: VariableScope) -> Schema:
    """Return the rule that declarations have a scope, or name none."""
    only: Schema = {"properties": {"scope": {"enum": [scope.value, None]}}}
    return {"items": only}


def _from_script(part: Schema) -> Schema:
    """Return a schema whose definitions are those of the script's, in the file beside it."""
    text = json.dumps(part, ensure_ascii=False)
    beside = text.replace('"#/$defs/', f'"{file_name(SchemaOf.SCRIPT)}#/$defs/')
    found: Schema = json.loads(beside)
    return found


_TITLES = MappingProxyType(
    {
        SchemaOf.SCRIPT: "HeartRule script",
        SchemaOf.TECHNIQUE: "HeartRule technique",
        SchemaOf.GLOBAL: "HeartRule global.yaml",
    }
)
_MAKERS: Mapping[SchemaOf, Callable[[], Schema]] = MappingProxyType(
    {
        SchemaOf.SCRIPT: _script,
        SchemaOf.TECHNIQUE: _technique,
        SchemaOf.GLOBAL: _global,
    }
)
