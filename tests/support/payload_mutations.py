"""Payloads that are wrong somewhere: each fault by itself, or several at random."""

from __future__ import annotations

import copy
import math
import random
from collections.abc import Iterator
from typing import Any

from tests.support.decision_examples import example, examples

VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, 3.0, 0.5, -1, 2.5, 10, 11, 61, 101, 301, 10_001, 20_000, 1e300),
    *(math.nan, math.inf, -math.inf, "", " ", "0.9", "x", "GET", "LLM", "LOOP", "END", "RETRY"),
    *("MODIFY", "respond", "名称", "a b", "async", "greeting", "integer", "user", "node_1"),
    *([], [1], ["x"], [None], [math.nan], {}, {"x": 1}, {"x": math.nan}, {"status": "failed"}),
    *([{"source": "a", "target": "b"}], "n" * 65, "n" * 201),
)
"""Every kind of JSON; bounds of document 002 and their neighbours."""
_LLM = {"node_id": "b", "type": "LLM", "name": "b", "config": {"prompt": "p"}}
_CONFIGS: tuple[dict[str, Any], ...] = (
    {"messages": [{"role": "user", "content": "c"}], "max_tokens": 10, "temperature": 1},
    {"url": "https://example.org", "method": "PUT", "headers": {"X": 1}, "body": [1]},
    {"expression": "true", "timeout": 1},
    {"items": [1, 2], "body": [_LLM], "max_iterations": 3, "condition": "true"},
    {},
)
_ADDED: dict[str, Any] = {
    "inputs": {"since": {"type": "integer", "required": False, "default": 3}, "n" * 65: {}},
    "input_mapping": {"x": "${a.output.y}"},
    "retry_config": {"max_retries": 1, "retry_delay": 1},
    "on_failure": {"action": "RETRY", "max_attempts": 3, "delay": 0.5},
    "description": "d",
    "timeout": 300,
    "modifications": {"config.timeout": 5},
    "max_iterations": 100,
    "required_fields": ["a", "b"],
    "[key]": 1,
    "a.b": {"c": 1},
}


def places(value: Any, path: tuple[int | str, ...] = ()) -> Iterator[tuple[int | str, ...]]:
    """Yield the path of everything in a payload, itself left out."""
    inner = value.items() if isinstance(value, dict) else ()
    for key, each in (*inner, *(enumerate(value) if isinstance(value, list) else ())):
        yield (*path, key)
        yield from places(each, (*path, key))


def one_fault(name: str) -> Iterator[dict[str, Any]]:
    """Yield an example with each part missing, and in its place each value there is."""
    for path in places(example(name)):
        for value in (..., *VALUES):
            payload = example(name)
            put(payload, path, value)
            yield payload


def put(payload: Any, path: tuple[int | str, ...], value: Any) -> None:
    """Put a value in its place; `...` takes out what stands there."""
    for key in path[:-1]:
        payload = payload[key]
    if value is ...:
        del payload[path[-1]]
    else:
        payload[path[-1]] = copy.deepcopy(value)


def generated(action_type: str, count: int, seed: int) -> Iterator[dict[str, Any]]:
    """Yield examples of a type, each changed in up to four places; a seed gives the same again."""
    dice = random.Random(seed)
    names = [name for name, each in examples().items() if each["action_type"] == action_type]
    for _ in range(count):
        payload = example(dice.choice(names))
        for _ in range(dice.randint(0, 4)):
            _change(payload, dice)
        yield payload


def _change(payload: dict[str, Any], dice: random.Random) -> None:
    """Take something out, put something else there, or add a field beside it."""
    paths = list(places(payload))
    if not paths:
        return
    path = dice.choice(paths)
    change = dice.randrange(5)
    if change == 0:
        put(payload, path, ...)
    elif change == 1:
        name, value = dice.choice(list(_ADDED.items()))
        if isinstance(path[-1], str):
            put(payload, (*path[:-1], name), value)
    elif path[-1] == "config":
        put(payload, path, dice.choice(_CONFIGS))
        put(payload, (*path[:-1], "node_type" if len(path) == 1 else "type"), _type(dice))
    else:
        put(payload, path, dice.choice(VALUES))


def _type(dice: random.Random) -> str:
    return dice.choice(["LLM", "HTTP", "CONDITION", "LOOP", "START", "PYTHON", "DATABASE"])
