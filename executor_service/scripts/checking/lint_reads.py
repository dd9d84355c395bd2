"""Variables that stay empty where a script reads them."""

from __future__ import annotations

from collections.abc import Iterator

from executor_service.scripts.checking.board import AFTER_ALL, Order, Owner, order_of
from executor_service.scripts.checking.context import PlacedRead, ReadContext
from executor_service.scripts.checking.placeholders import Read
from executor_service.scripts.model.actions import yielded
from executor_service.scripts.model.findings import Findings
from executor_service.scripts.model.script import Script
from executor_service.scripts.model.settings import Declaration
from executor_service.scripts.model.wording import hint
from heartrule.domain.variables import VariableScope
from heartrule.words.words import say

_NEVER: Order = (AFTER_ALL, 0, 0)


class Sources:
    """Who gives a variable its value, which scope holds it, and from when on."""

    def __init__(self, script: Script, context: ReadContext) -> None:
        """Go over all declarations and outputs once."""
        self._board = context.board
        self._scope_of = context.environment.scope_of
        self._first: dict[tuple[str, Owner], Order] = {}
        self._homes: dict[str, list[tuple[Order, Owner, int]]] = {}
        self.declared: dict[str, Declaration] = {}
        for owner in owners(script):
            self._add_declarations(owner)
        for p, t, a, action in script.walk():
            for output in yielded(action.config):
                self._add_output(output.get, (p, t, a), action.place.line)
        for homes in self._homes.values():
            homes.sort(key=lambda home: home[0])
        self.names = frozenset((*self._homes, *self.declared, *context.given))

    def is_ever_set(self, name: str) -> bool:
        """Return whether anything can give `name` a value at any time."""
        declared = self.declared.get(name)
        held = declared is not None and _has_value(declared)
        return held or name in self._homes or (name in self.names and declared is None)

    def is_live(self, name: str, owner: Owner, until: Order) -> bool:
        """Return whether a scope seen from `owner` can hold `name` by then."""
        seen = (found.declaration for found in self._board.look_up(name, owner))
        if any(_has_value(declaration) for declaration in seen):
            return True
        homes = (owner, Owner(owner.phase), Owner())
        return any(self._first.get((name, home), _NEVER) <= until for home in homes)

    def home_before(self, name: str, until: Order) -> tuple[Owner, int] | None:
        """Return the scope that held `name` first, with its line; None where none did by then."""
        for order, home, line in self._homes.get(name, ()):
            if order <= until:
                return home, line
        return None

    def first_line(self, name: str) -> int | None:
        """Return the line of the first source of `name`, whenever it comes."""
        homes = self._homes.get(name)
        return homes[0][2] if homes else None

    def _add_declarations(self, owner: Owner) -> None:
        for declaration in self._board.of(owner):
            self.declared.setdefault(declaration.var, declaration)
            if _has_value(declaration):
                line = declaration.place.line
                self._homes.setdefault(declaration.var, []).append((order_of(owner), owner, line))

    def _add_output(self, name: str, order: Order, line: int) -> None:
        topic = Owner(order[0], order[1])
        nearest_one = next(self._board.look_up(name, topic), None)
        scope = nearest_one.declaration.scope if nearest_one else self._scope_of(name)
        home = topic if scope is None else topic.within(scope)
        self._first.setdefault((name, home), order)
        self._homes.setdefault(name, []).append((order, home, line))


def check_reads(sources: Sources, context: ReadContext) -> None:
    """Warn of every read that finds no value, or only one from the archive."""
    for placed in context.reads:
        if context.findings.is_full:
            return
        _check_read(placed, sources, context)


def owners(script: Script) -> Iterator[Owner]:
    """Yield the session, and each phase with its topics."""
    yield Owner()
    for p, phase in enumerate(script.phases):
        yield Owner(p)
        for t in range(len(phase.topics)):
            yield Owner(p, t)


def _has_value(declaration: Declaration) -> bool:
    """A global variable may hold a value from an earlier session."""
    return declaration.value is not None or declaration.scope is VariableScope.GLOBAL


def _check_read(placed: PlacedRead, sources: Sources, context: ReadContext) -> None:
    read, until = placed.read, placed.until
    if read.name in context.environment.system_variables:
        return
    if read.system_only:
        code = "always_system" if read.name in sources.names else "unfilled_system_variable"
        context.findings.report(code, read.spot, name=read.name)
        return
    if read.name in context.given:
        return
    if not sources.is_live(read.name, placed.owner, until):
        _report_empty(read, until, sources, context.findings)


def _report_empty(read: Read, until: Order, sources: Sources, findings: Findings) -> None:
    """Report a read that finds nothing, or only an older value, with what its author can do."""
    name, spot = read.name, read.spot
    home, first_line = sources.home_before(name, until), sources.first_line(name)
    if home is not None:
        owner, line = home
        findings.report(
            "archived", spot, name=name, scope=say(f"scope.{owner.scope.value}"), line=line
        )
    elif first_line is not None:
        findings.report("empty_before", spot, name=name, line=first_line)
    elif name in sources.declared:
        findings.report("empty_declared", spot, name=name)
    else:
        advice = hint(name, sources.names, say("hint.declare"))
        findings.report("empty_unknown", spot, name=name, hint=advice)
