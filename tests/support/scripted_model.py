"""A model server that says what a test tells it: the OpenAI protocol over HTTP, on a free port.

    async with ScriptedModel() as server:
        server.say(Reply('{"EXIT":"NO","content":"你好"}'), Reply(status=429))
        ... point a client at server.base_url ...
        assert server.requests[0].messages[-1]["role"] == "user"

Replies are used up in order; `say(..., model=...)` keeps a row of its own for one model name, and
`always` answers when the rows are empty. Nothing sleeps: a `Pause` stops a reply until the test
lets it go on.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

import orjson
from aiohttp import web

from heartrule.domain.json_value import JsonValue


class Pause:
    """A place in a reply where the server waits."""

    def __init__(self) -> None:
        self.reached = asyncio.Event()
        """Set once the server stands here."""
        self.go = asyncio.Event()
        """Set it to let the server go on."""


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer of the model."""

    text: str = ""
    """What it writes, cut into pieces of `size` characters."""
    size: int = 4
    """Characters in a piece."""
    finish_reason: str = "stop"
    """Why it stops; empty = the stream just ends."""
    status: int = 200
    """Anything else answers with an error body instead."""
    code: str = "scripted"
    """The `error.code` of that body."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Further headers, such as retry-after."""
    pauses: Mapping[int, Pause] = field(default_factory=dict)
    """Where it waits, by the number of pieces sent before."""
    drop_after: int | None = None
    """Cut the connection after so many pieces."""
    raw: Sequence[bytes] | None = None
    """Exactly these bytes instead, one write each."""
    content_type: str = "text/event-stream"
    """What it says that the body is."""
    usage: tuple[int, int] = (11, 7)
    """Prompt and completion tokens, sent where the request asks for them."""


@dataclass(frozen=True, slots=True)
class Request:
    """One request the server received."""

    body: Mapping[str, JsonValue]
    """The whole body."""
    headers: Mapping[str, str]

    @property
    def model(self) -> str:
        """The model asked for."""
        return str(self.body["model"])

    @property
    def messages(self) -> list[dict[str, str]]:
        """The prompt."""
        messages: list[dict[str, str]] = orjson.loads(orjson.dumps(self.body["messages"]))
        return messages


class ScriptedModel:
    """The server; an asynchronous context manager."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.always: Reply | None = None
        self.base_url = ""
        self.peers: set[str] = set()
        self._rows: defaultdict[str, deque[Reply]] = defaultdict(deque)
        self._runner: web.AppRunner | None = None
        self._arrived = asyncio.Condition()

    def say(self, *replies: Reply | str, model: str = "") -> None:
        """Add replies to the row of a model, or to the row of all others."""
        self._rows[model].extend(Reply(r) if isinstance(r, str) else r for r in replies)

    async def received(self, count: int) -> Request:
        """Wait until so many requests have come, and return the last of them."""
        async with self._arrived:
            await self._arrived.wait_for(lambda: len(self.requests) >= count)
        return self.requests[count - 1]

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=64 * 1024 * 1024)
        app.router.add_post("/v1/chat/completions", self._answer)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        port = self._runner.addresses[0][1]
        self.base_url = f"http://127.0.0.1:{port}/v1"
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._runner is not None
        await self._runner.cleanup()

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        body = orjson.loads(await request.read())
        async with self._arrived:
            self.requests.append(Request(body, dict(request.headers)))
            self._arrived.notify_all()
        assert request.transport is not None
        self.peers.add(str(request.transport.get_extra_info("peername")))
        reply = self._next(str(body["model"]))
        if reply is None or reply.status != 200:
            return _refusal(reply)
        response = web.StreamResponse(headers={**reply.headers, "content-type": reply.content_type})
        await response.prepare(request)
        usage = bool((body.get("stream_options") or {}).get("include_usage"))
        pieces = reply.raw if reply.raw is not None else _events(reply, usage=usage)
        for number, piece in enumerate(pieces):
            await _wait(reply.pauses.get(number))
            if number == reply.drop_after:
                request.transport.abort()
                return response
            await response.write(piece)
        await _wait(reply.pauses.get(len(pieces)))
        return response

    def _next(self, model: str) -> Reply | None:
        row = self._rows.get(model) or self._rows[""]
        return row.popleft() if row else self.always


async def _wait(pause: Pause | None) -> None:
    if pause is not None:
        pause.reached.set()
        await pause.go.wait()


def _refusal(reply: Reply | None) -> web.Response:
    if reply is None:
        text = orjson.dumps({"error": {"message": "the script has no further reply"}})
        return web.Response(status=500, body=text, content_type="application/json")
    text = orjson.dumps({"error": {"message": reply.text, "code": reply.code}})
    return web.Response(
        status=reply.status, body=text, headers=reply.headers, content_type="application/json"
    )


def event(value: JsonValue) -> bytes:
    """Return one server-sent event."""
    return b"data: " + orjson.dumps(value) + b"\n\n"


def delta(text: str) -> bytes:
    """Return the event of one piece of text."""
    return event({"choices": [{"index": 0, "delta": {"content": text}}]})


def _events(reply: Reply, *, usage: bool) -> list[bytes]:
    text, size = reply.text, reply.size
    events = [delta(text[start : start + size]) for start in range(0, len(text), size)]
    if reply.finish_reason:
        choice: JsonValue = {"index": 0, "delta": {}, "finish_reason": reply.finish_reason}
        events.append(event({"choices": [choice]}))
        if usage:
            prompt, completion = reply.usage
            counts = {"prompt_tokens": prompt, "completion_tokens": completion}
            events.append(event({"choices": [], "usage": counts}))
        events.append(b"data: [DONE]\n\n")
    return events
