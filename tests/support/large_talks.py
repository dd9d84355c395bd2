"""The largest payloads of a talk that are legal, and such as are wrong in many places."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from executor_service.decisions.sizes import FEW_CHARACTERS, FEW_VALUES
from tests.support.large_plans import long_query

_BYTES = 1_048_000
"""Nearly all that a payload may have."""
_QUERY = {"type": "DATABASE", "config": {"query": long_query(16_000)}}


def _answer() -> dict[str, Any]:
    return {"action_type": "respond", "response": "x" * _BYTES, "intent": "greeting"}


def _question(**fields: Any) -> dict[str, Any]:
    return {"action_type": "request_clarification", "question": "q", **fields}


def _thought(characters: int) -> dict[str, Any]:
    return {"action_type": "continue", "thought": "好" * characters}


def _wrong(values: int) -> dict[str, Any]:
    """Return a question with a fault at nearly every place."""
    unknown = {f"u{n}": n for n in range(190)}
    names = [f"{n} " for n in range(min(values // 4, 1_000))]
    options = list(range(min(values // 4, 1_000)))
    rest = [[n] for n in range(values // 4)]
    return _question(options=options, required_fields=names, context={"a": rest}, **unknown)


LARGE_TALKS: Mapping[str, Callable[[], dict[str, Any]]] = MappingProxyType(
    {
        "text": _answer,
        "thought": lambda: _thought(_BYTES // 3),
        "numbers": lambda: _question(context={"a": [0] * (_BYTES // 2)}),
        "numbers of a request": lambda: _question(context={"a": [0] * (_BYTES // 11)}),
        "keys": lambda: _question(context={f"{n}": n for n in range(_BYTES // 18)}),
        "objects": lambda: _question(context={"a": [{"k": 1}] * (_BYTES // 8)}),
        "lists": lambda: _question(context={"a": [[]] * (_BYTES // 3)}),
        "texts": lambda: _question(context={"a": [f"{n}" for n in range(_BYTES // 10)]}),
        "options": lambda: _question(options=["o" * 1_000] * 1_000),
        "faults": lambda: _wrong(_BYTES // 12),
        "a query": lambda: _thought(9) | {"nodes": [_QUERY]},
        "few characters": lambda: _thought(FEW_CHARACTERS - 40),
        "few numbers": lambda: _question(context={"a": [0] * (FEW_VALUES - 10)}),
        "few texts": lambda: _question(context={"a": ["x" * 9] * (FEW_VALUES - 10)}),
        "few faults": lambda: _wrong(FEW_VALUES - 300),
    }
)
"""By what they are full of; the few are as many as are judged in the event loop."""
