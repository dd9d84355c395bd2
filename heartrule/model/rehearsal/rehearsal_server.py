"""The rehearsal model behind HTTP: `/v1/chat/completions` and `/v1/models`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from aiohttp import web

from heartrule.domain.errors import InvalidRequest
from heartrule.model.rehearsal.completions import (
    RehearsalCompletion,
    complete,
    error_body,
    frames,
    models_body,
    whole_body,
)
from heartrule.model.rehearsal.task import Refusal

PACE_VARIABLE = "HEARTRULE_REHEARSAL_PACE_MS"
"""Environment variable: milliseconds after each streamed piece; 0 or absent is instant."""
_MAX_BODY_BYTES = 64 * 1024 * 1024  # a prompt whose window holds the largest inputs
_FLUSH_BYTES = 64 * 1024
_JSON = "application/json"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningServer:
    """A server that answers until it is closed."""

    host: str
    port: int
    runner: web.AppRunner

    @property
    def base_url(self) -> str:
        """Return the address for OPENAI_BASE_URL."""
        return f"http://{self.host}:{self.port}/v1"

    async def aclose(self) -> None:
        """Stop listening, cut what is still streaming, and free the port."""
        await self.runner.cleanup()


async def serve(
    host: str = "127.0.0.1",
    port: int = 0,
    *,
    pace_s: float = 0.0,
    announce: Callable[[str], None] | None = None,
) -> RunningServer:
    """Start the server in the running loop.

    Args:
        host: Address to listen on.
        port: 0 takes any free one; the result holds the one taken.
        pace_s: Seconds after each streamed piece.
        announce: Told the base URL once the port is open.

    Raises:
        OSError: The address is taken or not ours.
    """
    runner = web.AppRunner(application(pace_s=pace_s), access_log=None, shutdown_timeout=0.5)
    await runner.setup()
    try:
        await web.TCPSite(runner, host, port).start()
    except BaseException:  # whatever stopped the start, the runner must not stay behind
        await runner.cleanup()
        raise
    running = RunningServer(host=host, port=int(runner.addresses[0][1]), runner=runner)
    if announce is not None:
        announce(running.base_url)
    return running


def application(*, pace_s: float = 0.0) -> web.Application:
    """Return the routes."""
    app = web.Application(client_max_size=_MAX_BODY_BYTES)
    app.router.add_post("/v1/chat/completions", partial(_chat, pace_s=pace_s))
    app.router.add_get("/v1/models", _models)
    return app


def pace_from_environment(environment: Mapping[str, str]) -> float:
    """Return the pace in seconds that the environment asks for.

    Raises:
        InvalidRequest: The variable is no whole number of milliseconds from 0 to 60,000.
    """
    text = environment.get(PACE_VARIABLE, "").strip() or "0"
    if not (text.isascii() and text.isdigit()) or int(text) > 60_000:
        raise InvalidRequest(
            f"{PACE_VARIABLE} must be a whole number of milliseconds from 0 to 60000, not {text!r}",
            reason="INVALID_SETTING",
            metadata={"variable": PACE_VARIABLE},
        )
    return int(text) / 1000


async def _chat(request: web.Request, *, pace_s: float) -> web.StreamResponse:
    result = complete(await request.read())
    if isinstance(result, Refusal):
        return web.Response(status=400, body=error_body(result), content_type=_JSON)
    if not result.stream:
        return web.Response(body=whole_body(result), content_type=_JSON)
    return await _stream(request, result, pace_s=pace_s)


async def _stream(
    request: web.Request, completion: RehearsalCompletion, *, pace_s: float
) -> web.StreamResponse:
    response = web.StreamResponse(
        headers={"Content-Type": "text/event-stream", "Cache-Control": "no-cache"}
    )
    with suppress(ConnectionResetError):  # the caller closed the connection
        await response.prepare(request)
        await _write(response, completion, pace_s=pace_s)
        await response.write_eof()
    return response


async def _write(
    response: web.StreamResponse, completion: RehearsalCompletion, *, pace_s: float
) -> None:
    waiting = bytearray()
    for frame in frames(completion):
        if pace_s:
            await response.write(frame)
            await asyncio.sleep(pace_s)
            continue
        # Instant: many events in one write, so that the model costs next to nothing.
        waiting += frame
        if len(waiting) >= _FLUSH_BYTES:
            await response.write(bytes(waiting))
            waiting.clear()
    if waiting:
        await response.write(bytes(waiting))


async def _models(_: web.Request) -> web.Response:
    return web.Response(body=models_body(), content_type=_JSON)
