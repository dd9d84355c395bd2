"""A gateway in this process, on a free port, beside an executor of a test."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx

from gateway_service.bootstrap import Gateway
from gateway_service.settings import GatewaySettings
from heartrule.chassis.settings import read
from tests.support.executors import Neighbours, Running, running_executor

WAIT_S = 20.0


@dataclass(frozen=True, slots=True)
class RunningGateway:
    """A started gateway, a client of it, and the executor behind it."""

    gateway: Gateway
    http: httpx.AsyncClient
    behind: Running

    async def start(self, script: str) -> str:
        """Publish a script, start a session on it, and return the session's id."""
        files = {"files": {"script.yaml": script}}
        published = await self.http.post("/api/v1/scripts", json=files)
        told = {"scriptId": published.json()["script"]["scriptId"]}
        return str((await self.http.post("/api/v1/sessions", json=told)).json()["sessionId"])


@asynccontextmanager
async def running_gateway(
    neighbours: Neighbours | None = None, **environ: str
) -> AsyncIterator[RunningGateway]:
    """Start an executor and a gateway; `environ` is without HEARTRULE_GATEWAY_, as `token=`."""
    async with running_executor(neighbours) as behind:
        address = f"127.0.0.1:{behind.server.port}"
        async with gateway_to(address, **environ) as (gateway, http):
            yield RunningGateway(gateway, http, behind)


@asynccontextmanager
async def gateway_to(
    executor: str, **environ: str
) -> AsyncIterator[tuple[Gateway, httpx.AsyncClient]]:
    """Start a gateway to an executor's address, and a client of it."""
    told = {"port": "0", "executor_address": executor, "stop_grace": "1", **environ}
    named = {f"HEARTRULE_GATEWAY_{name.upper()}": value for name, value in told.items()}
    gateway = Gateway(read(GatewaySettings, named))
    await gateway.start()
    base = f"http://127.0.0.1:{gateway.port}"
    try:
        async with httpx.AsyncClient(
            base_url=base,
            timeout=WAIT_S,
            trust_env=False,
            limits=httpx.Limits(),
            verify=False,  # plain HTTP: reading the certificates of the system takes longer
        ) as http:
            yield gateway, http
    finally:
        await gateway.go_away()
        await gateway.drain()
        await gateway.close()


@dataclass(frozen=True, slots=True)
class Frame:
    """One server-sent event."""

    event: str = "message"
    id: str = ""
    data: Any = None


@dataclass(slots=True)
class Frames:
    """The frames of one stream so far."""

    told: list[Frame] = field(default_factory=list)
    comments: int = 0

    def words(self) -> str:
        """Return the chunks joined."""
        return "".join(self.chunks())

    def chunks(self) -> list[str]:
        """Return the chunks."""
        return [f.data["chunk"] for f in self.told if isinstance(f.data, Mapping)
                and "chunk" in f.data]  # fmt: skip

    def of(self, event: str) -> list[Any]:
        """Return the data of one kind, in order."""
        return [frame.data for frame in self.told if frame.event == event]

    def names(self) -> list[str]:
        """Return the kinds, in order."""
        return [frame.event for frame in self.told]


async def frames_of(response: httpx.Response) -> AsyncIterator[Frame]:
    """Yield the frames of a stream, as a browser reads them."""
    held: dict[str, str] = {}
    async for line in response.aiter_lines():
        if line.startswith(":"):
            continue
        if line:
            name, _, value = line.partition(": ")
            held[name] = value
        elif "data" in held:
            data = held["data"]
            parsed = data if data == "[DONE]" else json.loads(data)
            yield Frame(held.get("event", "message"), held.get("id", ""), parsed)
            held = {}


async def read_frames(response: httpx.Response) -> Frames:
    """Read a stream to its end."""
    return Frames([frame async for frame in frames_of(response)])
