"""What a script declares and yields, seen from each of its places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from executor_service.scripts.model.findings import Findings
from executor_service.scripts.model.settings import Declaration
from heartrule.domain.output_type import OutputType
from heartrule.domain.variables import VariableScope


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
# Greater than any index: a script has at most MAX_ACTIONS actions.
AFTER_ALL = 1_000_000


def order_of(owner: Owner, action: int | None = None, *, before: bool = False) -> Order:
    """Return when an action of `owner` runs; without one, when `owner` begins, or just before."""
    inner = -1 if action is None else action
    phase = -1 if owner.phase is None else owner.phase
    topic = -1 if owner.topic is None else owner.topic
    return (phase, topic, inner - 1 if before else inner)


_NARROWEST_FIRST = tuple(reversed(VariableScope))


class DeclarationBoard:
    """All declarations of a script, each where its scope is kept."""

    def __init__(self, findings: Findings, declared: Iterable[Declaration] = ()) -> None:
        self._findings = findings
        self._of: dict[Owner, dict[tuple[VariableScope, str], Declaration]] = {}
        # By name, then by owner, the narrowest scope first: each read of a variable looks here.
        self._homes: dict[str, dict[Owner, list[Declaration]]] = {}
        for made in declared:
            self.add(made, Owner())

    def add(self, made: Declaration, owner: Owner) -> None:
        """Keep a declaration that `owner` makes; one made twice is reported."""
        home = owner.within(made.scope)
        first = self._of.setdefault(home, {}).setdefault((made.scope, made.var), made)
        if first is made:
            here = self._homes.setdefault(made.var, {}).setdefault(home, [])
            here.append(made)
            here.sort(key=lambda each: _NARROWEST_FIRST.index(each.scope))
            return
        facts = {"var": made.var, "scope": made.scope.value, "file": first.place.file}
        self._findings.report("declared_twice", made.place, line=first.place.line, **facts)

    def of(self, owner: Owner) -> tuple[Declaration, ...]:
        """Return the declarations kept with `owner`."""
        return tuple(self._of.get(owner, {}).values())

    def names(self) -> Iterator[str]:
        """Yield every declared name."""
        return iter(self._homes)

    def look_up(self, name: str, topic: Owner) -> Iterator[Declaration]:
        """Yield the declarations of `name` seen from a topic: innermost, then narrowest, first."""
        homes = self._homes.get(name)
        if homes is None:
            return
        for owner in (topic, Owner(topic.phase), Owner()):
            yield from homes.get(owner, ())

    def explicit_type(self, name: str, topic: Owner) -> OutputType | None:
        """Return the type the nearest typed declaration gives `name`; None without one."""
        types = (found.explicit_type for found in self.look_up(name, topic))
        return next((kind for kind in types if kind is not None), None)


class Yields:
    """The types of the outputs of a file's actions."""

    def __init__(self) -> None:
        self._types: dict[str, dict[Owner, OutputType]] = {}
        self.unclear: set[str] = set()
        """Names whose type the author meant, but wrote wrongly; that was reported."""

    def add(self, name: str, topic: Owner, kind: OutputType) -> None:
        """Note that an action of `topic` yields `name`; the first one counts."""
        self._types.setdefault(name, {}).setdefault(topic, kind)

    def names(self) -> Iterator[str]:
        """Yield every name an action yields."""
        return iter(self._types)

    def type_at(self, name: str, owner: Owner) -> OutputType | None:
        """Return the type `name` has at `owner`: of its topic, else its phase, else anywhere."""
        found = self._types.get(name)
        if not found:
            return None
        if owner in found:
            return found[owner]
        near = (kind for topic, kind in found.items() if topic.phase == owner.phase)
        return next(near, None) or next(iter(found.values()))
