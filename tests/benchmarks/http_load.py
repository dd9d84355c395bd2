"""Clients of the gateway on bare sockets, and the same clients over gRPC, for comparison.

    {"grpc": "127.0.0.1:1", "http": "127.0.0.1:2", "sessions": 16, "turns": 10}

opens sessions where there are none yet and says something in each of them that often, once by gRPC
and once by HTTP in turn, all sessions at one time. It answers
{"turns": [{"mark": …, "by": "grpc", "sent": …, "first": …, "ended": …}, …]}. `only` takes one way
alone, `spread_s` lets the sessions begin spread over that time. `watch` opens that many streams of
events, `hang_up` ends them, `comings` opens and ends that many one after the other. What a client
receives is checked: the chunks joined carry the mark of its input.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import asdict, dataclass
from itertools import count

import orjson
from grpc import aio

from heartrule.v1 import conversation_pb2
from heartrule.wire.executor_stubs import ExecutorStubs
from tests.benchmarks import workload
from tests.benchmarks.lines import Answer, answer_lines, run

_LIMIT_S = 120.0
_CHUNK, _DONE = b'data: {"chunk":', b'data: {"done":'


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn as its client saw it, by the clock all processes share."""

    mark: str
    by: str
    sent: float
    first: float
    ended: float


class Connection:
    """One connection of HTTP/1.1 that is kept alive."""

    def __init__(self, address: str) -> None:
        """Connect when it is first used."""
        self._host, _, port = address.rpartition(":")
        self._port = int(port)
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def send(self, method: str, path: str, body: object = None) -> asyncio.StreamReader:
        """Send a request and return what reads its body; the status must be one of success."""
        if self._streams is None:
            self._streams = await asyncio.open_connection(self._host, self._port, limit=2**22)
        reader, writer = self._streams
        raw = b"" if body is None else orjson.dumps(body)
        head = f"{method} {path} HTTP/1.1\r\nhost: {self._host}\r\ncontent-length: {len(raw)}\r\n"
        writer.write(head.encode() + b"content-type: application/json\r\n\r\n" + raw)
        status = await reader.readline()
        if b" 20" not in status[:14]:
            received = await reader.read(2_000)
            raise RuntimeError(f"{method} {path}: {status!r} {received[-400:].decode()}")
        return reader

    async def ask(self, path: str, body: object) -> Answer:
        """Post something and return the JSON of the answer."""
        reader = await self.send("POST", path, body)
        length = 0
        while (line := await reader.readline()).strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        received: Answer = orjson.loads(await reader.readexactly(length))
        return received

    def close(self) -> None:
        """Hang up."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


class Clients:
    """Sessions of one gateway and those who talk in them."""

    def __init__(self) -> None:
        """Create it without clients."""
        self._sessions: list[str] = []
        self._connections: list[Connection] = []
        self._watching: list[Connection] = []
        self._channels: dict[str, aio.Channel] = {}
        self._numbers = count(1)

    async def answer(self, command: Answer) -> Answer:
        """Run a command."""
        http = str(command["http"])
        if command.get("hang_up"):
            for one in self._watching:
                one.close()
            self._watching.clear()
        if number := int(str(command.get("watch", 0))):
            await asyncio.gather(*(self._watch(http, index) for index in range(number)))
            return {"watching": len(self._watching)}
        for index in range(int(str(command.get("comings", 0)))):
            await self._watch(http, index)
            self._watching.pop().close()
        wanted = int(str(command.get("sessions", 0)))
        if wanted and not self._sessions:
            await self._open(http)
        few = asyncio.Semaphore(16)

        async def opened() -> None:
            async with few:
                await self._open(http)

        async with asyncio.timeout(_LIMIT_S):
            await asyncio.gather(*(opened() for _ in range(wanted - len(self._sessions))))
        async with asyncio.timeout(_LIMIT_S):
            talks = [self._talk(index, command) for index in range(wanted)]
            received = await asyncio.gather(*talks)
        return {"turns": [asdict(turn) for turns in received for turn in turns]}

    async def _open(self, http: str) -> None:
        connection = Connection(http)
        if not self._sessions:
            files = {"files": {"bench.yaml": workload.SCRIPT}}
            await connection.ask("/api/v1/scripts", files)
        session = await connection.ask("/api/v1/sessions", {"scriptId": "bench"})
        session_id = str(session["sessionId"])
        await connection.ask(f"/api/v1/sessions/{session_id}/initialize", {})
        self._sessions.append(session_id)
        self._connections.append(connection)

    async def _watch(self, http: str, index: int) -> None:
        connection = Connection(http)
        path = f"/api/v1/sessions/{self._sessions[index % len(self._sessions)]}/events"
        reader = await connection.send("GET", path)
        while b"event: opened" not in await reader.readline():
            pass
        self._watching.append(connection)

    async def _talk(self, index: int, command: Answer) -> list[Turn]:
        turns = int(str(command.get("turns", 0)))
        spread = float(str(command.get("spread_s", 0)))
        await asyncio.sleep(spread * index / max(1, int(str(command.get("sessions", 1)))))
        received = []
        for number in range(turns):
            by = str(command.get("only") or ("grpc", "http")[(number + index) % 2])
            mark = workload.mark_of(next(self._numbers))
            if by == "http":
                received.append(await self._by_http(index, mark))
            else:
                received.append(await self._by_grpc(str(command["grpc"]), index, mark))
        return received

    async def _by_http(self, index: int, mark: str) -> Turn:
        body = {"sessionId": self._sessions[index], "message": workload.client_text(mark)}
        sent, first, words = time.monotonic(), 0.0, []
        reader = await self._connections[index].send("POST", "/api/v1/chat/stream", body)
        while not (line := await reader.readline()).startswith(_DONE):
            if line.startswith(_CHUNK):
                first = first or time.monotonic()
                words.append(orjson.loads(line[6:])["chunk"])
            elif not line:
                raise RuntimeError(f"{mark}: the stream was cut")
        ended = time.monotonic()
        while (await reader.readline()) != b"0\r\n":
            pass
        await reader.readline()
        _check(mark, "".join(words))
        return Turn(mark, "http", sent, first, ended)

    async def _by_grpc(self, target: str, index: int, mark: str) -> Turn:
        request = conversation_pb2.SendMessageRequest(session_id=self._sessions[index])
        request.input.client_message_id = mark
        request.input.parts.add(text=workload.client_text(mark))
        if target not in self._channels:
            self._channels[target] = aio.insecure_channel(target)
        stubs = ExecutorStubs(self._channels[target])
        sent, first, words = time.monotonic(), 0.0, ""
        async for response in stubs.conversation.SendMessage(request):
            kind = response.event.WhichOneof("event")
            if kind == "draft_delta":
                first = first or time.monotonic()
            elif kind == "message_committed":
                words = response.event.message_committed.parts[0].text
        _check(mark, words)
        return Turn(mark, "grpc", sent, first or time.monotonic(), time.monotonic())


def _check(mark: str, words: str) -> None:
    if words != workload.reply_text(mark):
        raise RuntimeError(f"{mark}: received {words[:80]!r}")


async def main() -> None:
    """Print that it serves no clients, then take commands."""
    print("load listening on 127.0.0.1:0", flush=True)
    await answer_lines(Clients().answer)


if __name__ == "__main__":
    run(main())
