"""The front of turns: an input is stored, acknowledged and run, whatever becomes of its stream."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

from executor_service.failpoints import Failpoint, Failpoints
from executor_service.hub import SessionHub
from executor_service.turns.drivers import Drivers
from executor_service.turns.stops import Stops
from heartrule.domain.conversation import UserInput
from heartrule.domain.keys import SessionKey
from session_store.records import AcceptedInput, Interrupt, Interrupted


class Turns:
    """Accepts inputs and opens sessions; the work itself is the drivers'."""

    def __init__(
        self,
        *,
        hub: SessionHub,
        drivers: Drivers,
        stops: Stops,
        failpoints: Failpoints,
        sweep_every: timedelta,
    ) -> None:
        """`sweep_every` is a third of the lease's life (ARCHITECTURE section 4.2)."""
        self._hub = hub
        self._drivers = drivers
        self._stops = stops
        self._failpoints = failpoints
        self.sweep_every = sweep_every

    async def accept(self, key: SessionKey, user_input: UserInput) -> AcceptedInput:
        """Store an input, tell the watchers, and see that it is run.

        Raises:
            InvalidRequest: The id was used with other content.
            SessionBusy: Too many wait, or the input asked to be rejected while busy.
            SessionFinished: The script has ended.
            NotFound: There is no such session.
        """
        return await self._drivers.accept(key, user_input, partial(self._tell, key))

    def _tell(self, key: SessionKey, accepted: AcceptedInput) -> None:
        self._failpoints.hit(Failpoint.AFTER_ACCEPT)
        self._hub.publish(key, accepted.events)
        if accepted.stop is not None:
            self._failpoints.hit(Failpoint.AFTER_INTERRUPT)
            self._stops.ask(key, accepted.stop)

    async def interrupt(self, asked: Interrupt) -> Interrupted:
        """Stop a running turn at its next safe point, whichever process runs it.

        Raises:
            NotFound: There is no such session or turn.
        """
        done = await self._stops.interrupt(asked)
        self._failpoints.hit(Failpoint.AFTER_INTERRUPT)
        if done.wish is not None:
            self._stops.ask(asked.key, done.wish)
            if not self._stops.runs(asked.key):
                self._drivers.drive(asked.key)  # its holder may be dead
        return done

    def changed(self, key: SessionKey | None) -> None:
        """Another process wrote to the session, or to any: it may have stopped a turn of ours."""
        self._stops.changed(key)

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
