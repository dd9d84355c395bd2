"""Sorts the keys of a mapping: known, older, not yet served, misspelled, unknown."""

from __future__ import annotations

from dataclasses import dataclass, field

from executor_service.scripts.findings import Findings
from executor_service.scripts.keys import Shape, homes_of
from executor_service.scripts.rules import Rule
from executor_service.scripts.tree import Entry, MapNode
from executor_service.scripts.wording import LIKELY, nearest, quoted, snake_case


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
        if key in shape.later:
            findings.error(
                entry.key, f"`{key}` is not yet supported; leave it out", Rule.NOT_SUPPORTED
            )
        elif key in shape.older:
            _older(found, key, entry, shape, findings)
        else:
            _unknown(found, key, entry, shape, findings)
    return found


def _older(found: SortedKeys, key: str, entry: Entry, shape: Shape, findings: Findings) -> None:
    new = shape.older[key]
    if new in found.entries:
        findings.error(
            entry.key,
            f"`{key}` is the older name of `{new}`, which is given too; keep `{new}`",
            Rule.DUPLICATE_KEY,
        )
        return
    if new == "output":
        found.older[key] = entry  # its reader knows the form, and warns
        return
    findings.warning(entry.key, f"`{key}` is an older name; write `{new}`", Rule.OLDER_NAME)
    found.entries[new] = entry


def _unknown(found: SortedKeys, key: str, entry: Entry, shape: Shape, findings: Findings) -> None:
    message, right = _complaint(key, shape)
    findings.error(entry.key, message, Rule.UNKNOWN_KEY)
    if right in shape.keys:
        found.entries.setdefault(right, entry)


def _complaint(key: str, shape: Shape) -> tuple[str, str]:
    """Return what is wrong with an unknown key, and the key whose value it surely is."""
    snake = snake_case(key)
    if snake != key and snake in (*shape.keys, *shape.later, *shape.older):
        right = shape.older.get(snake, snake)
        later = " (not yet supported)" if snake in shape.later else ""
        return f"`{key}` is not spelled in snake_case; write `{right}`{later}", right
    if key in shape.aliases:
        right = shape.aliases[key]
        return f"{shape.what} has no `{key}`; write `{right}`", right
    homes = homes_of(key) or homes_of(snake)
    why = f": {shape.why_not[key]}" if key in shape.why_not else ""
    if homes:
        return f"`{key}` belongs to {', '.join(homes)}, not to {shape.what}{why}", ""
    if why:
        return f"{shape.what} has no `{key}`{why}", ""
    return _guess(key, shape)


def _guess(key: str, shape: Shape) -> tuple[str, str]:
    surely = nearest(key, shape.keys, likeness=LIKELY)
    maybe = surely or nearest(key, (*shape.keys, *shape.later))
    hint = f"did you mean `{maybe}`?" if maybe else f"known here: {', '.join(shape.keys)}"
    return f"unknown key {quoted(key)} in {shape.what}; {hint}", surely
