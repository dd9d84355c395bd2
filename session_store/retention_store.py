"""The port of retention: what may be deleted by age."""

from __future__ import annotations

from datetime import timedelta
from typing import Protocol


class RetentionStore(Protocol):
    """What may be deleted by age; each call does one batch and returns how many sessions it found.

    None touches a session whose position is frozen: an operator closes it first.
    """

    async def delete_observations(self, older_than: timedelta) -> int:
        """Delete what was observed in the rounds of ended sessions: metrics, exits, analyses."""

    async def delete_events(self, older_than: timedelta) -> int:
        """Delete all events of ended sessions, and what they name; messages and variables stay.

        Decisions, workflows, runs and threads are what they name. An agent that works on still is
        cancelled, and a message takes the place of its placeholder.

        Afterwards a fork and a retry are NotReady, reason EVENTS_DELETED.
        """

    async def delete_untouched(self, older_than: timedelta) -> int:
        """Erase sessions that nothing changed for so long, as `delete_session` does."""
