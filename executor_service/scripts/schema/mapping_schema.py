"""The JSON Schema of a mapping, made from the model that states it, and its rules between keys."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from types import MappingProxyType
from typing import TypeAlias, get_args

from annotated_types import MaxLen, MinLen

from executor_service.scripts.checking.exit_checks import ORDERED
from executor_service.scripts.checking.output_checks import BOUNDED
from executor_service.scripts.model.agent_file import PhaseFeedback
from executor_service.scripts.model.exits import (
    AgentCriteria,
    CustomCondition,
    ExitCriteria,
    ExitPolicyKeys,
    FormCriteria,
    SayCriteria,
)
from executor_service.scripts.model.fields import FieldType, FormField, Output, RecordField
from executor_service.scripts.model.kinds import variable_schema
from executor_service.scripts.model.mapping import (
    AsWritten,
    AtLeastOne,
    Defined,
    Inferred,
    Key,
    OneOf,
    is_mapping,
    keys_of,
    shape_of,
)
from executor_service.scripts.model.script import Phase
from executor_service.scripts.model.settings import (
    Cadence,
    Declaration,
    MonitorRule,
    SafetyMode,
    SafetySettings,
)
from executor_service.scripts.model.texts import help_texts
from heartrule.domain.json_value import JsonValue
from heartrule.domain.output_type import OutputType

Schema: TypeAlias = "dict[str, JsonValue]"
"""A schema, or part of one."""
NAMES: Mapping[str, Schema] = MappingProxyType(
    {"variable": variable_schema(), "free_variable": variable_schema(free=True)}
)
"""The definitions of names, which any schema may refer to."""
_NOT_NULL = ("string", "number", "boolean", "array", "object")
_DATE = r"[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])"
_NUMBER = r"[+-]?[0-9]+(?:\.[0-9]+)?"


def words_of(kind: type[Enum]) -> Mapping[str, str]:
    """Return what an editor shows beside the words of an enumeration, in their order."""
    return help_texts().get(kind.__name__, {})


def mapping_schema(model: type, *, rules: Iterable[Schema] = ()) -> Schema:
    """Return the schema of a mapping: its keys, and the rules between them."""
    keys = keys_of(model)
    found: Schema = {
        "type": "object",
        "properties": {key.name: {"description": key.help, **value_schema(key)} for key in keys},
        "additionalProperties": False,
    }
    if required := [key.name for key in keys if key.required]:
        found["required"] = required
    if allof := [*_RULES.get(model, ()), *rules]:
        found["allOf"] = allof
    return optional(found) if model in _MAY_BE_EMPTY else found


# Only optional keys refer to these definitions, and a reference cannot be widened by null.
_MAY_BE_EMPTY = frozenset(
    {
        *(MonitorRule, ExitPolicyKeys, ExitCriteria, FormCriteria, SayCriteria, AgentCriteria),
        PhaseFeedback,
    }
)


def value_schema(key: Key) -> Schema:
    """Return the schema of the value of a key."""
    one = _one(key)
    if key.item is not None:
        one = _list(key, one)
    elif not key.required and "$ref" not in one:
        one = optional(one)
    if _has_default(key):
        one["default"] = key.default
    return one


def _has_default(key: Key) -> bool:
    """Return whether the schema names the value that counts where the key is absent."""
    if key.default is None or key.mark(Inferred) is not None or not isinstance(key.core, type):
        return False
    is_switch = key.core is bool and key.mark(AsWritten) is not None
    return issubclass(key.core, bool | int | Enum) and not is_switch


def _list(key: Key, of: Schema) -> Schema:
    least, most = key.mark(MinLen), key.mark(MaxLen)
    found: Schema = {"type": "array" if key.required else ["array", "null"], "items": of}
    if least is not None or key.mark(AtLeastOne) is not None:
        found["minItems"] = 1
    if most is not None:
        found["maxItems"] = most.max_length
    if (one_of := key.mark(OneOf)) is not None:
        found["contains"] = {"enum": sorted(one_of.words)}
    return found


def _one(key: Key) -> Schema:
    """Return the schema of the value, or of one item of a list."""
    if key.part is not None:
        name = shape_of(key.part).definition
        return ref(name) if name else mapping_schema(key.part)
    inner = next((each for each in get_args(key.core) if is_mapping(each)), None)
    if inner is not None:  # a text, or a mapping
        return {**mapping_schema(inner), "type": ["string", "object"]}
    defined = key.mark(Defined)
    if defined is not None:
        return ref(defined.name)
    made: Schema = dict(key.adapter().json_schema())
    made.pop("title", None)
    if isinstance(key.core, type) and issubclass(key.core, Enum):
        made.pop("type", None)
        made.pop("description", None)
        if shown := words_of(key.core):
            made["markdownEnumDescriptions"] = list(shown.values())
    return made


def optional(part: Schema) -> Schema:
    """Return a value that may also be left empty."""
    found = dict(part)
    kind, words = part.get("type"), part.get("enum")
    if kind is not None:
        found["type"] = [*(kind if isinstance(kind, list) else [kind]), "null"]
    if isinstance(words, list):
        found["enum"] = [*words, None]
    shown = part.get("markdownEnumDescriptions")
    if isinstance(shown, list):
        found["markdownEnumDescriptions"] = [*shown, ""]
    return found


def ref(name: str) -> Schema:
    """Return a reference to the definition of `name`."""
    return {"$ref": f"#/$defs/{name}"}


def when(condition: Schema, then: Schema) -> Schema:
    """Return the rule that `then` must hold where the condition does."""
    return {"if": condition, "then": then}


def unless(condition: Schema, demand: Schema) -> Schema:
    """Return the rule that the demand must hold where the condition does not."""
    return {"if": condition, "else": demand}


def has(key: str, value: JsonValue = True) -> Schema:  # noqa: FBT002  JSON's own true
    """Return the condition that `key` is there, with such a value."""
    found: Schema = {"type": "object", "required": [key]}
    if value is not True:
        found["properties"] = {key: value}
    return found


def one_of(key: str, known: Iterable[str]) -> Schema:
    """Return the condition that `key` has one of some words."""
    return has(key, {"enum": list(known)})


def must(key: str) -> Schema:
    """Return the demand that `key` is there and not empty."""
    return {"required": [key], "properties": {key: {"type": list(_NOT_NULL)}}}


def without(*keys: str) -> Schema:
    """Return the demand that none of the keys has a value."""
    return {"properties": {key: {"type": "null"} for key in keys}}


def on_error_needs(condition: str) -> Schema:
    """Return the rule that `on_error` needs a condition beside it."""
    return when(has("on_error", {"type": "string"}), must(condition))


def _some(model: type) -> Schema:
    """Return the rule that at least one key of a mapping has a value."""
    return {"anyOf": [must(key.name) for key in reversed(keys_of(model))]}


def _declared() -> Iterable[Schema]:
    """Yield the rules that a first value has the type of its variable."""
    text: Schema = {"type": ["string", "null"]}
    fits: dict[OutputType, Schema] = {
        OutputType.TEXT: text,
        OutputType.CHOICE: text,
        OutputType.NUMBER: {"type": ["number", "null"]},
        OutputType.INTEGER: {"type": ["integer", "null"]},
        OutputType.BOOLEAN: {"type": ["boolean", "null"]},
        OutputType.DATE: {**text, "pattern": f"^{_DATE}$"},
    }
    for kind in OutputType:
        yield when(one_of("type", [kind]), {"properties": {"value": fits[kind]}})


_SCALE, _CHOICE = [FieldType.SCALE], [FieldType.CHOICE]
_WHOLE: Schema = {"properties": {key: {"type": ["integer", "null"]} for key in ("min", "max")}}
_ORDERED: Schema = {"type": ["string", "number"], "pattern": f"^(?:{_NUMBER}|{_DATE})$"}
_TYPED = [kind for kind in OutputType if kind is not OutputType.CHOICE]

_RULES: Mapping[type, tuple[Schema, ...]] = MappingProxyType(
    {
        Output: (
            when(one_of("type", [OutputType.CHOICE]), must("options")),
            when(one_of("type", _TYPED), without("options")),
        ),
        RecordField: (
            when(one_of("type", [OutputType.CHOICE]), must("options")),
            when(one_of("type", _TYPED), without("options")),
        ),
        Declaration: tuple(_declared()),
        MonitorRule: (when(has("cadence", {"const": Cadence.EVERY_N.value}), must("n")),),
        SafetySettings: (when(one_of("mode", [SafetyMode.OFF]), must("reason")),),
        ExitCriteria: (_some(ExitCriteria),),
        FormCriteria: (_some(FormCriteria),),
        AgentCriteria: (_some(AgentCriteria),),
        SayCriteria: (_some(SayCriteria),),
        CustomCondition: (
            when(one_of("operator", sorted(ORDERED)), {"properties": {"value": _ORDERED}}),
        ),
        FormField: (
            when(one_of("type", _CHOICE), must("options")),
            unless(one_of("type", [*_CHOICE, *_SCALE]), without("options")),
            unless(one_of("type", sorted(BOUNDED)), without("min", "max")),
            when(one_of("type", [FieldType.INTEGER, *_SCALE]), _WHOLE),
            when(one_of("type", _SCALE), {"allOf": [must("min"), must("max")]}),
        ),
        Phase: (on_error_needs("entry_condition"),),
    }
)
"""What holds between the keys of a mapping."""
