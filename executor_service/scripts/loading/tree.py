"""A YAML document as a tree that remembers where everything stands."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from heartrule.domain.json_value import JsonValue

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


def kind_of(node: Node) -> str:
    """Return what a node is, in an author's words."""
    if isinstance(node, MapNode):
        return "a mapping"
    if isinstance(node, ListNode):
        return "a list"
    if isinstance(node, LostNode) or node.value is None:
        return "nothing"
    if isinstance(node.value, bool):
        return f"the truth value {node.text}"
    return f"the number {node.text}" if isinstance(node.value, int | float) else "text"
