"""Declarations: read where they are written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from types import MappingProxyType

from executor_service.scripts.checking.board import Declared
from executor_service.scripts.loading.mapping_reader import Reader
from executor_service.scripts.loading.section import Section, wrong
from executor_service.scripts.loading.tree import MapNode, Node
from executor_service.scripts.model.findings import SourcePlace
from executor_service.scripts.model.mapping import changed, shape_of
from executor_service.scripts.model.settings import Declaration
from heartrule.domain.json_value import JsonValue
from heartrule.domain.output_type import OutputType
from heartrule.domain.variables import VariableScope

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_WANTED = MappingProxyType(
    {
        OutputType.TEXT: "text",
        OutputType.CHOICE: "text",
        OutputType.NUMBER: "a number",
        OutputType.INTEGER: "a whole number",
        OutputType.BOOLEAN: "true or false",
        OutputType.DATE: "a date such as 2026-11-21",
    }
)


def read_declarations(
    nodes: Sequence[Node], scope: VariableScope, section: Section, reader: Reader
) -> list[Declared]:
    """Read the items of a `declare` or `global` list.

    Args:
        nodes: The items.
        scope: The scope of those that name none.
        section: The mapping that has the list.
        reader: Reads each of them.
    """
    shape, found = shape_of(Declaration), []
    for node in nodes:
        if isinstance(node, MapNode):
            declared = _read(Section(node, shape, section.findings), scope, reader)
            if declared.declaration.var:
                found.append(declared)
        else:
            wrong(node, shape.what, shape_of(Declaration).item, section.findings)
    return found


def _read(section: Section, scope: VariableScope, reader: Reader) -> Declared:
    place = SourcePlace(
        file=section.findings.file, line=section.spot.line, column=section.spot.column
    )
    made: Declaration = reader.part(Declaration, section, place=place)
    explicit = made.type if section.fits("type") else None
    node = section.node("value")
    if node is not None and explicit is not None and not _fits(made.value, explicit):
        wanted = f"{_WANTED[explicit]}, as its type is {explicit.value}"
        wrong(node, "`value`", wanted, section.findings)
    declaration = changed(
        made,
        scope=made.scope if section.fits("scope") else scope,
        type=explicit or _type_of(made.value),
    )
    return Declared(declaration=declaration, explicit_type=explicit)


def _type_of(value: JsonValue) -> OutputType:
    """Return the type of a variable that names none, by its first value."""
    if isinstance(value, bool):
        return OutputType.BOOLEAN
    return OutputType.NUMBER if isinstance(value, int | float) else OutputType.TEXT


def _fits(value: JsonValue, kind: OutputType) -> bool:
    if kind is OutputType.BOOLEAN:
        return isinstance(value, bool)
    if isinstance(value, bool):
        return False
    if kind is OutputType.INTEGER:
        return isinstance(value, int)
    if kind is OutputType.NUMBER:
        return isinstance(value, int | float)
    if kind is OutputType.DATE:
        return isinstance(value, str) and is_date(value)
    return isinstance(value, str)


def is_date(text: str) -> bool:
    """Return whether `text` is a day of the calendar, written YYYY-MM-DD."""
    if _DATE.fullmatch(text) is None:
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
