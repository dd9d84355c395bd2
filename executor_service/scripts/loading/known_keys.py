"""Sorts the keys of a mapping: known, older, misspelled, unknown."""

from __future__ import annotations

from dataclasses import dataclass, field

from executor_service.scripts.loading.tree import Entry, MapNode
from executor_service.scripts.model.actions import CONFIGS
from executor_service.scripts.model.fields import Form
from executor_service.scripts.model.findings import Findings
from executor_service.scripts.model.mapping import Shape, shape_of
from executor_service.scripts.model.script import Action, Phase, Script, Topic
from executor_service.scripts.model.wording import LIKELY, nearest, quoted, snake_case


@dataclass(slots=True)
class SortedKeys:
    """The entries of a mapping under the names of today."""

    entries: dict[str, Entry] = field(default_factory=dict)
    """By known key; a misspelled key's value is here too, so that it is checked as well."""
    older: dict[str, Entry] = field(default_factory=dict)
    """By deprecated name, where the value has another form than today's."""


def sort_keys(node: MapNode, shape: Shape, findings: Findings) -> SortedKeys:
    """Sort the keys of `node`; everything but known keys is reported."""
    found = SortedKeys()
    for key, entry in node.entries.items():
        if key in shape.keys:
            found.entries[key] = entry
    for key, entry in node.entries.items():
        if key in shape.keys:
            continue
        if findings.is_full:
            break
        if key in shape.older:
            _older(found, key, entry, shape, findings)
        else:
            right = _unknown(key, entry, shape, findings)
            if right in shape.keys:
                found.entries.setdefault(right, entry)
    return found


def homes_of(key: str) -> tuple[str, ...]:
    """Return the parts of a script that know `key`."""
    return tuple(shape.what for shape in map(shape_of, _PARTS) if key in shape.keys)


_PARTS = (Script, Phase, Topic, Action, Form, *CONFIGS.values())


def _older(found: SortedKeys, key: str, entry: Entry, shape: Shape, findings: Findings) -> None:
    new = shape.older[key]
    if new in found.entries:
        findings.report("older_beside", entry.key, key=key, new=new)
        return
    if new == "output":
        found.older[key] = entry  # its reader knows the form, and warns
        return
    findings.report("older_name", entry.key, key=key, new=new)
    found.entries[new] = entry


def _unknown(key: str, entry: Entry, shape: Shape, findings: Findings) -> str:
    """Report an unknown key, and return the key whose value it surely is; "" where none is sure."""
    what, snake = shape.what, snake_case(key)
    why = f": {shape.why_not[key]}" if key in shape.why_not else ""
    homes = homes_of(key) or homes_of(snake)
    if snake != key and snake in (*shape.keys, *shape.older):
        right = shape.older.get(snake, snake)
        findings.report("camel_case", entry.key, key=key, right=right)
        return right
    if key in shape.aliases:
        findings.report("other_name", entry.key, what=what, key=key, right=shape.aliases[key])
        return shape.aliases[key]
    if homes:
        findings.report(
            "other_place", entry.key, key=key, homes=", ".join(homes), what=what, why=why
        )
        return ""
    if why:
        findings.report("not_here", entry.key, what=what, key=key, why=why)
        return ""
    return _guess(key, entry, shape, findings)


def _guess(key: str, entry: Entry, shape: Shape, findings: Findings) -> str:
    shown = {"shown": quoted(key), "what": shape.what}
    surely = nearest(key, shape.keys, likeness=LIKELY)
    maybe = surely or nearest(key, shape.keys)
    if maybe:
        findings.report("likely_key", entry.key, **shown, meant=maybe)
    else:
        findings.report("unknown_key", entry.key, **shown, known=", ".join(shape.keys))
    return surely
