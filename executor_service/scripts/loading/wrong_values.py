"""What is reported of a value of the wrong kind."""

from __future__ import annotations

from executor_service.scripts.loading.tree import (
    ListNode,
    LostNode,
    MapNode,
    Node,
    ScalarNode,
    kind_of,
)
from executor_service.scripts.model.findings import Findings
from executor_service.scripts.model.wording import quoted
from heartrule.words.words import Said, say


def wrong(node: Node, what: Said, wanted: Said, findings: Findings) -> None:
    """Report that a value is of the wrong kind; silent about lost ones."""
    if isinstance(node, LostNode):
        return
    shown = kind_of(node)
    if isinstance(node, ScalarNode) and isinstance(node.value, str):
        shown = say("kind.the_text", text=quoted(node.value))
    findings.report("wrong", node, what=what, shown=shown, wanted=wanted)


def wanted_for(code: str, node: Node) -> Said:
    """Return what stands in the place of a node, by the validator's error code."""
    if code == "bool_type":
        return say("wanted.truth")
    if isinstance(node, ScalarNode) and node.value is not None:
        return say("wanted.quoted_text", text=node.text)
    if isinstance(node, MapNode | ListNode) and node.flow:
        bracket = "{" if isinstance(node, MapNode) else "["
        return say("wanted.text_or_quotes", bracket=bracket)
    return say("wanted.text")


def as_text(node: Node, key: str, findings: Findings) -> str:
    """Return a node's text without surrounding white space; "" and a finding where it is none."""
    if isinstance(node, ScalarNode) and isinstance(node.value, str):
        return node.value.strip()
    wrong(node, f"`{key}`", wanted_for("string_type", node), findings)
    return ""
