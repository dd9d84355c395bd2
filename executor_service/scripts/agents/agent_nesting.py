"""Which agents work on threads nested in those of others, how deep, and whether one leads back."""

from __future__ import annotations

from collections.abc import Mapping

from executor_service.scripts.model.agent_file import AgentKind, KnownAgent
from heartrule.domain.threads import DEEPEST_THREAD

_TOO_HIGH = DEEPEST_THREAD + 1


class AgentNesting:
    """The agents that may be named, looked at once however they name each other."""

    def __init__(self, agents: Mapping[str, KnownAgent]) -> None:
        """Find what lies below each."""
        self.agents = agents
        self._below = {name: self._reached(name) for name in agents}
        self._heights = self._counted()

    def way_back(self, name: str, nested: str) -> tuple[str, ...]:
        """Return the way from an agent by a nested one back to it; empty: there is none."""
        before = self._below.get(nested, {})
        way = [name]
        while way[-1] != nested:
            if way[-1] not in before:
                return ()
            way.append(before[way[-1]])
        return (name, *reversed(way))

    def is_too_deep(self, kind: AgentKind, nested: str) -> bool:
        """Return whether threads below an agent of a kind lie too deep; a circle has no depth."""
        below = (nested, *self._below.get(nested, ()))
        if any(each in self._below.get(each, ()) for each in below):
            return False
        own_depth = 0 if kind is AgentKind.MAIN else 1
        return own_depth + self._heights.get(nested, 1) > DEEPEST_THREAD

    def _reached(self, name: str) -> dict[str, str]:
        """Return what lies below an agent, each with the one that it is nested in there."""
        before: dict[str, str] = {}
        waiting = [name]
        for each in waiting:
            known = self.agents.get(each)
            for found in sorted(known.nested - before.keys()) if known else ():
                before[found] = each
                waiting.append(found)
        return before

    def _counted(self) -> dict[str, int]:
        """Return how many threads lie in one another from each agent on, at most one too many."""
        heights = dict.fromkeys(self.agents, 1)
        for _ in range(_TOO_HIGH):
            heights = {
                name: min(
                    _TOO_HIGH, 1 + max((heights.get(each, 1) for each in known.nested), default=0)
                )
                for name, known in self.agents.items()
            }
        return heights
