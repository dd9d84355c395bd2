"""Declarations: read where they are written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from executor_service.scripts.loading.mapping_reader import Reader
from executor_service.scripts.loading.section import Section
from executor_service.scripts.loading.wrong_values import wrong
from executor_service.scripts.model.kinds import is_date
from executor_service.scripts.model.limits import Counted
from executor_service.scripts.model.mapping import changed
from executor_service.scripts.model.settings import Declaration
from heartrule.domain.output_type import OutputType
from heartrule.domain.variables import VariableScope
from heartrule.words.words import Words, say

# bool is an int to Python, and no number to an author: the types are compared exactly.
_FIRST_VALUES: Mapping[OutputType, tuple[frozenset[type], Words]] = MappingProxyType(
    {
        OutputType.TEXT: (frozenset({str}), say("wanted.text")),
        OutputType.CHOICE: (frozenset({str}), say("wanted.text")),
        OutputType.NUMBER: (frozenset({int, float}), say("wanted.number")),
        OutputType.INTEGER: (frozenset({int}), say("wanted.whole")),
        OutputType.BOOLEAN: (frozenset({bool}), say("wanted.truth")),
        OutputType.DATE: (frozenset({str}), say("wanted.date")),
    }
)
_OWN_TYPES = MappingProxyType(
    {bool: OutputType.BOOLEAN, int: OutputType.NUMBER, float: OutputType.NUMBER}
)
"""The type of a variable that names none, by its first value; text for others."""


def read_declarations(
    key: str, scope: VariableScope, section: Section, reader: Reader
) -> Iterator[Declaration]:
    """Yield what the list under `declare` or `global` declares.

    Args:
        key: Which of the two.
        scope: The scope of those that name none.
        section: The mapping that has the list.
        reader: Reads each of them.
    """
    for node in section.items(key):
        reader.context.take(Counted.DECLARATIONS, node)
        read = reader.item(Declaration, node, place=section.findings.place(node))
        declared = None if read is None else _typed(*read, scope)
        if declared is not None and declared.var:
            yield declared


def _typed(section: Section, made: Declaration, scope: VariableScope) -> Declaration:
    """Return a declaration with its scope and type; a first value of another one is reported."""
    explicit = made.type if section.fits("type") else None
    node = section.node("value")
    if node is not None and explicit is not None:
        kinds, wanted = _FIRST_VALUES[explicit]
        is_fit = explicit is not OutputType.DATE or is_date(str(made.value))
        if type(made.value) not in kinds or not is_fit:
            wanted = say("wanted.as_type", wanted=wanted, kind=explicit)
            wrong(node, "`value`", wanted, section.findings)
    return changed(
        made,
        scope=made.scope if section.fits("scope") else scope,
        type=explicit or _OWN_TYPES.get(type(made.value), OutputType.TEXT),
        explicit_type=explicit,
    )
