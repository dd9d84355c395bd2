"""A YAML document as a tree with the place of each node, and the values of its scalars.

Plain scalars are read by YAML 1.2's core schema: on, off, yes, no and dates are text.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import TypeAlias

from heartrule.domain.json_value import JsonValue
from heartrule.words.words import Words, say

ScalarValue: TypeAlias = str | int | float | bool | None
"""What a YAML 1.2 core scalar can be."""


@dataclass(slots=True)
class ScalarNode:
    """A single value."""

    line: int
    column: int
    value: ScalarValue
    text: str
    """The value as text, before any type was read into it."""
    start: int
    """Offset of its first character in the file."""
    end: int
    """Offset behind its last one."""


@dataclass(slots=True)
class ListNode:
    """A list."""

    line: int
    column: int
    flow: bool
    """True when written in square brackets."""
    items: list[Node] = field(default_factory=list)


@dataclass(slots=True)
class Entry:
    """A key and its value."""

    key: ScalarNode
    value: Node


@dataclass(slots=True)
class MapNode:
    """A mapping; keys are text, each once."""

    line: int
    column: int
    flow: bool
    """True when written in braces."""
    entries: dict[str, Entry] = field(default_factory=dict)


@dataclass(slots=True)
class LostNode:
    """Something refused and reported already; whoever meets it stays silent."""

    line: int
    column: int


Node: TypeAlias = ScalarNode | ListNode | MapNode | LostNode
"""Any part of a document."""


def to_json(node: Node) -> JsonValue:
    """Return a node as free data; what was lost is null."""
    if isinstance(node, ScalarNode):
        return node.value
    if isinstance(node, ListNode):
        return [to_json(item) for item in node.items]
    if isinstance(node, MapNode):
        return {key: to_json(entry.value) for key, entry in node.entries.items()}
    return None


def kind_of(node: Node) -> Words:
    """Return what a node is, in an author's words."""
    if isinstance(node, MapNode):
        return say("kind.mapping")
    if isinstance(node, ListNode):
        return say("kind.list")
    if isinstance(node, LostNode) or node.value is None:
        return say("kind.nothing")
    if isinstance(node.value, bool):
        return say("kind.truth", text=node.text)
    if isinstance(node.value, int | float):
        return say("kind.number", text=node.text)
    return say("kind.text")


_NULL = frozenset({"", "~", "null", "Null", "NULL"})
_TRUE = frozenset({"true", "True", "TRUE"})
_FALSE = frozenset({"false", "False", "FALSE"})
_INTEGER = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", re.ASCII)
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", re.ASCII)
_ENDLESS = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
# JSON readers keep a number as a double, which is exact up to here.
_LARGEST = 2**53 - 1
_MOST_DIGITS = 40  # int() of a longer text is slow, and too large in any base


class UnsafeNumber(ValueError):
    """A number JSON cannot hold, or not exactly; its words name what to write instead."""

    def __init__(self, words: Words) -> None:
        super().__init__(str(words))
        self.words = words


def plain_value(text: str) -> ScalarValue:
    """Return the value of an unquoted scalar.

    Raises:
        UnsafeNumber: It is infinite, no number, or a whole number beyond 2^53 - 1.
    """
    if text in _NULL:
        return None
    if text in _TRUE or text in _FALSE:
        return text in _TRUE
    if _INTEGER.fullmatch(text):
        return _integer(text)
    if _ENDLESS.fullmatch(text):
        raise UnsafeNumber(say("number.none", text=text))
    if _FLOAT.fullmatch(text):
        number = float(text)
        if math.isfinite(number):
            return number
        raise UnsafeNumber(say("number.too_large", text=text[:20]))
    return text


def _integer(text: str) -> int:
    base = {"0o": 8, "0x": 16}.get(text[:2], 10)
    if len(text) <= _MOST_DIGITS:
        number = int(text, base)
        if abs(number) <= _LARGEST:
            return number
    raise UnsafeNumber(say("number.inexact", text=text[:20]))
