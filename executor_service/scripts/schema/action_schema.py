"""JSON Schema of an action: one shape by `action_type`, its config inside `config` or beside it.

Nothing newer than `if` and `then` is used, so that editors of some years ago understand it too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, fields
from types import MappingProxyType

from executor_service.scripts.model.actions import (
    CONFIGS,
    EXTRACTION_PROMPT,
    INTERACTIVE,
    ActionType,
)
from executor_service.scripts.model.kinds import variable_schema
from executor_service.scripts.model.mapping import Shape, keys_of, shape_of
from executor_service.scripts.model.script import Action
from executor_service.scripts.schema.mapping_schema import (
    Schema,
    has,
    on_error_needs,
    ref,
    value_schema,
    when,
    words_of,
)
from heartrule.domain.json_value import JsonValue

_EXTRACTION = "旧写法：与 target_variable 并用。Older: stood beside target_variable."
_OUTPUT = "output"
_ONE_OF: Mapping[ActionType, tuple[str, ...]] = MappingProxyType(
    dict.fromkeys((ActionType.AI_SAY, ActionType.AI_THINK), ("content", "goal"))
)
"""The keys of which a config must have one, where none of them is required by itself."""
_OLD: Schema = {"deprecated": True, "doNotSuggest": True}
"""Editors know the name, and do not offer it."""
_NOT_EMPTY: Schema = {"not": {"type": "null"}, "doNotSuggest": True}


def action_definitions() -> dict[str, Schema]:
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
    shape, values = shape_of(CONFIGS[kind]), dict[str, Schema]()
    for key in keys_of(CONFIGS[kind]):
        values[key.name] = value_schema(key)
        yield key.name, {"description": key.help, **values[key.name]}
    for name, new in shape.older.items():
        advice = f"旧名称，请写 {new}。An older name; write `{new}`."
        older: Schema = {"description": advice, **_OLD}
        if name == EXTRACTION_PROMPT:
            older |= {"description": f"{_EXTRACTION}{advice}", "type": "string"}
        else:
            older |= ref("older_output") if new == _OUTPUT else values[new]
        yield name, older


def _older_output() -> Schema:
    one: list[Schema] = [variable_schema(blank=True, free=True), ref("output")]
    return {"anyOf": [*one, {"type": "array", "items": {"anyOf": one}}]}


def _rivals(key: str, shape: Shape) -> tuple[str, ...]:
    """Return the other names of the same thing, which may not stand beside `key`."""
    new = shape.older.get(key, key)
    older = [name for name, meant in shape.older.items() if meant == new]
    if new == _OUTPUT:  # several older names may each bring an output
        return tuple(older) if key == _OUTPUT else (_OUTPUT,)
    return tuple(name for name in (new, *older) if name != key)


def _groups(shape: Shape) -> Iterator[tuple[str, tuple[str, ...]]]:
    for key in (*shape.keys, *shape.older):
        yield key, _rivals(key, shape)


def _once(shape: Shape) -> Iterator[Schema]:
    """Yield the rules against two names of one thing in a mapping."""
    for key, rivals in _groups(shape):
        if rivals and key in shape.keys:
            yield when(has(key), _no(rivals))
    texts = [new for new in shape.keys if new != _OUTPUT]
    for new in texts:
        older = [name for name, meant in shape.older.items() if meant == new]
        for index, key in enumerate(older[:-1]):
            yield when(has(key), _no(older[index + 1 :]))


def _once_in_all(shape: Shape) -> Iterator[Schema]:
    """Yield the rules that what stands in `config` does not stand beside it."""
    for key, rivals in _groups(shape):
        yield when(has("config", has(key)), _no((key, *rivals)))


def _no(keys: Iterable[str]) -> Schema:
    return {"properties": dict.fromkeys(keys, False)}


def _anywhere(keys: Iterable[str], value: Schema) -> Schema:
    """Return the condition that one of the keys stands in `config` or beside it."""
    there: list[Schema] = [
        {"required": [key], **({"properties": {key: value}} if value else {})} for key in keys
    ]
    return {"anyOf": [*there, has("config", {"type": "object", "anyOf": there})]}


def _needed(kind: ActionType, shape: Shape) -> Iterator[Schema]:
    needed = _ONE_OF.get(kind) or _required(kind)
    names = [*needed, *(name for name, new in shape.older.items() if new in needed)]
    yield _anywhere(names, _NOT_EMPTY)
    if EXTRACTION_PROMPT in shape.older:
        targets = [name for name, new in shape.older.items() if new == _OUTPUT]
        targets.remove(EXTRACTION_PROMPT)
        yield when(_anywhere([EXTRACTION_PROMPT], {}), _anywhere(targets, {}))


def _required(kind: ActionType) -> tuple[str, ...]:
    """Return the keys of a config's model that have no default."""
    return tuple(
        each.name
        for each in fields(CONFIGS[kind])
        if each.default is MISSING and each.default_factory is MISSING
    )
