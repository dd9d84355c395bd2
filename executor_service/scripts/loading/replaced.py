"""A bundle in which one action has another config: the script's text, edited at that one place.

The new config stands as JSON where the old one stood, so that the loader's own checks find what is
wrong with it, at the lines of the edited text; every line above stays where it was.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import yaml

from heartrule.domain.errors import FieldViolation, InvalidRequest
from heartrule.domain.replacement import ActionReplacement

_STEP = "  "


def replaced_files(
    files: Mapping[str, bytes], main: str, tried: Iterable[ActionReplacement]
) -> dict[str, bytes]:
    """Return the bundle's files with the configs in the place of the script's own.

    Raises:
        InvalidRequest: The script has no such phase, topic or action; the field is named.
    """
    text = files[main].decode()
    for each in tried:
        text = _edited(text, each)
    return {**files, main: text.encode()}


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a config is to stand: the text before and after it, and its indentation."""

    before: str
    after: str
    indent: str


def _edited(text: str, tried: ActionReplacement) -> str:
    place = _place(text, _action(text, tried))
    lines = json.dumps(tried.config, ensure_ascii=False, indent=2, default=dict).split("\n")
    return place.before + f"\n{place.indent}".join(lines) + place.after


def _place(text: str, action: yaml.MappingNode) -> _Place:
    """Return where the action's config stands; behind its last key where it has none."""
    indent = " " * (action.value[0][0].start_mark.column + len(_STEP))
    config = _value(action, "config")
    if config is None:
        first = action.value[0][0]
        head = "config: "
        tail = ", " if action.flow_style else f"\n{' ' * first.start_mark.column}"
        at = first.start_mark.index
        return _Place(text[:at] + head, tail + text[at:], indent)
    end = config.end_mark
    rest = text[end.index :]
    block = isinstance(config, yaml.CollectionNode) and not config.flow_style
    # A block ends where the next thing begins: that stands on a line of its own.
    after = f"\n{' ' * end.column}{rest}" if block else rest
    return _Place(text[: config.start_mark.index], after, indent)


def _action(text: str, tried: ActionReplacement) -> yaml.MappingNode:
    """Return the action's mapping."""
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    node: yaml.Node | None = _value(root, "session")
    wanted = (("phases", "phase", tried.phase_id), ("topics", "topic", tried.topic_id))
    for children, kind, name in (*wanted, ("actions", "action", tried.action_id)):
        node = _child(node, children, kind, name)
    assert isinstance(node, yaml.MappingNode), "a child is a mapping"
    return node


def _child(parent: yaml.Node | None, children: str, kind: str, name: str) -> yaml.MappingNode:
    found = _value(parent, children)
    for each in found.value if isinstance(found, yaml.SequenceNode) else ():
        named = _value(each, f"{kind}_id")
        if isinstance(named, yaml.ScalarNode) and named.value == name:
            assert isinstance(each, yaml.MappingNode), "it has a key"
            return each
    wrong = FieldViolation(
        field=f"replacement.{kind}_id", description=f"the script has no {kind} {name!r} there"
    )
    raise InvalidRequest(f"{wrong.field}: {wrong.description}", violations=(wrong,))


def _value(node: yaml.Node | None, key: str) -> yaml.Node | None:
    for name, value in node.value if isinstance(node, yaml.MappingNode) else ():
        if isinstance(name, yaml.ScalarNode) and name.value == key:
            return value if isinstance(value, yaml.Node) else None
    return None
