"""Kinds of values in payloads, for a reading that knows nothing of pydantic.

A kind yields path, code and whether a correction would do, for everything that is wrong with a
value. An object's field ends in `?` where it is optional, in `?~` where it may be null too.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

Found: TypeAlias = Iterator[tuple[str, str, bool]]
Kind: TypeAlias = Callable[[Any, str], Found]


def below(path: str, key: object) -> str:
    return f"{path}.{key}" if path else str(key)


def text(value: Any, path: str) -> Found:
    if not isinstance(value, str):
        yield path, "wrong_type", False
    elif not value.strip():
        yield path, "empty_value", False


def an_id(value: Any, path: str) -> Found:
    if isinstance(value, str) and len(value) > 200:
        yield path, "too_large", False
    else:
        yield from text(value, path)


def maybe_empty(value: Any, path: str) -> Found:
    if not isinstance(value, str):
        yield path, "wrong_type", False


def name(value: Any, path: str) -> Found:
    if isinstance(value, str) and len(value) > 64:
        yield path, "too_large", False
    elif not isinstance(value, str) or not re.fullmatch(r"[^\W\d]\w*", value):
        yield path, "wrong_type", False


def flag(value: Any, path: str) -> Found:
    if not isinstance(value, bool):
        yield path, "wrong_type", False


def number(low: float, high: float = math.inf, *, above: bool = False, whole: bool = False) -> Kind:
    """Return a number's kind; `above`: the lower bound itself is outside, and nothing mends it."""

    def kind(value: Any, path: str) -> Found:
        if isinstance(value, bool) or not isinstance(value, int | float):
            yield path, "wrong_type", False
        elif not math.isfinite(value):
            yield path, "out_of_range", False
        elif whole and value != int(value):
            yield path, "wrong_type", False
        elif value < low or (above and value == low):
            yield path, "out_of_range", not above
        elif value > high:
            yield path, "out_of_range", True

    return kind


def one_of(*names: str, code: str = "bad_enum") -> Kind:
    def kind(value: Any, path: str) -> Found:
        if value not in names:
            is_type = code == "bad_enum" and not isinstance(value, str)
            yield path, "wrong_type" if is_type else code, False

    return kind


def json(value: Any, path: str) -> Found:
    if not_finite(value):
        yield path, "out_of_range", False


def not_finite(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(not_finite, value.values()))
    if isinstance(value, list):
        return any(map(not_finite, value))
    return isinstance(value, float) and not math.isfinite(value)


def free(value: Any, path: str) -> Found:
    if not isinstance(value, dict):
        yield path, "wrong_type", False
    else:
        yield from json(value, path)


def filled(value: Any, path: str) -> Found:
    if value == {}:
        yield path, "empty_value", False
    else:
        yield from free(value, path)


def items(of: Kind, least: int = 0, most: int = 1_000, code: str = "too_large") -> Kind:
    def kind(value: Any, path: str) -> Found:
        if not isinstance(value, list):
            yield path, "wrong_type", False
        elif len(value) > most:
            yield path, code, False
        elif len(value) < least:
            yield path, "empty_value", False
        else:
            for index, each in enumerate(value):
                yield from of(each, below(path, index))

    return kind


def obj(fields: Mapping[str, Kind], *rules: Kind, given: tuple[str, ...] = ()) -> Kind:
    """Return an object's kind; a missing field of `given` is put in, and so no obstacle."""
    known = {field.rstrip("?~"): (kind, field) for field, kind in fields.items()}

    def kind(value: Any, path: str) -> Found:
        if not isinstance(value, dict):
            yield path, "wrong_type", False
            return
        yield from ((below(path, key), "wrong_type", True) for key in value if key not in known)
        for key, (of, field) in known.items():
            if key not in value:
                if "?" not in field:
                    yield below(path, key), "missing_field", key in given
            elif value[key] is not None or not field.endswith("~"):
                yield from of(value[key], below(path, key))
        for rule in rules:
            yield from rule(value, path)

    return kind


def needs(*names: str, when: tuple[str, str] | None = None) -> Kind:
    def rule(value: Any, path: str) -> Found:
        applies = when is None or value.get(when[0]) == when[1]
        if applies and all(value.get(each) is None for each in names):
            yield below(path, names[0]), "missing_conditional", False

    return rule


def a_list(value: Any, path: str) -> Found:
    if not isinstance(value, str | list):
        yield path, "wrong_type", False
    elif not value or (isinstance(value, str) and not value.strip()):
        yield path, "empty_value", False
    else:
        yield from json(value, path)


def mapping(value: Any, path: str) -> Found:
    if not isinstance(value, dict):
        yield path, "wrong_type", False


def default_fits(value: Any, path: str) -> Found:
    wanted, default = value.get("type"), value.get("default")
    fits: dict[str, bool] = {
        "string": isinstance(default, str),
        "number": isinstance(default, int | float) and not isinstance(default, bool),
        "boolean": isinstance(default, bool),
        "array": isinstance(default, list),
        "object": isinstance(default, dict),
    }
    fits["integer"] = fits["number"] and math.isfinite(default) and default == int(default)
    if default is not None and isinstance(wanted, str) and not fits.get(wanted, True):
        yield below(path, "default"), "wrong_type", False


def not_both(value: Any, path: str) -> Found:
    changes, kept = value.get("suggested_changes"), value.get("preserve_nodes")
    gone = changes.get("remove_nodes") if isinstance(changes, dict) else None
    if isinstance(kept, list) and isinstance(gone, list):
        for index, each in enumerate(kept):
            if isinstance(each, str) and each in gone:
                yield below(below(path, "preserve_nodes"), index), "conflict", False


def failure(value: Any, path: str) -> Found:
    found = list(filled(value, path))
    yield from found
    if not found and not any(
        value.get(key)
        for key in ("failed_attempts", "failed_node_id", "failed_nodes", "failure_reason", "error")
    ):
        outputs = value.get("node_outputs")
        each = list(outputs.values()) if isinstance(outputs, dict) else []
        if not any(
            isinstance(one, dict) and (one.get("status") == "failed" or one.get("error"))
            for one in each
        ):
            yield path, "missing_field", False


def payload(action_type: str, fields: Mapping[str, Kind], *rules: Kind) -> Kind:
    kind = one_of(action_type, code="type_mismatch")
    return obj({"action_type": kind, **fields}, *rules, given=("action_type",))
