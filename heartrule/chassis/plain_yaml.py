"""YAML of our own settings, read as plain strings: no anchors, no tags, no duplicate keys.

Every scalar stays the text that was written, so that `NO` is a word and not a boolean; whoever
reads the tree gives the types (pydantic does it for providers.yaml).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeAlias

import yaml

from heartrule.domain.errors import FieldViolation, InvalidRequest

# What a document holds: strings, lists and mappings.
PlainYaml: TypeAlias = "str | list[PlainYaml] | dict[str, PlainYaml]"

# The same language by libyaml, ten times as fast, where PyYAML was built with it.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_MAX_DEPTH = 16  # a settings file has four levels; deeper nesting is an attack on the reader


class _Mark(Protocol):
    """A place in the text; PyYAML has two classes for it."""

    line: int
    column: int


class InvalidSettingsFile(InvalidRequest):
    """A settings file cannot be read; each violation names `file:line:column`."""


def read_plain_yaml(text: str, *, source: str, first_line: int = 1) -> PlainYaml:
    """Return the document as plain values.

    Args:
        text: One YAML document.
        source: Name of the file, for errors.
        first_line: Line of the file at which `text` begins.

    Raises:
        InvalidSettingsFile: The text is no YAML, or uses more of YAML than settings need.
    """
    reader = _YamlReader(source=source, shift=first_line)
    try:
        _check_events(text, reader)
        node = yaml.compose(text, Loader=_LOADER)
    except yaml.MarkedYAMLError as error:
        raise reader.error(error.problem_mark, error.problem or "not readable as YAML") from error
    except yaml.YAMLError as error:
        raise reader.error(None, str(error).splitlines()[0]) from error
    return "" if node is None else reader.value(node)


def places_in(text: str, paths: Iterable[Sequence[int | str]]) -> list[tuple[int, int]]:
    """Return line and column, from 1, of the value each path leads to in a readable document.

    A path that leads nowhere gets the place of its last part that is there.
    """
    root = yaml.compose(text, Loader=_LOADER)
    return [(1, 1) if root is None else _place(root, path) for path in paths]


def _place(node: yaml.Node, path: Sequence[int | str]) -> tuple[int, int]:
    for part in path:
        if isinstance(node, yaml.SequenceNode) and isinstance(part, int):
            found = node.value[part : part + 1]
        elif isinstance(node, yaml.MappingNode):
            found = [value for key, value in node.value if key.value == part]
        else:
            found = []
        if not found:
            break
        node = found[0]
    return node.start_mark.line + 1, node.start_mark.column + 1


def _check_events(text: str, reader: _YamlReader) -> None:
    """Refuse anchors and depth before a tree is built: building one recurses."""
    depth = 0
    for event in yaml.parse(text, Loader=_LOADER):
        if getattr(event, "anchor", None) is not None:
            raise reader.error(event.start_mark, "anchors and aliases are not allowed here")
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > _MAX_DEPTH:
            raise reader.error(event.start_mark, f"nested deeper than {_MAX_DEPTH}")


class _YamlReader:
    """Turns nodes into values and marks into places."""

    def __init__(self, *, source: str, shift: int) -> None:
        self._source = source
        self._shift = shift

    def error(self, mark: _Mark | None, problem: str) -> InvalidSettingsFile:
        """Return the error for one place."""
        line = self._shift + (mark.line if mark else 0)
        place = f"{self._source}:{line}:{mark.column + 1 if mark else 1}"
        return InvalidSettingsFile(
            f"{place}: {problem}",
            reason="INVALID_SETTINGS_FILE",
            violations=(FieldViolation(field=place, description=problem),),
        )

    def value(self, node: yaml.Node) -> PlainYaml:
        """Return one node as a plain value."""
        if isinstance(node, yaml.ScalarNode):
            return str(node.value)
        if isinstance(node, yaml.SequenceNode):
            return [self.value(item) for item in node.value]
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node)
        raise self.error(node.start_mark, "unknown kind of YAML node")

    def _mapping(self, node: yaml.MappingNode) -> PlainYaml:
        found: dict[str, PlainYaml] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                raise self.error(key_node.start_mark, "a key must be plain text")
            key = str(key_node.value)
            if key in found:
                raise self.error(key_node.start_mark, f"the key {key!r} stands here twice")
            found[key] = self.value(value_node)
        return found
