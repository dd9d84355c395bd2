"""A bundle in which one action has another config: the script's text, edited at that one place.

The new config is written as JSON in the place of the old one, so that the loader's own checks find
its mistakes, at the lines of the edited text; the lines above are unchanged.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

import yaml

from heartrule.domain.errors import FieldViolation, InvalidRequest
from heartrule.domain.replacement import ActionReplacement

_STEP = "  "  # JSON in a block is indented deeper than its key


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


def _edited(text: str, tried: ActionReplacement) -> str:
    action = _action(text, tried)
    first, config = action.value[0][0].start_mark, _value(action, "config")
    before, after = text[: first.index] + "config: ", text[first.index :]
    if config is not None:
        before, after = text[: config.start_mark.index], text[config.end_mark.index :]
        if isinstance(config, yaml.CollectionNode) and not config.flow_style:
            # A block ends where the next node begins, which needs a line of its own.
            after = f"\n{' ' * config.end_mark.column}{after}"
    elif action.flow_style:
        after = f", {after}"
    else:
        after = f"\n{' ' * first.column}{after}"
    lines = json.dumps(tried.config, ensure_ascii=False, indent=2, default=dict).split("\n")
    return before + f"\n{' ' * (first.column + len(_STEP))}".join(lines) + after


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
