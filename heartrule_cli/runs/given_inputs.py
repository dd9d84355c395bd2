"""Inputs of a run as they are typed: NAME=VALUE. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import NoReturn

from heartrule.domain.json_value import JsonValue
from heartrule.domain.workflows import WorkflowInput
from heartrule.words.words import say
from heartrule_cli.failure import WRONG, Failure
from heartrule_cli.text import one_line

_TEXT = "string"


def given_inputs(texts: Iterable[str], taken: Mapping[str, WorkflowInput]) -> dict[str, JsonValue]:
    """Return the inputs by name; whether they are `taken`, the gate says.

    The value of an input that is declared as a string is its text as it stands. Any other value is
    JSON, and a text where it is no JSON.

    Raises:
        Failure: One is not NAME=VALUE, or a name is given twice.
    """
    given: dict[str, JsonValue] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not name or not sign:
            raise Failure(say("cli.workflow.input", text=repr(one_line(text))), code=WRONG)
        if name in given:
            raise Failure(say("cli.workflow.input_twice", name=repr(one_line(name))), code=WRONG)
        declared = taken.get(name)
        is_text = declared is not None and declared.type == _TEXT
        given[name] = value if is_text else _json(value)
    return given


def _json(text: str) -> JsonValue:
    try:
        value: JsonValue = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return text
    return value


def _refuse(_constant: str) -> NoReturn:
    raise ValueError("NaN and Infinity are no JSON")
