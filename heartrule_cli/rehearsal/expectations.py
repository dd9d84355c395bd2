"""Checks what a conversation expects before anything is played: no key that means nothing. Pure."""

from __future__ import annotations

from executor_service.scripts.loading.known_keys import sort_keys
from executor_service.scripts.loading.tree import ListNode, LostNode, MapNode, Node, ScalarNode
from executor_service.scripts.model.findings import Findings
from executor_service.scripts.model.mapping import Shape
from heartrule_cli.rehearsal.shapes import MATCH, RECORDS, TEXTS


def is_match(node: Node) -> bool:
    """Say whether a node is `{has: …}`, `{lacks: …}` or both."""
    return isinstance(node, MapNode) and bool(node.entries) and set(node.entries) <= set(MATCH.keys)


def check_expectation(node: MapNode, shape: Shape, findings: Findings) -> None:
    """Report the unknown keys of an `expect`, and of what is inside."""
    for key, entry in sort_keys(node, shape, findings).entries.items():
        _check(key, entry.value, findings)


def _check(key: str, node: Node, findings: Findings) -> None:
    if is_match(node):
        _check_match(node, findings)
    elif key in TEXTS:
        _check_text(key, node, findings)
    elif key in RECORDS:
        _check_record(key, node, findings)


def _check_text(key: str, node: Node, findings: Findings) -> None:
    if isinstance(node, ListNode):
        for item in node.items:
            _check_text(key, item, findings)
    elif isinstance(node, MapNode):
        sort_keys(node, MATCH, findings)
        _check_match(node, findings)


def _check_match(node: Node, findings: Findings) -> None:
    """Report what is no text in `{has: …}`."""
    for key, entry in node.entries.items() if isinstance(node, MapNode) else ():
        value = entry.value
        for item in value.items if isinstance(value, ListNode) else [value]:
            if not isinstance(item, ScalarNode | LostNode) or _is_null(item):
                findings.error(item, f"`{key}` is a text, or a list of texts")


def _check_record(key: str, node: Node, findings: Findings) -> None:
    if isinstance(node, ListNode):
        for item in node.items:
            _check_record(key, item, findings)
    elif isinstance(node, MapNode):
        for inner, entry in sort_keys(node, RECORDS[key], findings).entries.items():
            if key != inner:
                _check(inner, entry.value, findings)


def _is_null(node: Node) -> bool:
    return isinstance(node, ScalarNode) and node.value is None
