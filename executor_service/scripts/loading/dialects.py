"""Signs of scripts that other tools wrote: another dialect, or a file that has no place here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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


def is_foreign(root: Node, findings: Findings) -> bool:
    """Return whether a script is of another dialect; then its first sign is the only finding."""
    code, spot, key = _first_sign(root)
    if code:
        findings.clear()  # what looks wrong here may be right in the other dialect
        findings.report(code, spot, key=key)
    return bool(code)


def _first_sign(root: Node) -> tuple[str, Spot, str]:
    """Return the finding, its place and the key; no finding in a script of ours."""
    if isinstance(root, ListNode):
        return "dialect_of_lists", root, ""
    return next(_signs(root, 0), ("", root, ""))


def _signs(node: Node, depth: int) -> Iterator[tuple[str, Spot, str]]:
    """Walk root → session → phases → topics → actions and yield what does not belong there."""
    if not isinstance(node, MapNode):
        return
    if depth > len(_LISTS):
        for key, entry in node.entries.items() if "action_type" not in node.entries else ():
            if key in _VERBS:
                yield "dialect_of_verbs", entry.key, key
        return
    for key in _FOREIGN_KEYS & node.entries.keys():
        yield "dialect_of_keys", node.entries[key].key, key
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
