"""The payloads that document 002 prints; what it elides as `[...]` is a list of one text."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from heartrule.domain.decisions import DecisionType
from tests.support.source_tree import ROOT

FOLDER = ROOT / "tests" / "testdata" / "decisions"


@cache
def _files() -> Mapping[str, str]:
    return {path.stem: path.read_text("utf-8") for path in sorted(FOLDER.glob("002-*.json"))}


def example(name: str) -> dict[str, Any]:
    """Return the payload of one example, such as `002-01-respond`, for the caller to change."""
    payload: dict[str, Any] = json.loads(_files()[name])
    return payload


def examples() -> dict[str, dict[str, Any]]:
    """Return all eleven by name; the second scenario has two."""
    return {name: example(name) for name in _files()}


def decision_type(payload: Mapping[str, Any]) -> DecisionType:
    """Return the type that an example says it is of."""
    return DecisionType(payload["action_type"])


def changed(name: str, path: str, value: object) -> dict[str, Any]:
    """Return an example with another value at a path; `...` takes the field out."""
    payload = copy.deepcopy(example(name))
    *within, last = path.split(".")
    place: Any = payload
    for part in within:
        place = place[int(part) if isinstance(place, list) else part]
    if value is ...:
        del place[last]
    else:
        place[int(last) if isinstance(place, list) else last] = value
    return payload


def part_at(payload: Any, path: str) -> Any:
    """Return what stands at a path of a payload, whose keys may hold dots; None: nothing does."""
    if not path or not isinstance(payload, dict | list):
        return payload
    if isinstance(payload, list):
        first, _, rest = path.partition(".")
        return part_at(payload[int(first)], rest)
    keys = [key for key in payload if f"{path}.".startswith(f"{key}.")]
    key = max(keys, key=len, default=path)
    return part_at(payload.get(key), path[len(key) + 1 :])
