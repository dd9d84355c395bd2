"""Delivers the outbox of alerts at least once; any number of executors share it by claims."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol

from executor_service.failpoints import Failpoint, Failpoints
from heartrule.chassis import telemetry_metrics as metrics
from heartrule.chassis.background import pause_after
from session_store.ports import Store
from session_store.records import SafetyAlert

LOG = logging.getLogger(__name__)
# Claimed and sent at once: more would keep what other executors could send meanwhile.
_AT_ONCE = 8
_FIRST_PAUSE = timedelta(seconds=5)
# First pauses; five minutes, as for failed turns.
_LONGEST = 60


class AlertReceiver(Protocol):
    """Where alerts go."""

    async def send(self, alert: SafetyAlert) -> str:
        """Deliver an alert and return "", or why it was not taken."""

    async def aclose(self) -> None:
        """Close all connections."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertDelivery:
    """Sends alerts that are due, and counts those that wait."""

    store: Store
    receiver: AlertReceiver | None
    """None: alerts stay in the outbox, where the console shows them."""
    owner: str
    failpoints: Failpoints
    claim_ttl: timedelta
    """Longer than one delivery takes; the alerts of a dead executor are free after it."""
    first_pause: timedelta = _FIRST_PAUSE

    async def sweep(self) -> None:
        """Send everything that is due now; what fails is due again after its pause."""
        while self.receiver is not None:
            claimed = await self.store.claim_alerts(self.owner, _AT_ONCE, self.claim_ttl)
            if not claimed:
                break
            self.failpoints.hit(Failpoint.ALERT_CLAIMED)
            await asyncio.gather(*(self._deliver(alert, self.receiver) for alert in claimed))
        if metrics.measured():
            waiting = await self.store.count_undelivered_alerts()
            metrics.set_level("heartrule.safety.alerts.undelivered", waiting)

    async def aclose(self) -> None:
        """Close the connections to the receiver."""
        if self.receiver is not None:
            await self.receiver.aclose()

    async def _deliver(self, alert: SafetyAlert, receiver: AlertReceiver) -> None:
        name = alert.event.safety_event_id
        reason = await receiver.send(alert)
        metrics.count("heartrule.safety.deliveries", result="failed" if reason else "delivered")
        if not reason:
            await self.store.alert_delivered(alert.key, name)
            return
        pause = pause_after(alert.failures + 1, first=self.first_pause, most=_LONGEST)
        LOG.warning("an alert was not delivered", extra={"safety_event_id": name, "reason": reason})
        await self.store.alert_failed(alert.key, name, reason=reason, pause=pause)
