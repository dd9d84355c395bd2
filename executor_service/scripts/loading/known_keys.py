"""Sorts the keys of a mapping: known, older, misspelled, unknown."""

from __future__ import annotations

from executor_service.scripts.loading.older_outputs import OUTPUT, output_of
from executor_service.scripts.loading.tree import Entry, MapNode, ScalarNode, to_json
from executor_service.scripts.model.actions import CONFIGS
from executor_service.scripts.model.fields import Form
from executor_service.scripts.model.findings import Findings
from executor_service.scripts.model.mapping import Shape, shape_of
from executor_service.scripts.model.repairs import Edit, FindingRepair
from executor_service.scripts.model.script import Action, Phase, Script, Topic
from executor_service.scripts.model.wording import LIKELY, nearest, quoted, snake_case
from heartrule.words.words import Fact, Said, say


def sort_keys(node: MapNode, shape: Shape, findings: Findings) -> dict[str, Entry]:
    """Return the entries of `node` under the names of today; others than these are reported.

    A misspelled key's value is among them, so that it is checked as well.
    """
    found = {key: entry for key, entry in node.entries.items() if key in shape.keys}
    outputs: dict[str, Entry] = {}
    for key, entry in node.entries.items():
        if key in shape.keys:
            continue
        if findings.is_full:
            break
        if key not in shape.older:
            right = _unknown(key, entry, node, shape, findings)
            if right in shape.keys:
                found.setdefault(right, entry)
        elif shape.older[key] == OUTPUT and OUTPUT not in found:
            outputs[key] = entry
        else:
            _older(found, key, entry, shape.older[key], findings)
    if outputs:
        found.setdefault(OUTPUT, output_of(outputs, findings))
    return found


def homes_of(key: str) -> tuple[Said, ...]:
    """Return the parts of a script that know `key`."""
    return tuple(shape.what for shape in map(shape_of, _PARTS) if key in shape.keys)


_PARTS = (Script, Phase, Topic, Action, Form, *CONFIGS.values())


def _older(found: dict[str, Entry], key: str, entry: Entry, new: str, findings: Findings) -> None:
    if new in found:
        _once_more(found[new], key, entry, new, findings)
        return
    findings.report("older_name", entry.key, renamed(entry.key, new), key=key, new=new)
    found[new] = entry


def _once_more(first: Entry, key: str, entry: Entry, new: str, findings: Findings) -> None:
    """Report an older name of what another name gave already."""
    facts = {"key": key, "new": new, "first": first.key.text}
    if first.key.text == new:
        findings.report("older_beside", entry.key, **facts)
    elif to_json(first.value) == to_json(entry.value):
        findings.report("older_again", entry.key, _removed(entry), **facts)
    else:
        findings.report("older_names_differ", entry.key, **facts)


def renamed(key: ScalarNode, now: str) -> FindingRepair:
    """Return the repair that writes another name in the place of a key."""
    return FindingRepair(key.text, now, (Edit(key.start, key.end, now),))


def _removed(entry: Entry) -> FindingRepair | None:
    if not isinstance(entry.value, ScalarNode):
        return None
    return FindingRepair(entry.key.text, "", (Edit(entry.key.start, entry.value.end, ""),))


def _unknown(key: str, entry: Entry, node: MapNode, shape: Shape, findings: Findings) -> str:
    """Report an unknown key, and return the key whose value it surely is; "" where none is sure."""
    what, snake = shape.what, snake_case(key)
    why: Said = say("because", why=shape.why_not[key]) if key in shape.why_not else ""
    homes = homes_of(key) or homes_of(snake)
    if snake != key and snake in (*shape.keys, *shape.older):
        right = shape.older.get(snake, snake)
        repair = renamed(entry.key, snake) if not {snake, right} & node.entries.keys() else None
        findings.report("camel_case", entry.key, repair, key=key, right=right)
        return right
    if key in shape.aliases:
        right = shape.aliases[key]
        repair = renamed(entry.key, right) if right not in node.entries else None
        findings.report("other_name", entry.key, repair, what=what, key=key, right=right)
        return right
    if homes:
        findings.report("other_place", entry.key, key=key, homes=homes, what=what, why=why)
        return ""
    if why:
        findings.report("not_here", entry.key, what=what, key=key, why=why)
        return ""
    return _guess(key, entry, shape, findings)


def _guess(key: str, entry: Entry, shape: Shape, findings: Findings) -> str:
    shown: dict[str, Fact] = {"shown": quoted(key), "what": shape.what}
    surely = nearest(key, shape.keys, likeness=LIKELY)
    maybe = surely or nearest(key, shape.keys)
    if maybe:
        findings.report("likely_key", entry.key, **shown, meant=maybe)
    else:
        findings.report("unknown_key", entry.key, **shown, known=shape.keys)
    return surely
