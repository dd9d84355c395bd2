"""Typed access to one mapping of a script; whatever does not fit is reported where it stands."""

from __future__ import annotations

import math
import re
from enum import StrEnum
from typing import TypeVar

from executor_service.scripts.findings import At, Findings, Spot
from executor_service.scripts.keys import Shape
from executor_service.scripts.known_keys import SortedKeys, sort_keys
from executor_service.scripts.rules import Rule
from executor_service.scripts.tree import ListNode, LostNode, MapNode, Node, ScalarNode, kind_of
from executor_service.scripts.wording import nearest, quoted

MAX_NAME = 128
"""Longest id."""
_ID = re.compile(r"[A-Za-z0-9_-]+")
_VARIABLE = re.compile(r"[^\W\d]\w*")
_Word = TypeVar("_Word", bound=StrEnum)


class _Switch(StrEnum):
    """`on` and `off`, which are text in YAML 1.2."""

    ON = "on"
    OFF = "off"


def is_variable_name(name: str) -> bool:
    """Say whether `name` can stand in a placeholder: an identifier or a name in Chinese."""
    return len(name) <= MAX_NAME and _VARIABLE.fullmatch(name) is not None


class Section:
    """One mapping while it is read; unknown keys are reported when it is made."""

    def __init__(
        self, node: MapNode, shape: Shape, findings: Findings, *, keys: SortedKeys | None = None
    ) -> None:
        """`keys` are given where they come from more than one mapping."""
        sorted_keys = keys or sort_keys(node, shape, findings)
        self.findings = findings
        self.spot: Spot = At(node.line, node.column)
        self.is_empty = all(_is_null(entry.value) for entry in node.entries.values())
        self._what = shape.what
        self._entries = sorted_keys.entries
        self.older = sorted_keys.older

    def node(self, key: str) -> Node | None:
        """Return the value of `key`; None where it is absent or empty."""
        entry = self._entries.get(key)
        if entry is None or _is_null(entry.value):
            return None
        return entry.value

    def has(self, key: str) -> bool:
        """Say whether `key` was written with a value."""
        return self.node(key) is not None

    def spot_of(self, key: str) -> Spot:
        """Return where the value of `key` stands; the mapping itself where it is absent."""
        entry = self._entries.get(key)
        return self.spot if entry is None else entry.value

    def key_spot(self, key: str) -> Spot:
        """Return where `key` itself stands; the mapping where it is absent."""
        entry = self._entries.get(key)
        return self.spot if entry is None else entry.key

    def missing(self, key: str, advice: str = "") -> None:
        """Report that `key` is needed; silent where an unreadable value was given."""
        entry = self._entries.get(key)
        if entry is None:
            self.findings.error(self.spot, f"{self._what} needs `{key}`{advice}", Rule.MISSING_KEY)
        elif not isinstance(entry.value, LostNode):
            self.findings.error(entry.key, f"`{key}` is empty{advice}", Rule.MISSING_KEY)

    def text(self, key: str, *, required: bool = False) -> str:
        """Return a text without surrounding white space; "" where there is none."""
        node = self.node(key)
        text = "" if node is None else as_text(node, key, self.findings)
        blank = isinstance(node, ScalarNode) and not str(node.value).strip()
        if required and (node is None or blank):
            self.missing(key)
        return text

    def identifier(self, key: str, *, required: bool = True) -> str:
        """Return an id of letters, digits, `_` and `-`; "" where there is none that fits."""
        text = self.text(key, required=required)
        if text and not (_ID.fullmatch(text) and len(text) <= MAX_NAME):
            self.findings.error(
                self.spot_of(key),
                f"`{key}` is {quoted(text)}; write at most {MAX_NAME} letters, digits, _ and -",
                Rule.BAD_ID,
            )
            return ""
        return text

    def variable(self, key: str) -> str:
        """Return the name of a variable; "" where there is none that fits."""
        text = self.text(key, required=True)
        return as_variable(self.spot_of(key), text, self.findings) if text else ""

    def switch(self, key: str) -> bool | None:
        """Return whether `on` or `off` stands under `key`; None where neither does."""
        found = self.word(key, _Switch)
        return None if found is None else found is _Switch.ON

    def boolean(self, key: str, *, default: bool) -> bool:
        """Return true or false."""
        node = self.node(key)
        if node is None:
            return default
        if isinstance(node, ScalarNode) and isinstance(node.value, bool):
            return node.value
        self._wrong(node, key, "true or false")
        return default

    def integer(self, key: str, *, default: int, least: int, most: int | None = None) -> int:
        """Return a whole number within its bounds."""
        node = self.node(key)
        if node is None:
            return default
        bounds = f"a whole number of at least {least}"
        bounds += "" if most is None else f" and at most {most}"
        value = _number(node)
        if isinstance(value, int) and value >= least and (most is None or value <= most):
            return value
        self._wrong(node, key, bounds)
        return default

    def number(self, key: str, *, least: float = -math.inf, most: float = math.inf) -> float | None:
        """Return a number within its bounds; None where there is none."""
        node = self.node(key)
        if node is None:
            return None
        value = _number(node)
        if value is not None and least <= value <= most:
            return float(value)
        bounds = "" if most == math.inf else f" from {least:g} to {most:g}"
        self._wrong(node, key, f"a number{bounds}")
        return None

    def word(self, key: str, words: type[_Word]) -> _Word | None:
        """Return one of a fixed set of words; None where there is none that fits."""
        node = self.node(key)
        if node is None:
            return None
        known = [member.value for member in words]
        if isinstance(node, ScalarNode) and node.text in known:
            return words(node.text)
        if isinstance(node, ScalarNode):
            meant = nearest(node.text, known)
            hint = f"did you mean `{meant}`?" if meant else f"write one of {', '.join(known)}"
            self.findings.error(node, f"`{key}` is {quoted(node.text)}; {hint}", Rule.WRONG_VALUE)
        else:
            self._wrong(node, key, ", ".join(known))
        return None

    def section(self, key: str, shape: Shape) -> Section | None:
        """Return a mapping; None where there is none."""
        node = self.node(key)
        if isinstance(node, MapNode):
            return Section(node, shape, self.findings)
        if node is not None:
            self._wrong(node, key, f"a mapping with {', '.join(shape.keys)}")
        return None

    def items(self, key: str) -> list[Node]:
        """Return the items of a list; [] where there is none."""
        node = self.node(key)
        if isinstance(node, ListNode):
            return node.items
        if node is not None:
            self._wrong(node, key, "a list whose items begin with `- `")
        return []

    def full_list(self, key: str) -> list[Node]:
        """Return the items of a list that must not be empty."""
        items, node = self.items(key), self.node(key)
        if node is None or (isinstance(node, ListNode) and not items):
            self.missing(key, "; list at least one item")
        return items

    def _wrong(self, node: Node, key: str, wanted: str) -> None:
        wrong(node, f"`{key}`", wanted, self.findings)


def _is_null(node: Node) -> bool:
    return isinstance(node, ScalarNode) and node.value is None


def _number(node: Node) -> int | float | None:
    """Return a node's number; None where it holds none (a truth value is none)."""
    value = node.value if isinstance(node, ScalarNode) else None
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def wrong(node: Node, what: str, wanted: str, findings: Findings) -> None:
    """Report that a value is of the wrong kind; silent about lost ones."""
    if isinstance(node, LostNode):
        return
    shown = kind_of(node)
    if isinstance(node, ScalarNode) and isinstance(node.value, str):
        shown = f"the text {quoted(node.value)}"
    findings.error(node, f"{what} is {shown}; write {wanted}", Rule.WRONG_VALUE)


def as_text(node: Node, key: str, findings: Findings) -> str:
    """Return a node's text without surrounding white space; "" and a finding where it is none."""
    if isinstance(node, ScalarNode) and isinstance(node.value, str):
        return node.value.strip()
    what = f"`{key}`"
    if isinstance(node, ScalarNode) and node.value is not None:
        wrong(node, what, f"text, in quotes: '{node.text}'", findings)
    elif isinstance(node, MapNode | ListNode) and node.flow:
        bracket = "{" if isinstance(node, MapNode) else "["
        wrong(node, what, f"text; what begins with {bracket} must stand in quotes", findings)
    else:
        wrong(node, what, "text", findings)
    return ""


def as_variable(spot: Spot, text: str, findings: Findings) -> str:
    """Return `text` if it can name a variable; "" and a finding where it cannot."""
    if is_variable_name(text):
        return text
    findings.error(
        spot,
        f"{quoted(text)} cannot name a variable; write letters, digits, _ or Chinese characters, "
        "no digit first",
        Rule.BAD_NAME,
    )
    return ""
