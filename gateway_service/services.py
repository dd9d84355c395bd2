"""The dependencies of every route; made once by bootstrap."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from gateway_service.access import Gate
from gateway_service.caller_limits import CallerLimits
from gateway_service.crisis_screen import CrisisScreen
from gateway_service.executor import ExecutorLink
from gateway_service.failed_logins import FailedLogins
from gateway_service.settings import GatewaySettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """The gateway's parts."""

    settings: GatewaySettings
    executor: ExecutorLink
    gate: Gate
    failed_logins: FailedLogins
    callers: CallerLimits
    screen: CrisisScreen
    leaving: asyncio.Future[None]
    """Done once the process is to stop: streams end, and their readers reconnect."""
