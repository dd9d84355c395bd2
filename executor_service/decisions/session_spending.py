"""Counts what a session's runs use of the limits that its tenant's policy has."""

from __future__ import annotations

from dataclasses import dataclass

from executor_service.decisions.policy import DecisionPolicy
from heartrule.domain.keys import SessionKey
from session_store.ports import Store
from session_store.records.spending import Spending


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionSpending:
    """The counters of one session; an instance is a `NodeSpending`."""

    store: Store
    key: SessionKey
    policy: DecisionPolicy

    async def allow(self, *, api_calls: int = 0, llm_tokens: int = 0) -> bool:
        """Count what is about to be used; False, and nothing counted, where it passes a limit."""
        limits = self.policy.limits
        used = Spending(key=self.key, llm_tokens=llm_tokens, api_calls=api_calls, limits=limits)
        return await self.store.spend(used)

    async def add(self, *, llm_tokens: int) -> None:
        """Count tokens that were used, whatever the limits."""
        await self.store.spend(Spending(key=self.key, llm_tokens=llm_tokens))
