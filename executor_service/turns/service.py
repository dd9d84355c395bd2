"""The front of turns: an input is stored, acknowledged and run, whatever becomes of its stream."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

from executor_service.failpoints import Failpoint, Failpoints
from executor_service.hub import SessionHub
from executor_service.turns.drivers import Drivers
from heartrule.domain.conversation import IfBusy, UserInput
from heartrule.domain.errors import NotSupported
from heartrule.domain.keys import SessionKey
from session_store.records import AcceptedInput

_NOT_SERVED = frozenset({IfBusy.INTERRUPT, IfBusy.RESTART})


class Turns:
    """Accepts inputs and opens sessions; the work itself is the drivers'."""

    def __init__(
        self,
        *,
        hub: SessionHub,
        drivers: Drivers,
        failpoints: Failpoints,
        sweep_every: timedelta,
    ) -> None:
        """`sweep_every` is a third of the lease's life (ARCHITECTURE section 4.2)."""
        self._hub = hub
        self._drivers = drivers
        self._failpoints = failpoints
        self.sweep_every = sweep_every

    async def accept(self, key: SessionKey, user_input: UserInput) -> AcceptedInput:
        """Store an input, tell the watchers, and see that it is run.

        Raises:
            NotSupported: `if_busy` is interrupt or restart.
            InvalidRequest: The id was used with other content.
            SessionBusy: Too many wait, or the input asked to be rejected while busy.
            SessionFinished: The script has ended.
            NotFound: There is no such session.
        """
        if user_input.if_busy in _NOT_SERVED:
            raise NotSupported(
                f"if_busy {user_input.if_busy} is not served yet; use merge, queue or reject",
                reason="IF_BUSY_NOT_SUPPORTED",
                metadata={"feature": str(user_input.if_busy)},
            )
        return await self._drivers.accept(key, user_input, partial(self._tell, key))

    def _tell(self, key: SessionKey, accepted: AcceptedInput) -> None:
        self._failpoints.hit(Failpoint.AFTER_ACCEPT)
        self._hub.publish(key, accepted.events)

    def open(self, key: SessionKey) -> None:
        """See that the opening turn is run, where it has not been."""
        self._drivers.drive(key, opening=True)

    def look_after(self, key: SessionKey) -> None:
        """See that nothing a dead process left in the session stays undone."""
        self._drivers.drive(key)

    async def sweep(self) -> None:
        """Take up orphaned turns of every session."""
        await self._drivers.sweep()

    async def drain(self, grace_s: float) -> None:
        """Finish the running turns, begin no other."""
        await self._drivers.drain(grace_s)
