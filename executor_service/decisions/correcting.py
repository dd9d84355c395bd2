"""Corrections of a payload, by the paths that findings name (document 002, section 3.3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from heartrule.domain.decisions import Correction
from heartrule.domain.json_value import JsonValue


def corrected(payload: JsonValue, corrections: Iterable[Correction]) -> JsonValue:
    """Return the payload with these changes made; what they do not touch is shared.

    A path that leads nowhere changes nothing: the payload is judged again, and refused then.
    """
    for each in corrections:
        payload = _changed(payload, each.path, each)
    return payload


def merged(corrections: Iterable[Correction]) -> tuple[Correction, ...]:
    """Return one correction for each path, from what stood there first to what stands there now."""
    by_path: dict[str, Correction] = {}
    for each in corrections:
        earlier = by_path.get(each.path)
        by_path[each.path] = replace(each, before=earlier.before) if earlier else each
    return tuple(by_path.values())


def _changed(value: JsonValue, path: str, change: Correction) -> JsonValue:
    if isinstance(value, Mapping):
        key, rest = _key(value, path)
        if rest:
            return {**value, key: _changed(value[key], rest, change)} if key in value else value
        if change.is_removed:
            return {name: each for name, each in value.items() if name != key}
        # A missing key has no dots: where it seems to, its mapping is missing too.
        is_there = key in value or (key and "." not in key)
        return {**value, key: change.after} if is_there else value
    if isinstance(value, list | tuple):
        index, rest = _index(value, path)
        if index is None or (change.is_removed and not rest):
            return value
        inner = _changed(value[index], rest, change) if rest else change.after
        return [*value[:index], inner, *value[index + 1 :]]
    return value


def _key(value: Mapping[str, JsonValue], path: str) -> tuple[str, str]:
    """Return the longest key a path begins with, and what is left; the whole path where none is.

    A key may hold dots itself, as `updates.config.timeout` does (document 002, scenario 7).
    """
    parts = path.split(".")
    for count in range(len(parts), 0, -1):
        key = ".".join(parts[:count])
        if key in value:
            return key, ".".join(parts[count:])
    return path, ""


def _index(value: Sequence[JsonValue], path: str) -> tuple[int | None, str]:
    first, _, rest = path.partition(".")
    is_index = first.isdecimal() and int(first) < len(value)
    return int(first) if is_index else None, rest
