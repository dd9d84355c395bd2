"""Declarations: read where they are written, kept where their scope lives."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import TypeAlias

from executor_service.scripts.findings import Findings, Place
from executor_service.scripts.keys import DECLARATION
from executor_service.scripts.model import Declaration
from executor_service.scripts.rules import Rule
from executor_service.scripts.section import Section, wrong
from executor_service.scripts.tree import LostNode, MapNode, Node, to_json
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


@dataclass(frozen=True, slots=True)
class Owner:
    """The session (None, None), a phase (p, None) or a topic (p, t), by index."""

    phase: int | None = None
    topic: int | None = None

    @property
    def scope(self) -> VariableScope:
        """The scope a declaration has here when it names none."""
        if self.phase is None:
            return VariableScope.SESSION
        return VariableScope.PHASE if self.topic is None else VariableScope.TOPIC

    def within(self, scope: VariableScope) -> Owner:
        """Return where a declaration of `scope` made here is kept: outside, or here."""
        if scope in {VariableScope.GLOBAL, VariableScope.SESSION}:
            return Owner()
        return Owner(self.phase) if scope is VariableScope.PHASE else self


Order: TypeAlias = "tuple[int, int, int]"
"""A moment of a session: phase, topic and action by index, -1 before the first."""
AFTER_ALL = 1_000_000
"""Greater than any index."""


def order_of(owner: Owner, action: int | None = None, *, before: bool = False) -> Order:
    """Return when an action of `owner` runs; without one, when `owner` begins, or just before."""
    inner = -1 if action is None else action
    phase = -1 if owner.phase is None else owner.phase
    topic = -1 if owner.topic is None else owner.topic
    return (phase, topic, inner - 1 if before else inner)


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """A declaration as it was read."""

    declaration: Declaration
    explicit_type: OutputType | None
    """None when the author named no type."""


_Shelf: TypeAlias = "dict[tuple[VariableScope, str], Declared]"


class DeclarationBoard:
    """All declarations of a script, each where its scope is kept."""

    def __init__(self, findings: Findings, global_declarations: Sequence[Declared] = ()) -> None:
        self._findings = findings
        self._shelves: dict[Owner, _Shelf] = {}
        self._names = {found.declaration.var for found in global_declarations}
        for found in global_declarations:
            self._shelf(Owner())[VariableScope.GLOBAL, found.declaration.var] = found

    def add(self, declared: Declared, owner: Owner) -> None:
        """Keep a declaration that `owner` makes; one made twice is reported."""
        made = declared.declaration
        self._names.add(made.var)
        shelf = self._shelf(owner.within(made.scope))
        first = shelf.setdefault((made.scope, made.var), declared)
        if first is not declared:
            place = first.declaration.place
            self._findings.error(
                made.place,
                f"`{made.var}` is declared for the {made.scope.value} scope in {place.file}, "
                f"line {place.line}, already; one declaration is enough",
                Rule.DUPLICATE_NAME,
            )

    def of(self, owner: Owner) -> tuple[Declaration, ...]:
        """Return the declarations kept with `owner`."""
        return tuple(found.declaration for found in self._shelves.get(owner, {}).values())

    def names(self) -> Iterator[str]:
        """Yield every declared name."""
        return iter(self._names)

    def look_up(self, name: str, topic: Owner) -> Iterator[Declared]:
        """Yield the declarations of `name` seen from a topic: innermost, then narrowest, first."""
        if name not in self._names:
            return
        for owner in (topic, Owner(topic.phase), Owner()):
            for scope in reversed(VariableScope):
                found = self._shelves.get(owner, {}).get((scope, name))
                if found is not None:
                    yield found

    def explicit_type(self, name: str, topic: Owner) -> OutputType | None:
        """Return the type the nearest typed declaration gives `name`; None without one."""
        types = (found.explicit_type for found in self.look_up(name, topic))
        return next((kind for kind in types if kind is not None), None)

    def _shelf(self, owner: Owner) -> _Shelf:
        return self._shelves.setdefault(owner, {})


def read_declarations(
    nodes: Sequence[Node], scope: VariableScope, findings: Findings
) -> list[Declared]:
    """Read the items of a `declare` or `global` list.

    Args:
        nodes: The items.
        scope: The scope of those that name none.
        findings: Where mistakes go.
    """
    found = []
    for node in nodes:
        if isinstance(node, MapNode):
            declared = _read(Section(node, DECLARATION, findings), scope)
            if declared.declaration.var:
                found.append(declared)
        else:
            wrong(node, "a declaration", "- {var: …, value: …}", findings)
    return found


def _read(section: Section, scope: VariableScope) -> Declared:
    explicit = section.word("type", OutputType)
    file, spot = section.findings.file, section.spot
    value = _value(section, explicit)
    declaration = Declaration(
        var=section.variable("var"),
        define=section.text("define"),
        value=value,
        scope=section.word("scope", VariableScope) or scope,
        type=explicit or _type_of(value),
        place=Place(file=file, line=spot.line, column=spot.column),
    )
    return Declared(declaration=declaration, explicit_type=explicit)


def _value(section: Section, explicit: OutputType | None) -> JsonValue:
    node = section.node("value")
    if node is None or isinstance(node, LostNode):
        return None
    value = to_json(node)
    if explicit is not None and not _fits(value, explicit):
        wanted = f"{_WANTED[explicit]}, as its type is {explicit.value}"
        wrong(node, "`value`", wanted, section.findings)
    return value


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
    """Say whether `text` is a day of the calendar, written YYYY-MM-DD."""
    if _DATE.fullmatch(text) is None:
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
