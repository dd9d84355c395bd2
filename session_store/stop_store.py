"""The port of what stops a running turn; the registry of stop requests needs no other."""

from __future__ import annotations

from typing import Protocol

from heartrule.domain.keys import SessionKey
from session_store.records import Interrupted, InterruptOrder, Lease, StopRequest, TurnLeft


class StopStore(Protocol):
    """What is asked of running turns; other processes hear of it as of any commit."""

    async def interrupt_turn(self, asked: InterruptOrder) -> Interrupted:
        """Note that a running turn is to end at its next safe point; an ended one stays as it is.

        Of several interrupts of one turn the first counts. NotFound for a turn that never was.
        """

    async def find_stop(self, key: SessionKey) -> StopRequest | None:
        """Return what was asked last of a turn of the session, whether it still runs or not."""

    async def leave_turn(self, lease: Lease, left: TurnLeft) -> None:
        """Free the lease of a turn that goes on running, or LeaseLost and nothing.

        Whoever takes it up next begins a further attempt; see `begin_turn`.
        """
