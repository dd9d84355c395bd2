"""How an older name of `output` is written today: the repair of its finding."""

from __future__ import annotations

import json
from collections.abc import Mapping

from executor_service.scripts.loading.tree import Entry, ListNode, Node, ScalarNode
from executor_service.scripts.model.actions import EXTRACTION_PROMPT
from executor_service.scripts.model.repairs import Edit, FindingRepair

_NEW = "output"


def output_repair(older: Mapping[str, Entry]) -> FindingRepair | None:
    """Return the edits that write older keys as `output`; None where they are not that simple."""
    targets = [key for key in older if key != EXTRACTION_PROMPT]
    if len(targets) != 1:
        return None
    (key,) = targets
    entry, definition = older[key], older.get(EXTRACTION_PROMPT)
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
    name = Edit(entry.key.start, entry.key.end, _NEW)
    return FindingRepair(key, _NEW, (name, *edits, *removal))


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
