"""What runs of workflows used of their limits, and what one is about to use."""

from __future__ import annotations

from dataclasses import dataclass

from heartrule.domain.keys import SessionKey


@dataclass(frozen=True, slots=True, kw_only=True)
class SpentSoFar:
    """What was used, by whichever process."""

    llm_tokens: int = 0
    """By the session's runs."""
    api_calls: int = 0
    """By the session's runs."""
    tenant_api_calls: int = 0
    """By all sessions of the tenant, in this minute of the database's clock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpendingLimits:
    """The most of each; None: no limit."""

    llm_tokens: int | None = None
    api_calls: int | None = None
    tenant_api_calls: int | None = None


NO_LIMITS = SpendingLimits()


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending:
    """What a run of the session uses next."""

    key: SessionKey
    llm_tokens: int = 0
    api_calls: int = 0
    limits: SpendingLimits = NO_LIMITS
