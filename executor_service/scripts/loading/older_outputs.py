"""Older names of `output`: read as today's key, and how each is written today."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from executor_service.scripts.loading.tree import (
    Entry,
    ListNode,
    MapNode,
    Node,
    ScalarNode,
)
from executor_service.scripts.loading.wrong_values import as_text
from executor_service.scripts.model.actions import EXTRACTION_PROMPT
from executor_service.scripts.model.findings import Findings
from executor_service.scripts.model.repairs import Edit, FindingRepair

OUTPUT = "output"


def output_of(older: Mapping[str, Entry], findings: Findings) -> Entry:
    """Return what older keys gather as the `output` of today; each of them is reported."""
    targets = {key: entry for key, entry in older.items() if key != EXTRACTION_PROMPT}
    repair, define = _repair(targets, older.get(EXTRACTION_PROMPT)), _define(older, findings)
    for key, entry in targets.items():
        findings.report("older_output", entry.key, repair, key=key)
    first = next(iter(older.values())).key
    items = [
        item
        for key, entry in targets.items()
        for item in _items(key, entry.value, define, findings)
    ]
    return Entry(first, ListNode(first.line, first.column, flow=False, items=items))


def _define(older: Mapping[str, Entry], findings: Findings) -> dict[str, Entry]:
    """Return the definition of all older outputs as a key of today; empty where there is none."""
    entry = older.get(EXTRACTION_PROMPT)
    if entry is None:
        return {}
    code = "older_definition" if len(older) > 1 else "definition_alone"
    findings.report(code, entry.key, extraction_prompt=EXTRACTION_PROMPT)
    return {"define": entry} if as_text(entry.value, EXTRACTION_PROMPT, findings) else {}


def _items(
    key: str, value: Node, define: Mapping[str, Entry], findings: Findings
) -> Iterator[Node]:
    """Yield outputs: a name alone becomes one, and those without a definition have this one."""
    for node in value.items if isinstance(value, ListNode) else [value]:
        if isinstance(node, MapNode):
            yield MapNode(node.line, node.column, node.flow, {**define, **node.entries})
        elif as_text(node, key, findings) and isinstance(node, ScalarNode):
            named = {"get": Entry(node, node), **define}
            yield MapNode(node.line, node.column, flow=True, entries=named)


def _repair(targets: Mapping[str, Entry], definition: Entry | None) -> FindingRepair | None:
    """Return the edits that write older keys as `output`; None where they are not that simple."""
    if len(targets) != 1:
        return None
    ((key, entry),) = targets.items()
    define = ""
    removal: tuple[Edit, ...] = ()
    if definition is not None:
        if not isinstance(definition.value, ScalarNode):
            return None
        define = definition.value.text.strip()
        removal = (Edit(definition.key.start, definition.value.end, ""),)
    edits = _values(entry.value, define)
    if edits is None:
        return None
    name = Edit(entry.key.start, entry.key.end, OUTPUT)
    return FindingRepair(key, OUTPUT, (name, *edits, *removal))


def _values(value: Node, define: str) -> tuple[Edit, ...] | None:
    """Return the edits that make outputs of names; None where one is written otherwise."""
    if isinstance(value, ScalarNode):
        return (Edit(value.start, value.end, f"[{_output(value, define)}]"),)
    if not isinstance(value, ListNode):
        return None
    edits = []
    for item in value.items:
        if not isinstance(item, ScalarNode):
            return None
        edits.append(Edit(item.start, item.end, _output(item, define)))
    return tuple(edits)


def _output(name: ScalarNode, define: str) -> str:
    told = f", define: {json.dumps(define, ensure_ascii=False)}" if define else ""
    return f"{{get: {name.text.strip()}{told}}}"
