"""How often one caller's address may do what costs most; what is more is a 429 with Retry-After."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import grpc
from starlette.requests import Request

from gateway_service.caller import caller_of
from gateway_service.paths import API
from gateway_service.problems import HttpProblem, problem
from gateway_service.settings import CallerSettings
from heartrule.chassis import telemetry_metrics
from heartrule.chassis.rate_limit import RateLimit

REFUSED = "heartrule.gateway.refusals"
_MINUTE_S, _HOUR_S = 60.0, 3_600.0
# Routes that are counted before their handler runs. Inputs are counted by `client_text`, so that
# a refused one is screened.
_COUNTED: Mapping[str, str] = MappingProxyType(
    {
        f"POST {API}/sessions": "sessions",
        f"POST {API}/sessions/{{sessionId}}/fork": "sessions",
        f"POST {API}/scripts": "scripts",
        f"POST {API}/scripts/check": "scripts",
        f"POST {API}/assets": "pictures",
    }
)


class CallerLimits:
    """The counts of this process."""

    def __init__(self, settings: CallerSettings) -> None:
        """Create it with nothing counted."""
        self._limits = {
            "inputs": RateLimit(settings.inputs_per_minute, _MINUTE_S),
            "sessions": RateLimit(settings.sessions_per_minute, _MINUTE_S),
            "scripts": RateLimit(settings.scripts_per_hour, _HOUR_S),
            "pictures": RateLimit(settings.pictures_per_hour, _HOUR_S),
        }

    def check_route(self, request: Request, route: str) -> None:
        """Count a call of a route such as `POST /api/v1/sessions`.

        Raises:
            HttpProblem: 429, TOO_MANY_REQUESTS.
        """
        kind = _COUNTED.get(route)
        refused = None if kind is None else self._refusal(request, kind)
        if refused is not None:
            raise refused

    def input_refusal(self, request: Request) -> HttpProblem | None:
        """Count an input; return the problem that refuses it, or None."""
        return self._refusal(request, "inputs")

    def session_refusal(self, request: Request) -> HttpProblem | None:
        """Count a session that begins with an input; as `input_refusal`."""
        return self._refusal(request, "sessions")

    def _refusal(self, request: Request, kind: str) -> HttpProblem | None:
        wait = self._limits[kind].take(caller_of(request))
        if not wait:
            return None
        telemetry_metrics.count(REFUSED, kind=kind)
        refused = problem(
            grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_REQUESTS",
            f"too many {kind} come from this address", metadata={"subject": kind},
        )  # fmt: skip
        refused.retry_after_s = wait
        return refused
