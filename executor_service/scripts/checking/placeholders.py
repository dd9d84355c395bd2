"""Where the texts of a script read variables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from executor_service.scripts.loading.tree import ScalarNode
from executor_service.scripts.model.findings import At, Spot
from heartrule.model.template_filling import placeholders


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """One place of a script that reads a variable."""

    name: str
    spot: Spot
    system_only: bool = False
    """True for `{%x%}`, which never reads a script variable."""


def reads_of(node: ScalarNode, source: str) -> Iterator[Read]:
    """Yield the placeholders of one text, each at its own line and column.

    Args:
        node: The text.
        source: The whole file; an escaped placeholder is located at the beginning of its text.
    """
    written, cursor, line_start = source[node.start : node.end], 0, 0
    line, first_column = node.line, node.column
    for found in placeholders(node.text):
        offset = written.find(found.written, cursor)
        if offset < 0:
            yield Read(name=found.name, spot=node, system_only=found.system_only)
            continue
        breaks = written.count("\n", cursor, offset)
        if breaks:
            line, first_column = line + breaks, 1
            line_start = written.rfind("\n", cursor, offset) + 1
        cursor = offset + len(found.written)
        spot = At(line, first_column + offset - line_start)
        yield Read(name=found.name, spot=spot, system_only=found.system_only)


def spot_in(node: ScalarNode, offset: int, source: str) -> Spot:
    """Return the place in the file of the character at `offset` of a text.

    Quotes, indentation and line breaks of YAML are passed over; where the text was written with
    escapes and the character cannot be found, its beginning is returned.
    """
    written, text = source[node.start : node.end], node.text
    cursor = written.find("\n") + 1 if written[:1] in {"|", ">"} else 0
    cursor += written[cursor : cursor + 1] in {"'", '"'} and text[:1] != written[:1]
    for char in text[:offset]:
        if not char.isspace():
            cursor = written.find(char, cursor) + 1
            if not cursor:
                return node
    if offset < len(text) and not text[offset].isspace():
        cursor = max(cursor, written.find(text[offset], cursor))
    breaks = written.count("\n", 0, cursor)
    column = cursor - written.rfind("\n", 0, cursor) if breaks else node.column + cursor
    return At(node.line + breaks, column)
