"""Variables that stay empty where a script reads them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from executor_service.scripts.checking.board import Order, Owner, order_of
from executor_service.scripts.checking.context import PlacedRead, ReadContext
from executor_service.scripts.checking.placeholders import Read
from executor_service.scripts.model.actions import yielded
from executor_service.scripts.model.findings import Findings
from executor_service.scripts.model.script import Script
from executor_service.scripts.model.settings import Declaration
from executor_service.scripts.model.wording import hint
from heartrule.domain.variables import VariableScope
from heartrule.words.words import say


class _Source(NamedTuple):
    """What gives a variable its value."""

    order: Order
    home: Owner
    """The scope that holds it."""
    line: int


class Sources:
    """Who gives a variable its value, which scope holds it, and from when on."""

    def __init__(self, script: Script, context: ReadContext) -> None:
        """Go over all declarations and outputs once."""
        self._board = context.board
        self._scope_of = context.environment.scope_of
        self._first: dict[str, dict[Owner, _Source]] = {}
        self.declared: dict[str, Declaration] = {}
        for owner in owners(script):
            for made in self._board.of(owner):
                self.declared.setdefault(made.var, made)
                if _has_value(made):
                    self._add(made.var, _Source(order_of(owner), owner, made.place.line))
        for p, t, a, action in script.walk():
            for output in yielded(action.config):
                home = self._home(output.get, Owner(p, t))
                self._add(output.get, _Source((p, t, a), home, action.place.line))
        self.names = frozenset((*self._first, *self.declared, *context.given))

    def is_ever_set(self, name: str) -> bool:
        """Return whether anything can give `name` a value at any time."""
        return name in self._first or (name in self.names and name not in self.declared)

    def is_live(self, name: str, owner: Owner, until: Order) -> bool:
        """Return whether a scope seen from `owner` can hold `name` by then."""
        first = self._first.get(name, {})
        seen = (first.get(home) for home in (owner, Owner(owner.phase), Owner()))
        return any(source is not None and source.order <= until for source in seen)

    def of(self, name: str) -> list[_Source]:
        """Return the first source of `name` in each scope, the earliest first."""
        return sorted(self._first.get(name, {}).values(), key=lambda source: source.order)

    def _add(self, name: str, source: _Source) -> None:
        self._first.setdefault(name, {}).setdefault(source.home, source)

    def _home(self, name: str, topic: Owner) -> Owner:
        """Return the scope that holds an output of a topic."""
        nearest = next(self._board.look_up(name, topic), None)
        scope = nearest.scope if nearest else self._scope_of(name)
        return topic if scope is None else topic.within(scope)


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
    found = sources.of(name)
    if found and found[0].order <= until:
        scope = say(f"scope.{found[0].home.scope.value}")
        findings.report("archived", spot, name=name, scope=scope, line=found[0].line)
    elif found:
        findings.report("empty_before", spot, name=name, line=found[0].line)
    elif name in sources.declared:
        findings.report("empty_declared", spot, name=name)
    else:
        advice = hint(name, sources.names, say("hint.declare"))
        findings.report("empty_unknown", spot, name=name, hint=advice)
