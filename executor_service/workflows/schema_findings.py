"""What a model of pydantic refused, as findings: codes of document 002, paths of the payload.

Models of payloads have no unions: else a location would name the branch tried, which is no part of
the payload, and a correction would be made in the wrong place.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from pydantic import ValidationError

from executor_service.workflows.strict_model import MOST_FAULTS, NOT_BLANK
from heartrule.domain.decisions import Correction, FindingCode, RuleFinding
from heartrule.domain.json_value import JsonValue

MOST_ERRORS = 100
"""Errors told of one document; corrections are told all, as each has to be made."""
LONGEST_SHOWN = 200
"""Characters of a path or a value that stand in a message."""

_WANTED = MappingProxyType(
    {
        "string_type": "a text",
        "string_unicode": "a text of whole characters",
        "bool_type": "true or false",
        "int_type": "a whole number",
        "float_type": "a number",
        "dict_type": "an object",
        "model_type": "an object",
        "tuple_type": "a list",
    }
)
_CODES: Mapping[str, FindingCode] = MappingProxyType(
    {
        "missing": FindingCode.MISSING_FIELD,
        "too_short": FindingCode.EMPTY_VALUE,
        "string_too_long": FindingCode.TOO_LARGE,
        "literal_error": FindingCode.BAD_ENUM,
        "greater_than_equal": FindingCode.OUT_OF_RANGE,
        "less_than_equal": FindingCode.OUT_OF_RANGE,
        "greater_than": FindingCode.OUT_OF_RANGE,
        "finite_number": FindingCode.OUT_OF_RANGE,
        "extra_forbidden": FindingCode.WRONG_TYPE,
        **dict.fromkeys(_WANTED, FindingCode.WRONG_TYPE),
        **{code.value: code for code in FindingCode},
    }
)
"""By pydantic's name of the error; those with a code of ours are named for it."""
_SENTENCES = MappingProxyType(
    {
        "missing": "is missing: it is required.",
        "too_short": "must not be empty.",
        "string_too_long": "must have at most {max_length} characters.",
        "literal_error": "must be {expected}.",
        "greater_than_equal": "must be at least {ge}.",
        "less_than_equal": "must be at most {le}.",
        "greater_than": "must be above {gt}.",
        "finite_number": "must be a finite number.",
        "extra_forbidden": "is not supported, and is left out.",
    }
)
_DEFAULTS: Mapping[str, JsonValue] = MappingProxyType({"config.method": "GET"})
"""What is put in where it is missing, by the end of its path (RESOLUTIONS D1).

Only the configuration of an HTTP node has a method.
"""
_OF_KEYS = frozenset({"string_pattern_mismatch", "string_too_long"})
_FIRST = frozenset({FindingCode.MISSING_FIELD, FindingCode.MISSING_CONDITIONAL})


def findings_of(error: ValidationError, rule: str) -> tuple[RuleFinding, ...]:
    """Return what a model refused, missing fields first.

    A closed bound that is passed and an unknown field bear their correction; at most `MOST_ERRORS`
    bear none. A document with more than `MOST_FAULTS` is refused as a whole, without a correction.
    """
    if error.error_count() > MOST_FAULTS:
        message = f"The payload has more than {MOST_FAULTS} faults."
        return (RuleFinding(code=FindingCode.TOO_LARGE, path="", message=message, rule=rule),)
    found = [_finding(each, rule) for each in error.errors(include_url=False) if not _is_echo(each)]
    errors = [each for each in found if each.correction is None]
    errors.sort(key=lambda each: each.code not in _FIRST)
    missing = [each for each in found if each.correction and each.code in _FIRST]
    others = [each for each in found if each.correction and each.code not in _FIRST]
    return (*missing, *errors[:MOST_ERRORS], *others)


def _is_echo(error: Mapping[str, Any]) -> bool:
    """Return whether a list is called empty because none of its items could be read."""
    return error["type"] == "too_short" and bool(error["input"])


def _finding(error: Mapping[str, Any], rule: str) -> RuleFinding:
    kind, value = error["type"], error["input"]
    where = ".".join(map(str, _location(error)))
    return RuleFinding(
        code=_code(error),
        path=where,
        message=f"{shortened(where or 'The payload')} {_said(error)}",
        rule=rule,
        correction=_correction(kind, where, value, error),
    )


def _location(error: Mapping[str, Any]) -> tuple[int | str, ...]:
    location: tuple[int | str, ...] = error["loc"]
    # A key that is no name has a mark behind it; no text of a payload is below such a key.
    is_of_key = error["type"] in _OF_KEYS and location[-1:] == ("[key]",)
    return location[:-1] if is_of_key else location


def _code(error: Mapping[str, Any]) -> FindingCode:
    kind = error["type"]
    if kind == "string_pattern_mismatch":
        is_blank = error["ctx"]["pattern"] == NOT_BLANK
        return FindingCode.EMPTY_VALUE if is_blank else FindingCode.WRONG_TYPE
    if kind == "literal_error" and not isinstance(error["input"], str):
        return FindingCode.WRONG_TYPE
    return _CODES[kind]


def _said(error: Mapping[str, Any]) -> str:
    """Return what follows the path in a sentence: what is wrong, and what would be right."""
    kind, value, context = error["type"], error["input"], error.get("ctx", {})
    if kind == "string_pattern_mismatch":
        is_blank = context["pattern"] == NOT_BLANK
        return "must not be empty." if is_blank else "must be a name: letters, digits and _."
    if kind in _WANTED:
        return f"must be {_WANTED[kind]}, not {_kind_of(value)}."
    if kind in _SENTENCES:
        said = {name: _whole(it) if isinstance(it, float) else it for name, it in context.items()}
        return _SENTENCES[kind].format(**said)
    return str(context["text"])


def _kind_of(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "a text"
    return "a list" if isinstance(value, list | tuple) else "an object"


def _correction(
    kind: str, path: str, value: JsonValue, error: Mapping[str, Any]
) -> Correction | None:
    if kind == "extra_forbidden":
        return Correction(path=path, before=value, is_removed=True)
    if kind == "missing":
        end = ".".join(path.split(".")[-2:])
        return Correction(path=path, after=_DEFAULTS[end]) if end in _DEFAULTS else None
    bound = {"greater_than_equal": "ge", "less_than_equal": "le"}.get(kind)
    return Correction(path=path, before=value, after=_whole(error["ctx"][bound])) if bound else None


def _whole(bound: float) -> float:
    """Return a bound as its document writes it: 300, and not 300.0."""
    return int(bound) if float(bound).is_integer() else bound


def shortened(text: str) -> str:
    """Return a text of a payload as it stands in a message: never long."""
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"
