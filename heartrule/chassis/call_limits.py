"""How many connections and calls one process takes, and how long a connection lasts."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from heartrule.chassis.settings import Seconds, Settings


class CallLimits(Settings):
    """Limits of a gRPC server, whoever calls."""

    max_calls: Annotated[int, Field(ge=1, le=1_000_000)] = 16_384
    """Calls at one time, streams among them; further ones end with RESOURCE_EXHAUSTED."""
    max_connections: Annotated[int, Field(ge=1, le=1_000_000)] = 16_384
    """Connections at one time; further ones are closed at once."""
    max_connection_age: Seconds = 3_600.0
    """Seconds, give or take a tenth, after which a connection takes no further call, so that
    clients spread over replicas that came later."""
    max_connection_age_grace: Seconds = 300.0
    """Seconds that its calls get to end after that; a stream is cut then, and resumes."""


def limit_options(limits: CallLimits) -> list[tuple[str, int]]:
    """Return grpc's options for all but `max_calls`, which is an argument of the server."""
    return [
        ("grpc.max_allowed_incoming_connections", limits.max_connections),
        ("grpc.max_connection_age_ms", int(limits.max_connection_age * 1_000)),
        ("grpc.max_connection_age_grace_ms", int(limits.max_connection_age_grace * 1_000)),
    ]
