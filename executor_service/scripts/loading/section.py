"""One mapping of a file with the places of its keys; what does not fit is reported there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from executor_service.scripts.loading.known_keys import sort_keys
from executor_service.scripts.loading.tree import (
    ListNode,
    LostNode,
    MapNode,
    Node,
    ScalarNode,
    kind_of,
)
from executor_service.scripts.loading.wrong_values import wanted_for, wrong
from executor_service.scripts.model.findings import At, Findings, Spot
from executor_service.scripts.model.kinds import Identifier, OptionalIdentifier, Text
from executor_service.scripts.model.mapping import Shape
from executor_service.scripts.model.texts import CODES
from executor_service.scripts.model.wording import nearest, quoted
from heartrule.words.words import Fact, Said, say

_TEXT = TypeAdapter(Text)
_IDENTIFIER = TypeAdapter(Identifier)
_OPTIONAL_IDENTIFIER = TypeAdapter(OptionalIdentifier)


class Section:
    """One mapping while it is read; unknown keys are reported when it is made."""

    def __init__(self, node: MapNode, shape: Shape, findings: Findings) -> None:
        """Sort the keys; what `shape` does not know is reported."""
        self._entries = sort_keys(node, shape, findings)
        self.findings = findings
        self.spot: Spot = At(node.line, node.column)
        self.is_empty = all(_is_null(entry.value) for entry in node.entries.values())
        self.broken: set[str] = set()
        """Keys whose values were reported."""
        self.inner: dict[str, list[tuple[Section, Any]]] = {}
        """The mapping, or those in the list, under a key; each with what was made of it."""
        self._what = shape.what

    def node(self, key: str) -> Node | None:
        """Return the value of `key`; None where it is absent or empty."""
        entry = self._entries.get(key)
        if entry is None or _is_null(entry.value):
            return None
        return entry.value

    def has(self, key: str) -> bool:
        """Return whether `key` was written with a value."""
        return self.node(key) is not None

    def fits(self, key: str) -> bool:
        """Return whether `key` was written with a value that nothing was reported about."""
        node = self.node(key)
        return node is not None and not isinstance(node, LostNode) and key not in self.broken

    def mapping(self, key: str) -> Section | None:
        """Return the mapping under `key` once it was read; None where there is none."""
        inner = self.inner.get(key)
        return inner[0][0] if inner else None

    def spot_of(self, key: str) -> Spot:
        """Return the place of the value of `key`; the mapping itself where it is absent."""
        entry = self._entries.get(key)
        return self.spot if entry is None else entry.value

    def key_spot(self, key: str) -> Spot:
        """Return the place of `key` itself; the mapping where it is absent."""
        entry = self._entries.get(key)
        return self.spot if entry is None else entry.key

    def report(self, code: str, key: str, /, **facts: Fact) -> None:
        """Report a finding at the value of `key`."""
        self.findings.report(code, self.spot_of(key), **facts)

    def report_key(self, code: str, key: str, /, **facts: Fact) -> None:
        """Report a finding at `key` itself."""
        self.findings.report(code, self.key_spot(key), **facts)

    def missing(self, key: str, advice: Said = "") -> None:
        """Report that `key` is needed; silent where an unreadable value was given."""
        entry = self._entries.get(key)
        if entry is None:
            self.findings.report("missing", self.spot, what=self._what, key=key, advice=advice)
        elif not isinstance(entry.value, LostNode):
            self.findings.report("empty", entry.key, key=key, advice=advice)

    def need_items(self, key: str) -> None:
        """Report a list that is absent or empty."""
        node = self.node(key)
        if node is None or (isinstance(node, ListNode) and not node.items):
            self.missing(key, say("advice.one_item"))

    def needed_mapping(self, key: str, first: str, second: str) -> MapNode | None:
        """Return the mapping under `key`, which needs two keys inside; None and a finding."""
        node = self.node(key)
        if isinstance(node, MapNode):
            return node
        if node is None:
            self.missing(key, say("advice.with_two", first=first, second=second))
        else:
            wanted = say("wanted.mapping_with_two", first=first, second=second)
            wrong(node, f"`{key}`", wanted, self.findings)
        return None

    def text(self, key: str, *, required: bool = False) -> str:
        """Return a text without surrounding white space; "" where there is none."""
        found = str(self._value(key, _TEXT, ""))
        if required and not found and key not in self.broken:
            self.missing(key)
        return found

    def identifier(self, key: str) -> str:
        """Return an id of letters, digits, `_` and `-`; "" where there is none that fits."""
        if not self.has(key):
            self.missing(key)
        return str(self._value(key, _IDENTIFIER, ""))

    def optional_identifier(self, key: str) -> str:
        """Return an id; "" where there is none, or none that fits."""
        return str(self._value(key, _OPTIONAL_IDENTIFIER, ""))

    def boolean(self, key: str, *, default: bool) -> bool:
        """Return true or false."""
        return bool(self._value(key, _BOOLEAN, default))

    def _value(self, key: str, kind: TypeAdapter[Any], default: object) -> object:
        node = self.node(key)
        if node is None or isinstance(node, LostNode):
            return default
        try:
            return kind.validate_python(node.value if isinstance(node, ScalarNode) else node)
        except ValidationError as error:
            self.broken.add(key)
            if error.errors()[0]["type"] == "string_too_short":
                self.missing(key)
            else:
                complain(error.errors()[0], node, key, self.findings)
            return default

    def items(self, key: str) -> list[Node]:
        """Return the items of a list; [] where there is none."""
        node = self.node(key)
        if isinstance(node, ListNode):
            return node.items
        if node is not None:
            wrong(node, f"`{key}`", say("wanted.list"), self.findings)
        return []

    def full_list(self, key: str) -> list[Node]:
        """Return the items of a list that must not be empty."""
        self.need_items(key)
        return self.items(key)


_BOOLEAN = TypeAdapter(bool, config={"strict": True})


def _is_null(node: Node) -> bool:
    return isinstance(node, ScalarNode) and node.value is None


def complain(
    error: ErrorDetails, node: Node, key: str, findings: Findings, wanted: Said = ""
) -> None:
    """Report a validator's error about the value of `key`; `wanted` is what to write there."""
    facts, code = error.get("ctx", {}), error["type"]
    if code in CODES:
        findings.report(code, node, key=key, **facts)
    else:
        wrong(node, f"`{key}`", wanted or wanted_for(code, node), findings)


def no_word(node: Node, key: str, known: Sequence[str], findings: Findings) -> None:
    """Report that a value is none of the words that `key` takes."""
    if not isinstance(node, ScalarNode):
        wrong(node, f"`{key}`", say("wanted.one_of", known=tuple(known)), findings)
        return
    meant = nearest(node.text, known)
    code = "likely_word" if meant else "unknown_word"
    findings.report(code, node, key=key, shown=quoted(node.text), meant=meant, known=tuple(known))


def root_mapping(root: Node, key: str, findings: Findings) -> MapNode | None:
    """Return the root of a file that begins with `key`; None, and a finding, for no mapping."""
    if isinstance(root, MapNode):
        return root
    if not isinstance(root, LostNode):
        wanted = say("wanted.mapping_of", key=key)
        findings.report("wrong_root", root, shown=kind_of(root), wanted=wanted)
    return None
