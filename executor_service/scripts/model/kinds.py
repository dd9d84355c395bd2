"""The types of single values: texts, names, words and numbers, each with its JSON Schema."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import TYPE_CHECKING, Annotated, Any, LiteralString, TypeAlias

from pydantic import AfterValidator, BeforeValidator, Strict, StringConstraints, WithJsonSchema
from pydantic_core import PydanticCustomError

from executor_service.scripts.model.mapping import (
    AsWritten,
    Defined,
    HasPlaceholders,
    Reads,
    Wanted,
)
from executor_service.scripts.model.wording import quoted
from heartrule.domain.json_value import JsonValue
from heartrule.words.words import Fact, say

MAX_NAME = 128
"""Longest id."""
_VARIABLE = re.compile(r"[^\W\d]\w*")
_REPLY_FIELDS = (
    *("content", "EXIT", "BRIEF", "variables", "metrics", "progress_suggestion"),
    *("assessment", "should_exit", "exit_reason"),
    *("information_completeness", "user_engagement", "emotional_intensity", "reply_relevance"),
    *("understanding_level", "has_questions"),
)
CONTROL_FIELDS = frozenset(name.casefold() for name in _REPLY_FIELDS)
"""Names of the model's own reply fields, case folded; no output has one (RESOLUTIONS C26)."""
# What no name of a variable has: spaces and punctuation, Chinese too. It is written out because
# \w in a pattern of JSON Schema knows ASCII only.
_NO_SIGN = (
    r"\u0000-\u002f\u003a-\u0040\u005b-\u005e\u0060\u007b-\u00a9\u00ab-\u00b1\u00b4\u00b6-\u00b8"
    r"\u00bb\u00bf\u00d7\u00f7\u2000-\u206f\u3000-\u3004\u3008-\u3020"
    r"\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
)
_NAME = rf"[^{_NO_SIGN}0-9\uff10-\uff19][^{_NO_SIGN}]{{0,{MAX_NAME - 1}}}"
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
ID = rf"[A-Za-z0-9_-]{{1,{MAX_NAME}}}"
"""The pattern of an id."""


def is_variable_name(name: str) -> bool:
    """Return whether `name` can stand in a placeholder: an identifier or a name in Chinese."""
    return len(name) <= MAX_NAME and _VARIABLE.fullmatch(name) is not None


def is_id(name: str) -> bool:
    """Return whether `name` can name a part of a script, or a technique."""
    return re.fullmatch(ID, name) is not None


def is_date(text: str) -> bool:
    """Return whether `text` is a day of the calendar, written YYYY-MM-DD."""
    try:
        return _DATE.fullmatch(text) is not None and bool(date.fromisoformat(text))
    except ValueError:
        return False


def refusal(code: LiteralString, **facts: Fact) -> PydanticCustomError:
    """Return the error of a value that breaks the rule named by `code`."""
    return PydanticCustomError(code, code, facts)


def _variable(name: str) -> str:
    if name and not is_variable_name(name):
        raise refusal("bad_name", name=quoted(name))
    return name


def _free(name: str) -> str:
    if name.casefold() in CONTROL_FIELDS:
        raise refusal("reserved_name", name=name)
    return name


def _identifier(name: str) -> str:
    if name and not is_id(name):
        raise refusal("bad_id", name=quoted(name), most=MAX_NAME)
    return name


def _switch(written: object) -> bool:
    if isinstance(written, bool):  # a default, or an attribute that a test sets
        return written
    if written in ("on", "off"):
        return written == "on"
    raise PydanticCustomError("enum", "on or off")


def _option(text: object) -> object:
    if text == "":
        raise refusal("empty_option")
    return text


def _id_schema(*, required: bool, bare: bool = False) -> dict[str, JsonValue]:
    around, least = ("" if bare else r"\s*"), ("" if required else "?")
    return {
        "type": "string",
        "pattern": f"^{around}(?:{ID}){least}{around}$",
        "patternErrorMessage": f"最多 {MAX_NAME} 个字母、数字、_ 或 -。"
        f"At most {MAX_NAME} letters, digits, _ and -.",
    }


def variable_schema(*, blank: bool = False, free: bool = False) -> dict[str, JsonValue]:
    """Return the schema of a variable's name.

    Args:
        blank: An empty text passes.
        free: No field of the model's reply may have it.
    """
    named: dict[str, JsonValue] = {
        "type": "string",
        "pattern": rf"^\s*(?:{_NAME}){'?' if blank else ''}\s*$",
        "patternErrorMessage": "变量名由字母、汉字、数字和 _ 组成，不以数字开头。"
        "Letters, Chinese characters, digits and _, no digit first.",
    }
    if not free:
        return named
    spelled = "|".join(_any_case(name) for name in sorted(CONTROL_FIELDS))
    unreserved: JsonValue = {
        "pattern": rf"^(?!\s*(?:{spelled})\s*$)",
        "patternErrorMessage": "模型的回复里已有这个字段，请换一个名字。"
        "A field of the model's own reply; choose another name.",
    }
    return {**named, "allOf": [unreserved]}


def _any_case(word: str) -> str:
    return "".join(f"[{sign.upper()}{sign}]" if sign.isalpha() else sign for sign in word)


_STRIPPED = StringConstraints(strip_whitespace=True)
_FULL = StringConstraints(strip_whitespace=True, min_length=1)
_SOME_WORDS = WithJsonSchema(
    {
        "type": "string",
        "pattern": r"\S",
        "patternErrorMessage": "这里要写文字。Write some text here.",
    }
)
# A strict enumeration takes members only; a script has their values, as text.
WORD = Strict(strict=False)

Text: TypeAlias = Annotated[str, _STRIPPED]
FullText: TypeAlias = Annotated[str, _FULL, _SOME_WORDS]
FilledText: TypeAlias = Annotated[str, _STRIPPED, HasPlaceholders()]
FullFilledText: TypeAlias = Annotated[str, _FULL, _SOME_WORDS, HasPlaceholders()]
NumberOrText: TypeAlias = Annotated[
    str,
    _STRIPPED,
    HasPlaceholders(),
    AsWritten((int, float)),
    WithJsonSchema({"type": ["string", "number"]}),
]
Identifier: TypeAlias = Annotated[
    str, _FULL, AfterValidator(_identifier), WithJsonSchema(_id_schema(required=True))
]
BareIdentifier: TypeAlias = Annotated[
    str, _FULL, AfterValidator(_identifier), WithJsonSchema(_id_schema(required=True, bare=True))
]
OptionalIdentifier: TypeAlias = Annotated[
    str, _STRIPPED, AfterValidator(_identifier), WithJsonSchema(_id_schema(required=False))
]
Variable: TypeAlias = Annotated[str, _FULL, AfterValidator(_variable), Defined("variable")]
ReadVariable: TypeAlias = Annotated[
    str, _FULL, AfterValidator(_variable), Reads(), Defined("variable")
]
FreeVariable: TypeAlias = Annotated[
    str,
    _FULL,
    AfterValidator(_variable),
    AfterValidator(_free),
    Defined("free_variable"),
]
ListedVariable: TypeAlias = Annotated[
    str,
    _STRIPPED,
    AfterValidator(_variable),
    Reads(),
    WithJsonSchema(variable_schema(blank=True)),
]
"""An item of a list of variables; a blank one is passed over."""
Switch: TypeAlias = Annotated[
    bool, BeforeValidator(_switch), AsWritten((bool,)), WithJsonSchema({"enum": ["on", "off"]})
]
Option: TypeAlias = Annotated[
    str,
    BeforeValidator(_option),
    _STRIPPED,
    AsWritten((int, float, bool)),  # a scale such as [0, 1, 2] or [true, false]: its words count
    WithJsonSchema({"type": ["string", "number", "boolean"], "minLength": 1}),
]
_SCALAR = WithJsonSchema({"type": ["string", "number", "boolean"]})
Scalar: TypeAlias = Annotated[str | int | float | bool, _SCALAR]
FilledScalar: TypeAlias = Annotated[
    Annotated[str, _STRIPPED] | int | float | bool, HasPlaceholders(), _SCALAR
]
if TYPE_CHECKING:
    Free: TypeAlias = JsonValue
    FreeMapping: TypeAlias = Mapping[str, JsonValue]
else:  # pydantic cannot resolve a type that names itself in another module
    Free = Annotated[Any, WithJsonSchema({})]
    FreeMapping = Annotated[dict[str, Any], WithJsonSchema({"type": "object"})]
Metadata: TypeAlias = Annotated[FreeMapping, Wanted(say("wanted.metadata"))]
"""What authors note about a file, for people."""
AllOrSome: TypeAlias = Annotated[
    Any,
    WithJsonSchema({"type": ["boolean", "array"], "items": {"type": "string"}, "default": True}),
]
"""true for all items of another list, false for none, or those that are listed."""
_PICTURE = (
    r"^\s*(?:[Hh][Tt][Tt][Pp][Ss]://[^\s/?#:@\[\]\\{}][^{]*"
    r"|assets(?:/(?!\.{0,2}(?:/|\s*$))[^/\\:{\u0000-\u001f]+)+)$"
)
PictureSource: TypeAlias = Annotated[
    str,
    _FULL,
    WithJsonSchema(
        {
            "type": "string",
            "pattern": _PICTURE,
            "patternErrorMessage": "https 地址，或 assets/ 下的路径。"
            "An https address, or a path below assets/.",
        }
    ),
]
