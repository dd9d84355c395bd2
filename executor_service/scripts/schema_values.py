"""Pieces of JSON Schema for single values: texts, names, words, numbers.

What an author may leave out may also stand there empty, as null; a required value may not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from executor_service.scripts.keys import CONTROL_FIELDS
from executor_service.scripts.section import MAX_NAME
from heartrule.domain.json_value import JsonValue

Schema: TypeAlias = "dict[str, JsonValue]"
"""A schema, or part of one."""

_NO_SIGN = (
    r"\u0000-\u002f\u003a-\u0040\u005b-\u005e\u0060\u007b-\u00a9\u00ab-\u00b1\u00b4\u00b6-\u00b8"
    r"\u00bb\u00bf\u00d7\u00f7\u2000-\u206f\u3000-\u3004\u3008-\u3020"
    r"\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
)
"""Signs no name of a variable holds: spaces and punctuation, Chinese too."""
_NAME = rf"[^{_NO_SIGN}0-9\uff10-\uff19][^{_NO_SIGN}]{{0,{MAX_NAME - 1}}}"
_ID = rf"[A-Za-z0-9_-]{{1,{MAX_NAME}}}"
_NOT_NULL = ("string", "number", "boolean", "array", "object")
DATE_PATTERN = r"[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])"


def text() -> Schema:
    """Return any text, or nothing."""
    return {"type": ["string", "null"]}


def full_text() -> Schema:
    """Return a text that says something."""
    return {
        "type": "string",
        "pattern": r"\S",
        "patternErrorMessage": "这里要写文字。Write some text here.",
    }


def identifier(*, required: bool = True, bare: bool = False) -> Schema:
    """Return an id; `bare` allows no white space around it."""
    around, least = ("" if bare else r"\s*"), ("" if required else "?")
    return {
        "type": "string" if required else ["string", "null"],
        "pattern": f"^{around}(?:{_ID}){least}{around}$",
        "patternErrorMessage": f"最多 {MAX_NAME} 个字母、数字、_ 或 -。"
        f"At most {MAX_NAME} letters, digits, _ and -.",
    }


def variable(*, blank: bool = False) -> Schema:
    """Return the name of a variable; `blank` lets an empty text pass."""
    return {
        "type": "string",
        "pattern": rf"^\s*(?:{_NAME}){'?' if blank else ''}\s*$",
        "patternErrorMessage": "变量名由字母、汉字、数字和 _ 组成，不以数字开头。"
        "Letters, Chinese characters, digits and _, no digit first.",
    }


def free_variable(*, blank: bool = False) -> Schema:
    """Return the name of a variable that an action may set: no field of the model's reply."""
    spelled = "|".join(_any_case(name) for name in sorted(CONTROL_FIELDS))
    free: Schema = {
        "pattern": rf"^(?!\s*(?:{spelled})\s*$)",
        "patternErrorMessage": "模型的回复里已有这个字段，请换一个名字。"
        "A field of the model's own reply; choose another name.",
    }
    return {**variable(blank=blank), "allOf": [free]}


def words(known: Iterable[str], *, required: bool = False, says: Mapping[str, str]) -> Schema:
    """Return one of some words, each with what it `says` to an author."""
    named = list(known)
    found: Schema = {"enum": [*named, *(() if required else (None,))]}
    told = [says.get(word, "") for word in named]
    if any(told):
        found["markdownEnumDescriptions"] = [*told, *(() if required else ("",))]
    return found


def boolean(*, default: bool) -> Schema:
    """Return true, false or nothing."""
    return {"type": ["boolean", "null"], "default": default}


def integer(*, least: int, most: int | None = None, default: int | None = None) -> Schema:
    """Return a whole number within its bounds, or nothing."""
    found: Schema = {"type": ["integer", "null"], "minimum": least}
    if most is not None:
        found["maximum"] = most
    if default is not None:
        found["default"] = default
    return found


def items(of: Schema, *, least: int = 0, most: int | None = None) -> Schema:
    """Return a list; one that must have items must be there too."""
    found: Schema = {"type": "array" if least else ["array", "null"], "items": of}
    if least:
        found["minItems"] = least
    if most is not None:
        found["maxItems"] = most
    return found


def ref(name: str) -> Schema:
    """Return what stands under `name` in the definitions."""
    return {"$ref": f"#/$defs/{name}"}


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


def _any_case(word: str) -> str:
    return "".join(f"[{sign.upper()}{sign}]" if sign.isalpha() else sign for sign in word)
