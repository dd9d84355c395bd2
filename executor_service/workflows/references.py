"""References in a plan: `${node.output.x}`, `${input.x}` and `${NAME}`, at every depth (D8).

A PYTHON node's code holds none: values reach it by its inputs, never as text within code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from executor_service.workflows.graph import each_node
from executor_service.workflows.payload_paths import below
from heartrule.domain.json_value import JsonValue
from heartrule.domain.workflows import Edge, Node, NodeType, Workflow

PLACEHOLDER = re.compile(r"\$\{(?:([^{}]*)(\}))?")
"""A reference; without its brace it is one too, which cannot be read."""
_FIELDS = r"(?:\.[\w-]+)*"
_NODE = re.compile(rf"([^\s.{{}}$]+)\.output({_FIELDS})")
_INPUT = re.compile(rf"input\.([\w-]+)({_FIELDS})")
_LOOP = re.compile(rf"(item|index)({_FIELDS})")
_Place: TypeAlias = "tuple[_Place | None, str | int]"
"""A key or number, behind the place it is found in."""
_NAME = re.compile(r"[^\W\d]\w*")
_NO_TEXT = (int, float, type(None))
LOOP_NAMES = frozenset({"item", "index"})
"""What a LOOP gives to its body: the item of this turn, and its number from 0."""
RESERVED = LOOP_NAMES | {"input"}
"""No id of a node: `${input.output}` is the input called output."""


class ReferenceKind(StrEnum):
    """What a reference names."""

    NODE = "node"
    INPUT = "input"
    NAME = "name"
    """An input of the node or of the workflow, what a loop gives, or a secret."""
    UNREADABLE = "unreadable"


_FORMS = (
    # `input.output.x` is an input: ids of nodes leave that word free.
    (ReferenceKind.INPUT, _INPUT),
    (ReferenceKind.NODE, _NODE),
    (ReferenceKind.NAME, _LOOP),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """One `${…}`, and where it stands."""

    kind: ReferenceKind
    path: str
    """The payload's path of the value that holds it."""
    text: str
    """What stands between the braces."""
    name: str = ""
    """A node's id, an input's name, or NAME."""
    fields: tuple[str, ...] = ()
    """What is taken of the value, outermost first; a number is a place in a list."""


def read_reference(text: str, path: str = "") -> Reference:
    """Return what stands between the braces of a `${…}` as a reference."""
    if "." not in text:
        kind = ReferenceKind.NAME if _NAME.fullmatch(text) else ReferenceKind.UNREADABLE
        return Reference(kind=kind, path=path, text=text, name=text)
    for kind, form in _FORMS:
        if found := form.fullmatch(text):
            fields = tuple(found[2].split(".")[1:])
            return Reference(kind=kind, path=path, text=text, name=found[1], fields=fields)
    return Reference(kind=ReferenceKind.UNREADABLE, path=path, text=text)


def references_in(value: JsonValue, path: str = "") -> Iterator[Reference]:
    """Yield the references in a value in the order they are written, however deep they stand.

    A text yields each of its references once. One in a key is unreadable: values are filled in.
    """
    # A stack in place of recursion, and paths joined only where a reference stands: a payload may
    # nest deeper than Python calls do.
    waiting: list[tuple[JsonValue, _Place]] = [(value, (None, path))]
    while waiting:
        each, place = waiting.pop()
        if isinstance(each, str):
            if "${" in each:
                at = _joined(place)
                yield from (
                    read_reference(text, at)
                    if is_closed
                    else Reference(kind=ReferenceKind.UNREADABLE, path=at, text="")
                    for text, is_closed in dict.fromkeys(PLACEHOLDER.findall(each))
                )
        elif isinstance(each, Mapping):
            yield from (
                Reference(kind=ReferenceKind.UNREADABLE, path=_joined((place, key)), text=key)
                for key in each
                if "${" in key
            )
            waiting.extend(
                (each[key], (place, key))
                for key in reversed(list(each))
                if not isinstance(each[key], _NO_TEXT)
            )
        elif isinstance(each, Sequence):
            waiting.extend(
                (each[n], (place, n))
                for n in reversed(range(len(each)))
                if not isinstance(each[n], _NO_TEXT)
            )


def _joined(place: _Place) -> str:
    parts: list[str | int] = []
    above: _Place | None = place
    while above is not None:
        above, part = above
        parts.append(part)
    parts.reverse()
    return below(str(parts[0]), *parts[1:])


def config_values(node: Node, path: str) -> Iterator[tuple[str, JsonValue, str]]:
    """Yield each key of a node's configuration that references may stand in, its value and path."""
    closed = {NodeType.PYTHON: "code", NodeType.LOOP: "body"}.get(node.type)
    for key, value in node.config.items():
        # Most values are numbers and plain texts, for which no path need be made.
        is_plain = "${" not in value if isinstance(value, str) else isinstance(value, _NO_TEXT)
        if key != closed and not is_plain:
            yield key, value, below(path, "config", key)


def references_of(nodes: Iterable[Node], edges: Iterable[Edge] = ()) -> Iterator[Reference]:
    """Yield the references of nodes, those in the bodies of loops too, and of edges."""
    for node, place in each_node(nodes):
        for _, value, at in config_values(node, place):
            yield from references_in(value, at)
        yield from references_in(node.input_mapping, below(place, "input_mapping"))
        yield from references_in(node.output_mapping, below(place, "output_mapping"))
    for number, edge in enumerate(edges):
        yield from references_in(edge.condition, below("edges", number, "condition"))


def input_names(workflow: Workflow) -> frozenset[str]:
    """Return the parameters of a workflow: declared, or named by an `${input.x}` (D24)."""
    found = references_of(workflow.nodes, workflow.edges)
    used = (each.name for each in found if each.kind is ReferenceKind.INPUT)
    return frozenset(workflow.inputs).union(used)
