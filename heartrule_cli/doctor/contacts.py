"""Whether the services answer: each is really called, as a listener alone may be anything."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import aiohttp
import grpc
from grpc import aio
from grpc_health.v1 import health_pb2, health_pb2_grpc

from heartrule.chassis.health import READY
from heartrule.v1 import monitor_service_pb2, monitor_service_pb2_grpc

_WAIT_S = 3.0
# Of an answer that stands for no service.
_NOBODY = frozenset({grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED})
_ANOTHER = frozenset({grpc.StatusCode.UNIMPLEMENTED, grpc.StatusCode.UNKNOWN})
_UNAUTHORIZED = 401


class ServiceContact(StrEnum):
    """What came of a call."""

    READY = "ready"
    NOT_READY = "not_ready"
    """It runs, and takes no work: it starts, stops, or lacks what it needs."""
    NOBODY = "nobody"
    """Nothing answers."""
    ANOTHER = "another"
    """Something answers that is not the service."""


async def health_at(address: str) -> ServiceContact:
    """Return what the health service at an address says of its process."""
    request = health_pb2.HealthCheckRequest(service=READY)
    async with aio.insecure_channel(address) as channel:
        stub: Any = health_pb2_grpc.HealthStub(channel)
        try:
            answer = await stub.Check(request, timeout=_WAIT_S)
        except aio.AioRpcError as error:
            return ServiceContact.NOBODY if error.code() in _NOBODY else ServiceContact.ANOTHER
    is_ready = answer.status == health_pb2.HealthCheckResponse.SERVING
    return ServiceContact.READY if is_ready else ServiceContact.NOT_READY


async def monitor_at(address: str) -> ServiceContact:
    """Return whether a monitor answers at its own address: it refuses an empty request."""
    async with aio.insecure_channel(address) as channel:
        stub: Any = monitor_service_pb2_grpc.MonitorServiceStub(channel)
        try:
            await stub.AnalyzeAction(monitor_service_pb2.AnalyzeActionRequest(), timeout=_WAIT_S)
        except aio.AioRpcError as error:
            if error.code() in _NOBODY:
                return ServiceContact.NOBODY
            is_another = error.code() in _ANOTHER
            return ServiceContact.ANOTHER if is_another else ServiceContact.READY
    return ServiceContact.READY


async def gateway_at(base_url: str) -> ServiceContact:
    """Return whether a gateway answers there, and reaches its executor."""
    limit = aiohttp.ClientTimeout(total=_WAIT_S)
    try:
        async with aiohttp.ClientSession(timeout=limit) as http:
            about = await _status(http, f"{base_url}/api/v1/about")
            behind = await _status(http, f"{base_url}/api/v1/scripts")
    except (aiohttp.ClientConnectorError, TimeoutError):
        return ServiceContact.NOBODY
    except (aiohttp.ClientError, ValueError):
        return ServiceContact.ANOTHER
    if not about:
        return ServiceContact.ANOTHER
    return ServiceContact.READY if behind else ServiceContact.NOT_READY


async def _status(http: aiohttp.ClientSession, url: str) -> bool:
    """Return whether a path has a JSON answer, or one for those alone who have a token."""
    async with http.get(url) as answer:
        is_json = "json" in answer.content_type
        return is_json and (answer.ok or answer.status == _UNAUTHORIZED)
