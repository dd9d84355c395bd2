"""Recognises scripts of other dialects, so that they are refused by one sentence, not by hundreds.

Earlier tools used other shapes: `sessions:`, `steps:`, and the verb as the key of an action. None
of it runs here, not even the part that looks familiar.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from executor_service.scripts.loading.tree import ListNode, MapNode, Node
from executor_service.scripts.model.actions import NOT_YET_ACTION_TYPES, ActionType
from executor_service.scripts.model.findings import Spot

_FOREIGN_KEYS = frozenset({"sessions", "steps"})
_VERBS = frozenset(
    {
        *ActionType,
        *NOT_YET_ACTION_TYPES,
        *("say", "ask", "think", "speak", "tell", "listen", "wait", "show", "form", "fill"),
        *("skill", "agent", "call", "goto", "set", "if"),
    }
)
_LISTS = ("phases", "topics", "actions")


@dataclass(frozen=True, slots=True)
class Dialect:
    """Where a script shows that it speaks another dialect."""

    spot: Spot
    message: str


def find_dialect(root: Node) -> Dialect | None:
    """Return the first sign of another dialect; None in a script of ours, right or wrong."""
    if isinstance(root, ListNode):
        return Dialect(
            root, "a list is not a script of this language; a script is a mapping with `session:`"
        )
    return next(_signs(root, 0), None)


def _signs(node: Node, depth: int) -> Iterator[Dialect]:
    """Walk root → session → phases → topics → actions and yield what does not belong there."""
    if not isinstance(node, MapNode):
        return
    for key in _FOREIGN_KEYS & node.entries.keys():
        yield Dialect(
            node.entries[key].key,
            f"`{key}:` belongs to another dialect, which is not supported; "
            "write session → phases → topics → actions",
        )
    if depth == 0:
        session = node.entries.get("session")
        if session is not None:
            yield from _signs(session.value, 1)
        return
    inner = node.entries.get(_LISTS[depth - 1])
    for item in inner.value.items if inner and isinstance(inner.value, ListNode) else ():
        yield from _verb(item) if depth == len(_LISTS) else _signs(item, depth + 1)


def _verb(node: Node) -> Iterator[Dialect]:
    if not isinstance(node, MapNode) or "action_type" in node.entries:
        return
    for key, entry in node.entries.items():
        if key in _VERBS:
            yield Dialect(
                entry.key,
                f"an action written as `- {key}: …` belongs to another dialect, which is not "
                "supported; write `action_type: ai_…` with an `action_id` and a `config`",
            )
