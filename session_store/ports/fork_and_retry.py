"""Forks, and turns taken back. Every method is one transaction."""

from __future__ import annotations

from typing import Protocol

from session_store.records import Fork, Forked, Retried, Retry


class ForkAndRetryStore(Protocol):
    """Forks, and turns taken back (RESOLUTIONS, One product 6)."""

    async def fork_session(self, fork: Fork) -> Forked:
        """Make a session that stands where another stood after one of its turns.

        NotFound for a session or turn that is not there; NotReady, reason TURN_NOT_ENDED, for a
        turn that failed, runs or was taken back. Nothing of the source changes.
        """

    async def retry_turn(self, retry: Retry) -> Retried:
        """Take the last turn back and store its message again, in one transaction.

        SessionBusy where a turn runs or inputs wait; NotReady, reason NOTHING_TO_RETRY, where only
        the opening turn is there; InvalidRequest for a client_message_id that is known.
        """
