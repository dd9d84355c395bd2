"""Reads what a sandbox's process wrote: its code may have written it, so nothing is believed."""

from __future__ import annotations

from collections.abc import Mapping

import orjson

from executor_service.workflows.node_failed import failed
from executor_service.workflows.sandbox.sandbox_port import (
    MOST_RESULT_BYTES,
    MOST_RESULT_VALUES,
)
from heartrule.domain.json_value import JsonValue
from heartrule.domain.runs import RunErrorCode


def read_value(text: bytes) -> JsonValue:
    """Return the value of a JSON text.

    Raises:
        NodeFailed: LIMIT where it is too large, UNREADABLE where it is no JSON.
    """
    if len(text) > MOST_RESULT_BYTES:
        raise failed(RunErrorCode.LIMIT, f"The result has more than {MOST_RESULT_BYTES} bytes.")
    # Commas within texts count too: it is a bound, and found without reading the values.
    if sum(map(text.count, (b",", b"[", b"{"))) > MOST_RESULT_VALUES:
        raise failed(RunErrorCode.LIMIT, f"The result has more than {MOST_RESULT_VALUES} values.")
    try:
        value: JsonValue = orjson.loads(text)
    except ValueError:
        raise failed(RunErrorCode.UNREADABLE, "The result is no JSON.") from None
    return value


def read_answer(answer: bytes) -> JsonValue:
    """Return the value of `{"value": …}`; `{"failure": {code, message}}` is raised.

    Raises:
        NodeFailed: What the answer says, or UNREADABLE where it says neither.
    """
    found = read_value(answer)
    if isinstance(found, Mapping):
        if found.keys() == {"value"}:
            return found["value"]
        failure = found.get("failure")
        if isinstance(failure, Mapping) and failure.get("code") in list(RunErrorCode):
            raise failed(RunErrorCode(str(failure["code"])), str(failure.get("message")))
    raise failed(RunErrorCode.UNREADABLE, "The process gave no result.")
