"""Reads the mappings of the older dialect, and keeps what could not be taken over."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from executor_service.scripts.loading.tree import ListNode, MapNode, Node, ScalarNode
from executor_service.scripts.model.findings import Spot
from heartrule.words.words import Words, say


@dataclass(frozen=True, slots=True)
class Leftover:
    """Something of the older file that its author should look at."""

    line: int
    message: Words


@dataclass(slots=True)
class Leftovers:
    """All of them, in the order they were met."""

    found: list[Leftover] = field(default_factory=list)

    def add(self, spot: Spot, message: Words) -> None:
        """Keep one."""
        self.found.append(Leftover(spot.line, message))


class OlderMapping:
    """One mapping; `unread` names what was not asked for."""

    def __init__(self, node: MapNode, leftovers: Leftovers) -> None:
        """Read nothing yet."""
        self.node = node
        self._leftovers = leftovers
        self._asked: set[str] = set()

    def get(self, key: str) -> Node | None:
        """Return the value of a key; None where it is absent or empty."""
        self._asked.add(key)
        entry = self.node.entries.get(key)
        empty = entry is None or (isinstance(entry.value, ScalarNode) and entry.value.value is None)
        return None if entry is None or empty else entry.value

    def text(self, key: str) -> str:
        """Return the text of a key; "" where there is none."""
        node = self.get(key)
        if node is None:
            return ""
        if isinstance(node, ScalarNode):
            return node.text.strip()
        self._leftovers.add(node, say("cli.migrate.no_text", key=key))
        return ""

    def mappings(self, key: str) -> Iterator[OlderMapping]:
        """Yield the mappings of the list under a key."""
        node = self.get(key)
        if node is None:
            return
        if not isinstance(node, ListNode):
            self._leftovers.add(node, say("cli.migrate.no_list", key=key))
            return
        for item in node.items:
            if isinstance(item, MapNode):
                yield OlderMapping(item, self._leftovers)
            else:
                self._leftovers.add(item, say("cli.migrate.no_mapping", key=key))

    def report_unread(self) -> None:
        """Report the keys that nobody asked for."""
        for key, entry in self.node.entries.items():
            if key not in self._asked:
                self._leftovers.add(entry.key, say("cli.migrate.no_counterpart", key=key))
