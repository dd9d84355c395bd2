"""A model server that costs next to nothing: the OpenAI protocol on bare sockets, its own process.

Instant mode writes a whole reply at once; paced mode waits before the first token and between the
following ones. Each token is one event and one HTTP chunk, as real servers send them. Commands
come as lines of JSON on standard input, each answered by one on standard output:

    {"first_s": 0.05, "gap_s": 0.02}    pace from now on; 0 and 0: instant
    {"report": true}                    what was answered since the last report
    {"judged": true}                    how many judgements the monitor asked for, ever
    {"times": true}                     from now on report when each piece of a reply was written
    {"prefixes": true}                  forget, and model a provider's cache of prompts from now on
    {"cacheable": true}                 what that cache could have served
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from typing import cast

import orjson

from tests.benchmarks import workload
from tests.benchmarks.lines import answer_lines, run
from tests.benchmarks.prefixes import PrefixCache

_HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
_STUCK_S = 30.0
_END = b"0\r\n\r\n"
_ENTRY = {"id": "chatcmpl-bench", "object": "chat.completion.chunk", "created": 1, "model": "bench"}
_USAGE = {"prompt_tokens": 1500, "completion_tokens": 105, "total_tokens": 1605}


@dataclass(slots=True)
class Pace:
    """How fast the model writes, in seconds; zeros: at once."""

    first_s: float = 0.0
    gap_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Answered:
    """One request, by the clock all processes of this machine share."""

    mark: str
    prompt_bytes: int
    received: float
    visible: float
    """When the first text that a client may see was written."""
    written: list[float]
    """When each piece was, where that is kept."""


@dataclass(slots=True)
class Model:
    """The state of the server."""

    pace: Pace = field(default_factory=Pace)
    answered: list[Answered] = field(default_factory=list)
    judged: int = 0
    times: bool = False
    prefixes: dict[str, PrefixCache] | None = None
    """By kind of request; None: not modelled."""

    def obey(self, command: dict[str, object]) -> dict[str, object]:
        """Change the pace or what is kept, or report."""
        if command.get("report"):
            answered_since, self.answered = self.answered, []
            return {"answered": [asdict(each) for each in answered_since]}
        if command.get("judged"):
            return {"judged": self.judged}
        if command.get("prefixes"):
            self.prefixes = {}
            return {}
        if command.get("cacheable"):
            found, self.prefixes = self.prefixes or {}, None
            return {"cacheable": {kind: asdict(each.served()) for kind, each in found.items()}}
        if "times" in command:
            self.times = bool(command["times"])
            return {}
        self.pace = Pace(float(str(command["first_s"])), float(str(command["gap_s"])))
        return {}

    def note_prompt(self, kind: str, body: bytes) -> None:
        """Let the cache see a prompt, where one is modelled."""
        if self.prefixes is not None:
            self.prefixes.setdefault(kind, PrefixCache()).see(body)


class Connection(asyncio.Protocol):
    """One keep-alive connection; requests come one after the other."""

    def __init__(self, model: Model) -> None:
        """Serve for `model`."""
        self._model = model
        self._received = b""
        self._replies: set[asyncio.Task[None]] = set()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Answer every request that is complete."""
        self._received += data
        while (request := self._take()) is not None:
            head, body = request
            if not head.startswith(b"POST "):
                self._transport.write(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n")
                continue
            task = asyncio.ensure_future(self._reply(body, time.monotonic()))
            self._replies.add(task)
            task.add_done_callback(self._replies.discard)

    def connection_lost(self, _exc: Exception | None) -> None:
        """Write no more."""
        for task in self._replies:
            task.cancel()

    def _take(self) -> tuple[bytes, bytes] | None:
        head, blank, rest = self._received.partition(b"\r\n\r\n")
        if not blank:
            return None
        size = _content_length(head)
        if len(rest) < size:
            return None
        self._received = rest[size:]
        return head, rest[:size]

    async def _reply(self, body: bytes, received: float) -> None:
        mark, kind = workload.mark_in(body), workload.kind_of(body)
        self._model.note_prompt(kind, body)
        if kind == workload.STUCK_THREAD:
            await asyncio.sleep(_STUCK_S)
        pieces = workload.tokens(workload.written(kind, mark))
        visible_at = workload.first_visible(pieces) if kind == workload.TALK else len(pieces) - 1
        chunks = [_chunk(_delta(piece)) for piece in pieces]
        last = b"".join(_ending(usage=b'"include_usage"' in body))
        pace = self._model.pace
        if not pace.gap_s:
            written = [time.monotonic()] * len(chunks)
            self._transport.write(b"".join((_HEAD, *chunks, last)))
        else:
            written = await self._pace(chunks, pace)
            self._transport.write(last)
        self._note(kind, Answered(mark, len(body), received, written[visible_at], written))

    def _note(self, kind: str, answered: Answered) -> None:
        if kind == workload.MONITOR:
            self._model.judged += 1
        elif kind == workload.TALK:
            if not self._model.times:
                answered = replace(answered, written=[])
            self._model.answered.append(answered)

    async def _pace(self, chunks: list[bytes], pace: Pace) -> list[float]:
        loop = asyncio.get_running_loop()
        due, written = loop.time() + pace.first_s, []
        for index, chunk in enumerate(chunks):
            await asyncio.sleep(due - loop.time())
            due += pace.gap_s
            written.append(time.monotonic())
            self._transport.write(chunk if index else _HEAD + chunk)
        return written


def _content_length(head: bytes) -> int:
    for line in head.split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            return int(value)
    return 0


def _delta(text: str) -> dict[str, object]:
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": None}
    return {**_ENTRY, "choices": [choice]}


def _ending(*, usage: bool) -> Iterable[bytes]:
    yield _chunk({**_ENTRY, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    if usage:
        yield _chunk({**_ENTRY, "choices": [], "usage": _USAGE})
    yield b"e\r\ndata: [DONE]\n\n\r\n"
    yield _END


def _chunk(event: dict[str, object]) -> bytes:
    data = b"data: " + orjson.dumps(event) + b"\n\n"
    return b"%x\r\n%s\r\n" % (len(data), data)


async def serve() -> None:
    """Listen on a free port, say which, and obey until standard input ends."""
    model = Model()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Connection(model), "127.0.0.1", 0)
    print(f"model listening on 127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)

    async def obey(command: dict[str, object]) -> dict[str, object]:
        return model.obey(command)

    await answer_lines(obey)


if __name__ == "__main__":
    run(serve())
