"""JSON Schema (2020-12) of a script, a technique file, global.yaml and an agent, for editors.

It is made from the models of the language and accepts what the loader accepts, except for what
`BEYOND` names.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from types import MappingProxyType

from executor_service.scripts.model import fields
from executor_service.scripts.model.actions import (
    CONFIGS,
    EXTRACTION_PROMPT,
    INTERACTIVE,
    ActionType,
)
from executor_service.scripts.model.exits import (
    AgentCriteria,
    CustomCondition,
    ExitCriteria,
    ExitPolicyKeys,
    FormCriteria,
    SayCriteria,
)
from executor_service.scripts.model.kinds import variable_schema
from executor_service.scripts.model.mapping import Shape, keys_of, shape_of
from executor_service.scripts.model.rules import CheckRule
from executor_service.scripts.model.script import (
    Action,
    GlobalsFile,
    Phase,
    ScriptFile,
    Technique,
    Topic,
)
from executor_service.scripts.model.settings import Declaration, MonitorRule
from executor_service.scripts.schema.agent_document import agent_schema
from executor_service.scripts.schema.mapping_schema import (
    NAMES,
    Schema,
    has,
    mapping_schema,
    on_error_needs,
    ref,
    value_schema,
    when,
    words_of,
)
from heartrule.domain.json_value import JsonValue
from heartrule.domain.variables import VariableScope

BEYOND = frozenset(
    {
        CheckRule.DUPLICATE_NAME,
        CheckRule.CONFLICTING_NAMES,
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
        *(CheckRule.UNKNOWN_PHASE, CheckRule.UNREACHABLE, CheckRule.NEVER_ENDS),
        *(CheckRule.UNKNOWN_AGENT, CheckRule.AGENT_NESTING, CheckRule.AGENT_INTERFACE),
        CheckRule.WRONG_ORDER,
    }
)
"""Errors a schema cannot see: they compare places, files or amounts.

Nor can it distinguish 3.0 from 3, count the days of a month, or know the letters of rare scripts;
and it accepts no white space around `action_type` and a picture's address.
"""
_EXTRACTION = "旧写法：与 target_variable 并用。Older: stood beside target_variable."
_OUTPUT = "output"
# A config needs one of these keys, and none of them is required by itself.
_ONE_OF: Mapping[ActionType, tuple[str, ...]] = MappingProxyType(
    {
        ActionType.AI_ASK: ("content", "brief"),
        **dict.fromkeys((ActionType.AI_SAY, ActionType.AI_THINK), ("content", "goal")),
    }
)
# Editors accept the name, and do not offer it.
_OLD: Schema = {"deprecated": True, "doNotSuggest": True}
_NOT_EMPTY: Schema = {"not": {"type": "null"}, "doNotSuggest": True}
_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_DEFINED = (
    *(Topic, Phase, Declaration, ExitPolicyKeys, MonitorRule, ExitCriteria, FormCriteria),
    *(SayCriteria, AgentCriteria, CustomCondition, fields.Output, fields.Collect),
    *(fields.RecordField, fields.Form, fields.FormField, fields.SkillInput, fields.SkillOutput),
)
"""The mappings that have a definition, besides actions."""


class SchemaOf(StrEnum):
    """The files that have a schema."""

    SCRIPT = "script"
    TECHNIQUE = "technique"
    GLOBAL = "global"
    AGENT = "agent"


def make_schema(kind: SchemaOf) -> Schema:
    """Return the schema of one kind of file."""
    title, made = _MADE[kind]
    return {"$schema": _DIALECT, "title": title, **made()}


def schema_text(kind: SchemaOf) -> str:
    """Return the schema as it is shipped: readable JSON that ends with a line feed."""
    return json.dumps(make_schema(kind), ensure_ascii=False, indent=1) + "\n"


def file_name(kind: SchemaOf) -> str:
    """Return the name of the shipped file."""
    return f"{kind.value}.schema.json"


def _script() -> Schema:
    made = {shape_of(model).definition: mapping_schema(model) for model in _DEFINED}
    return {**mapping_schema(ScriptFile), "$defs": {**made, **_action_definitions(), **NAMES}}


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
    return {"items": {"properties": {"scope": {"enum": [scope.value, None]}}}}


def _from_script(part: Schema) -> Schema:
    """Return a schema whose definitions are those of the script's, in the file beside it."""
    text = json.dumps(part, ensure_ascii=False)
    beside = text.replace('"#/$defs/', f'"{file_name(SchemaOf.SCRIPT)}#/$defs/')
    return dict(json.loads(beside))


_MADE: Mapping[SchemaOf, tuple[str, Callable[[], Schema]]] = MappingProxyType(
    {
        SchemaOf.SCRIPT: ("HeartRule script", _script),
        SchemaOf.TECHNIQUE: ("HeartRule technique", _technique),
        SchemaOf.GLOBAL: ("HeartRule global.yaml", _global),
        SchemaOf.AGENT: ("HeartRule agent", agent_schema),
    }
)
"""The title of each schema, and what makes it."""


def _action_definitions() -> dict[str, Schema]:
    """Return the action, and one definition for each action type."""
    kinds = list(ActionType)
    keys = {_key(kind, key): value for kind in kinds for key, value in _config(kind)}
    by_kind = {f"action_{kind.value}": _of_kind(kind) for kind in kinds}
    chosen = [
        when(has("action_type", {"const": kind.value}), ref(f"action_{kind.value}"))
        for kind in kinds
    ]
    action: Schema = {
        "type": "object",
        "properties": {
            key.name: {
                "description": key.help,
                **(value_schema(key) if key.core is ActionType else {}),
            }
            for key in keys_of(Action)
        },
        "required": ["action_type", "action_id"],
        "allOf": chosen,
    }
    return {"action": action, **by_kind, **keys, "older_output": _older_output()}


def _of_kind(kind: ActionType) -> Schema:
    shape = shape_of(CONFIGS[kind])
    config: dict[str, JsonValue] = {key: ref(_key(kind, key)) for key in shape.keys}
    config |= {key: {**ref(_key(kind, key)), **_OLD} for key in shape.older}
    own: dict[str, JsonValue] = {
        key.name: {"description": key.help, **value_schema(key)}
        for key in keys_of(Action)
        if not key.by_hand or key.core is str
    }
    own["action_type"] = {"description": _HELP["action_type"], "const": kind.value}
    own["config"] = {"description": _HELP["config"], **_inside(config, shape)}
    if kind not in INTERACTIVE:
        own["exit_policy"] = {"description": _HELP["exit_policy"], "type": "null"}
    return {
        "description": words_of(ActionType)[kind.value],
        "properties": {**own, **config},
        "additionalProperties": False,
        "allOf": [
            on_error_needs("condition"),
            *_once(shape),
            *_once_in_all(shape),
            *_needed(kind, shape),
        ],
    }


_HELP = MappingProxyType({key.name: key.help for key in keys_of(Action)})


def _key(kind: ActionType, key: str) -> str:
    return f"{kind.value}_{key}"


def _inside(values: Mapping[str, JsonValue], shape: Shape) -> Schema:
    found: Schema = {
        "type": ["object", "null"],
        "properties": values,
        "additionalProperties": False,
    }
    once = list(_once(shape))
    return {**found, "allOf": once} if once else found


def _config(kind: ActionType) -> Iterator[tuple[str, Schema]]:
    """Yield the keys of a config with their values; older names last."""
    values = {key.name: value_schema(key) for key in keys_of(CONFIGS[kind])}
    for key in keys_of(CONFIGS[kind]):
        yield key.name, {"description": key.help, **values[key.name]}
    for name, new in shape_of(CONFIGS[kind]).older.items():
        advice = f"旧名称，请写 {new}。An older name; write `{new}`."
        if name == EXTRACTION_PROMPT:
            older: Schema = {"description": f"{_EXTRACTION}{advice}", **_OLD, "type": "string"}
        else:
            value = ref("older_output") if new == _OUTPUT else values[new]
            older = {"description": advice, **_OLD, **value}
        yield name, older


def _older_output() -> Schema:
    one: list[Schema] = [variable_schema(blank=True, free=True), ref("output")]
    return {"anyOf": [*one, {"type": "array", "items": {"anyOf": one}}]}


def _rivals(key: str, shape: Shape) -> tuple[str, ...]:
    """Return the other names of the same thing, which may not stand beside `key`."""
    new = shape.older.get(key, key)
    older = [name for name, meant in shape.older.items() if meant == new]
    return tuple(older) if key == new else (new,)  # two older names may say the same


def _once(shape: Shape) -> Iterator[Schema]:
    """Yield the rules against two names of one thing in a mapping."""
    for key in shape.keys:
        if rivals := _rivals(key, shape):
            yield when(has(key), _no(rivals))


def _once_in_all(shape: Shape) -> Iterator[Schema]:
    """Yield the rules that a key in `config` is not beside it too."""
    for key in (*shape.keys, *shape.older):
        yield when(has("config", has(key)), _no((key, *_rivals(key, shape))))


def _no(keys: Iterable[str]) -> Schema:
    return {"properties": dict.fromkeys(keys, False)}


def _anywhere(keys: Iterable[str], value: Schema) -> Schema:
    """Return the condition that `config`, or the action itself, has one of the keys."""
    there: list[Schema] = [
        {"required": [key], **({"properties": {key: value}} if value else {})} for key in keys
    ]
    return {"anyOf": [*there, has("config", {"type": "object", "anyOf": there})]}


def _needed(kind: ActionType, shape: Shape) -> Iterator[Schema]:
    needed = _ONE_OF.get(kind) or [key.name for key in keys_of(CONFIGS[kind]) if key.required]
    names = [*needed, *(name for name, new in shape.older.items() if new in needed)]
    yield _anywhere(names, _NOT_EMPTY)
    if EXTRACTION_PROMPT in shape.older:
        targets = [name for name, new in shape.older.items() if new == _OUTPUT]
        targets.remove(EXTRACTION_PROMPT)
        yield when(_anywhere([EXTRACTION_PROMPT], {}), _anywhere(targets, {}))
