"""Signs of scripts that other tools wrote: another dialect, or a file that has no place here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from executor_service.scripts.loading.tree import ListNode, MapNode, Node
from executor_service.scripts.model.actions import ActionType
from executor_service.scripts.model.findings import Findings, Spot
from heartrule.words.words import say

# What other tools keep in files beside a script → the words that say where it is written here.
_SIDE_FILES: Mapping[str, str] = MappingProxyType(
    {
        "roles": "side.roles",
        "forms": "side.forms",
        "nodes": "side.nodes",
        "skills": "side.skills",
    }
)
_FOREIGN_KEYS = frozenset({"sessions", "steps"})
_VERBS = frozenset(
    {
        *ActionType,
        *("say", "ask", "think", "speak", "tell", "listen", "wait", "show", "form", "fill"),
        *("skill", "agent", "call", "goto", "set", "if"),
    }
)
_LISTS = ("phases", "topics", "actions")


@dataclass(frozen=True, slots=True)
class Dialect:
    """The place that shows that a script is of another dialect."""

    code: str
    """Of the finding."""
    spot: Spot
    key: str = ""


def find_dialect(root: Node) -> Dialect | None:
    """Return the first sign of another dialect; None in a script of ours, right or wrong."""
    if isinstance(root, ListNode):
        return Dialect("dialect_of_lists", root)
    return next(_signs(root, 0), None)


def _signs(node: Node, depth: int) -> Iterator[Dialect]:
    """Walk root → session → phases → topics → actions and yield what does not belong there."""
    if not isinstance(node, MapNode):
        return
    if depth > len(_LISTS):
        for key, entry in node.entries.items() if "action_type" not in node.entries else ():
            if key in _VERBS:
                yield Dialect("dialect_of_verbs", entry.key, key)
        return
    for key in _FOREIGN_KEYS & node.entries.keys():
        yield Dialect("dialect_of_keys", node.entries[key].key, key)
    if depth == 0:
        session = node.entries.get("session")
        if session is not None:
            yield from _signs(session.value, 1)
        return
    inner = node.entries.get(_LISTS[depth - 1])
    for item in inner.value.items if inner and isinstance(inner.value, ListNode) else ():
        yield from _signs(item, depth + 1)


def is_side_file(root: MapNode, findings: Findings) -> bool:
    """Return whether a file holds what others keep beside a script; then it is reported."""
    key = next((key for key in _SIDE_FILES if key in root.entries), "")
    if not key or "session" in root.entries:
        return False
    findings.report("side_file", root.entries[key].key, key=key, advice=say(_SIDE_FILES[key]))
    return True
