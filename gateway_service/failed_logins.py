"""Wrong tokens over HTTP: each costs its sender time, is counted and logged, without the token."""

from __future__ import annotations

import asyncio
import logging

import grpc
from starlette.requests import Request

from gateway_service.caller import caller_of
from gateway_service.problems import problem
from heartrule.chassis import telemetry_metrics
from heartrule.chassis.rate_limit import RateLimit
from heartrule.chassis.service_token import FAILED_LOGINS

log = logging.getLogger(__name__)
_DELAY_S = 1.0
# A person mistypes a few times; a program would try thousands.
_A_MINUTE = 10
# Further ones are refused at once: waiting requests cost memory.
_MOST_WAITING = 100


class FailedLogins:
    """The wrong tokens of a process."""

    def __init__(self) -> None:
        """Begin with none."""
        self._failures = RateLimit(_A_MINUTE, 60.0)
        self._waiting = 0

    def check(self, request: Request) -> None:
        """Refuse a login of an address that sent too many wrong tokens.

        Raises:
            HttpProblem: 429.
        """
        wait = self._failures.wait(caller_of(request))
        if wait:
            refused = problem(
                grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_LOGINS",
                "too many wrong tokens came from this address",
            )  # fmt: skip
            refused.retry_after_s = wait
            raise refused

    async def note(self, request: Request) -> None:
        """Count a wrong token, and return after the delay."""
        caller = caller_of(request)
        telemetry_metrics.count(FAILED_LOGINS)
        # Who sends thousands is counted: a line for each would fill a disk.
        if not self._failures.take(caller):
            log.warning("a wrong token", extra={"caller": caller, "path": request.url.path[:200]})
        if self._waiting >= _MOST_WAITING:
            return
        self._waiting += 1
        try:
            await asyncio.sleep(_DELAY_S)
        finally:
            self._waiting -= 1
