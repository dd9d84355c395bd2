"""Stopping turns, over an engine."""

from __future__ import annotations

from functools import partial

from heartrule.domain.keys import SessionKey
from session_store.records import Interrupt, Interrupted, Lease, StopWish, TurnLeft
from session_store.sql import stops
from session_store.sql.engine import Engine


class SqlStops:
    """StopStore over an engine."""

    _engine: Engine

    async def interrupt_turn(self, asked: Interrupt) -> Interrupted:
        """Note that a running turn is to end; see the port."""
        return await self._engine.write(partial(stops.interrupt_turn, asked=asked))

    async def find_stop(self, key: SessionKey) -> StopWish | None:
        """Return what was asked last of a turn of the session."""
        return await self._engine.read(partial(stops.find_stop, key=key))

    async def leave_turn(self, lease: Lease, left: TurnLeft) -> None:
        """Free the lease of a turn that goes on running, or LeaseLost and nothing."""
        await self._engine.write(partial(stops.leave_turn, lease=lease, left=left))
