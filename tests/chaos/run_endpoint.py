"""An endpoint that HTTP nodes call; it notes each call with the key that it bears."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from aiohttp import web

_KEY = "Idempotency-Key"
# Equal in each answer, or outputs would differ.
_DATE = {"Date": "Thu, 01 Jan 2026 00:00:00 GMT"}


@dataclass(frozen=True, slots=True)
class EndpointCall:
    """A request that arrived."""

    at: float
    """Seconds since 1970."""
    path: str
    """`/step/TAG/NODE`, `/broken/TAG/NODE`."""
    key: str

    @property
    def tag(self) -> str:
        """Return the run's input."""
        return self.path.split("/")[2]

    @property
    def node(self) -> str:
        """Return the path of the node in its run."""
        return self.path.split("/", 3)[3]


class RunEndpoint:
    """Answers `/step/…` well and `/broken/…` with 500, after `pace_s`, unless it is held."""

    def __init__(self, *, pace_s: float = 0.02) -> None:
        """Nothing listens before `open`."""
        self.calls: list[EndpointCall] = []
        self.open_gate = asyncio.Event()
        """Cleared: calls arrive, and wait for their answer."""
        self.open_gate.set()
        self.url = ""
        self._pace_s = pace_s
        self._runner: web.AppRunner | None = None

    async def open(self) -> None:
        """Listen on a free port."""
        served = web.Application()
        served.router.add_route("*", "/{kind:step|broken}/{rest:.+}", self._answer)
        self._runner = web.AppRunner(served, access_log=None, shutdown_timeout=0.5)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"

    async def aclose(self) -> None:
        """Stop listening."""
        self.open_gate.set()
        if self._runner is not None:
            await self._runner.cleanup()

    async def called(self, node: str, tag: str = "") -> None:
        """Return once a node was called, of this run or of any."""
        while not any(c.node == node and tag in ("", c.tag) for c in self.calls):
            await asyncio.sleep(0.01)

    async def _answer(self, request: web.Request) -> web.Response:
        call = EndpointCall(time.time(), request.path, request.headers.get(_KEY, ""))
        self.calls.append(call)
        await asyncio.sleep(self._pace_s)
        await self.open_gate.wait()
        status = 500 if request.match_info["kind"] == "broken" else 200
        return web.json_response({"name": call.node}, status=status, headers=_DATE)


@asynccontextmanager
async def run_endpoint(*, pace_s: float = 0.02) -> AsyncIterator[RunEndpoint]:
    """Serve an endpoint for the length of a block."""
    endpoint = RunEndpoint(pace_s=pace_s)
    await endpoint.open()
    try:
        yield endpoint
    finally:
        await endpoint.aclose()
