"""The rehearsal model, which fails for as long as it is switched to."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from aiohttp import web

from heartrule.model.rehearsal.rehearsal_server import application

_OF_THREADS = b"thread_unit"
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class FlakyModel:
    """A model of one run's own."""

    def __init__(self, *, pace_s: float = 0.0) -> None:
        """Nothing listens before `open`; `pace_s` seconds pass after each streamed piece."""
        self.failing = False
        self.asked_by_threads = 0
        """How often a thread asked."""
        self._pace_s = pace_s
        self.base_url = ""
        self._runner: web.AppRunner | None = None

    async def open(self) -> None:
        """Listen on a free port."""
        served = application(pace_s=self._pace_s)
        served.middlewares.append(self._answer)
        self._runner = web.AppRunner(served, access_log=None, shutdown_timeout=0.5)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.base_url = f"http://127.0.0.1:{self._runner.addresses[0][1]}/v1"

    async def aclose(self) -> None:
        """Stop listening."""
        if self._runner is not None:
            await self._runner.cleanup()

    @web.middleware
    async def _answer(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        self.asked_by_threads += _OF_THREADS in await request.read()
        if self.failing:
            return web.json_response({"error": {"message": "out of order"}}, status=500)
        return await handler(request)


@asynccontextmanager
async def flaky_model(*, pace_s: float = 0.0) -> AsyncIterator[FlakyModel]:
    """Serve a model for the length of a block."""
    model = FlakyModel(pace_s=pace_s)
    await model.open()
    try:
        yield model
    finally:
        await model.aclose()
