"""The calls of models. Every method is one transaction."""

from __future__ import annotations

from datetime import timedelta
from typing import Protocol

from heartrule.domain.keys import SessionKey
from heartrule.domain.model_call import LLMDebugInfo, ModelCall
from session_store.records import Page


class LedgerStore(Protocol):
    """Every model call of a session (RESOLUTIONS C33)."""

    async def list_calls(self, key: SessionKey, page: Page) -> tuple[list[LLMDebugInfo], str]:
        """Return the ledger, oldest first, and the next page's token."""

    async def list_ledger(
        self, key: SessionKey, page: Page, *, turn_id: str = ""
    ) -> tuple[list[ModelCall], str]:
        """Return calls with their turns, of one turn where it is named, as `list_calls` does."""

    async def trim_ledger(self, older_than: timedelta) -> int:
        """Empty prompts and replies of older model calls; return how many calls it was."""
