"""A form as a JSON Schema of an object, which a front end can render."""

from __future__ import annotations

from collections.abc import Callable

from executor_service.forms.progress import FormProgress
from executor_service.forms.wording import FormWording, label_of, takes
from executor_service.scripts.model.fields import FieldType, FormField
from heartrule.domain.json_value import JsonValue

_TYPES = {
    FieldType.TEXT: "string",
    FieldType.NUMBER: "number",
    FieldType.INTEGER: "integer",
    FieldType.BOOLEAN: "boolean",
    FieldType.CHOICE: "string",
    FieldType.SCALE: "integer",
    FieldType.DATE: "string",
}


def form_schema(
    wording: FormWording, progress: FormProgress, value_of: Callable[[str], JsonValue]
) -> dict[str, JsonValue]:
    """Return the schema of a form, with what is filled in already and what is wrong.

    `x-order` is the order of the fields, which an object does not keep; `x-type` is the field's
    own type; `x-error` is there where the last answer does not fit, and names what would.
    """
    config = wording.config
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "title": config.title,
        "properties": {
            each.name: _property(wording, each, progress, value_of) for each in config.fields
        },
        "required": [each.name for each in config.fields if each.required],
        "additionalProperties": False,
        "x-order": [each.name for each in config.fields],
    }


def _property(
    wording: FormWording,
    each: FormField,
    progress: FormProgress,
    value_of: Callable[[str], JsonValue],
) -> dict[str, JsonValue]:
    described: dict[str, JsonValue] = {
        "type": _TYPES[each.type],
        "title": label_of(each),
        "x-type": each.type.value,
        **_limits(each),
    }
    if each.name in progress.filled:
        described["default"] = value_of(each.name)
    if each.name in progress.wrong:
        described["x-error"] = takes(each, chinese=wording.chinese)
    return described


def _limits(each: FormField) -> dict[str, JsonValue]:
    limits: dict[str, JsonValue] = {}
    if each.min is not None:
        limits["minimum"] = _plain(each.min)
    if each.max is not None:
        limits["maximum"] = _plain(each.max)
    if each.type is FieldType.DATE:
        limits["format"] = "date"
    if each.type is FieldType.CHOICE:
        limits["enum"] = list(each.options)
    if each.type is FieldType.SCALE and each.options:
        first = int(each.min or 0)
        limits["oneOf"] = [
            {"const": step, "title": word} for step, word in enumerate(each.options, start=first)
        ]
    return limits


def _plain(bound: float) -> int | float:
    return int(bound) if float(bound).is_integer() else bound
